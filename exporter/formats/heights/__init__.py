"""What the formats of heights share: samples, their range and what they mean."""
