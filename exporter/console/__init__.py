"""Print results: lines for people, JSON for programs."""
