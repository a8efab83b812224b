"""Report results: lines for people, JSON for programs."""
