"""How results are reported: lines for people, JSON for programs."""
