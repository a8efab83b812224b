"""Levels that take longer to build than anybody waits."""

from __future__ import annotations

# Neighbours on a ring of twelve: hardly ever solved on a large map, so all attempts are made. They
# take ten times the estimate, because most maps need few.
RING = (
    "size: [256, 256]\nlayers:\n  plain: {generator: blank}\n  ring:\n"
    "    generator: wave_function_collapse\n    attempts: 100\n    tiles: ["
    + ", ".join(f"{{name: t{n}, alone: true}}" for n in range(12))
    + "]\n    adjacent: ["
    + ", ".join(f"[t{n}, t{(n + 1) % 12}]" for n in range(12))
    + "]\n"
)
