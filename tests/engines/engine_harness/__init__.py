"""Drives the real engines from tests: Godot, Tiled, Mono's C# compiler, Node with its engines.

Tests reach them through the fixtures of `tests/engines/conftest.py`, which skip with a reason where
the engine is not installed. An engine's output is kept with every failure, because engines
report most errors on their output and still exit with 0.
"""

from engine_harness.godot import Godot, GodotError
from engine_harness.lua import Lua, LuaError
from engine_harness.mono import MissingAssemblyError, Mono, MonoError
from engine_harness.node import (
    Node,
    NodeError,
    find_excalibur,
    find_excalibur_ldtk,
    find_gltf_validator,
    find_phaser,
    find_three,
)
from engine_harness.tiled import Tiled, TiledError

__all__ = [
    "Godot",
    "GodotError",
    "Lua",
    "LuaError",
    "MissingAssemblyError",
    "Mono",
    "MonoError",
    "Node",
    "NodeError",
    "Tiled",
    "TiledError",
    "find_excalibur",
    "find_excalibur_ldtk",
    "find_gltf_validator",
    "find_phaser",
    "find_three",
]
