"""Read the GDScript files that exported scenes use.

The files lie in `templates/godot`; some belong to the addon for Godot, too.
"""

from __future__ import annotations

from functools import cache
from textwrap import indent

from exporter.model.installed import templates

_ADDON = "addons/level_exporter/runtime"
# The variable of `hook_script` with the game's script.
HOOK = "after_export"
# The functions that a world's script takes from a large level's: which chunks are near the view.
_SHARED = ("_places_in", "_chunks_in", "_around")


@cache
def large_level_script() -> str:
    """Return the script of large levels: `level_chunks.gd` of the addon."""
    return _read(f"{_ADDON}/level_chunks.gd")


@cache
def world_script() -> str:
    """Return the script of worlds; it contains the class `Sight`."""
    # Functions and their comments are two blank lines apart.
    blocks = large_level_script().split("\n\n\n")
    shared = [block for block in blocks if any(f"\nfunc {name}(" in block for name in _SHARED)]
    # The class loses its global name, which the addon's script has.
    _, _, sight = _read(f"{_ADDON}/level_visibility.gd").partition("\n\n")
    parts = (
        _read("scenes/world.gd").rstrip("\n"),
        *shared,
        f"class Sight:\n{indent(sight, chr(9))}",
    )
    return "\n\n\n".join(parts)


@cache
def hook_script() -> str:
    """Return the script that calls the game's own `after_export` script."""
    return _read("scenes/after_export.gd")


def _read(name: str) -> str:
    return (templates() / "godot" / name).read_text(encoding="utf-8")
