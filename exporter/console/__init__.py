"""How results are told: lines for people, JSON for programs."""
