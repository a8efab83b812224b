"""Print results of commands: lines for people, JSON for programs."""
