"""Runs Unity's importer without Unity, on files of the exporter's own Unity target."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine_harness.folders import CORE, CSHARP, PACKAGE
from engine_harness.levels import write_level
from engine_harness.mono import Mono
from exporter.model.level import Level

NEW_UNITY = "-define:UNITY_2023_1_OR_NEWER"


def importer_sources() -> list[Path]:
    """Return the package's code with the stand-ins for Unity."""
    return sorted([*PACKAGE.rglob("*.cs"), *(CSHARP / "stubs").glob("*.cs")])


def compile_prefab_dump(mono: Mono, folder: Path) -> Path:
    """Return the program that prints the plain model of prefabs, without Unity."""
    programs = [CSHARP / "DumpPrefab.cs", CSHARP / "JsonText.cs"]
    # Only the JSON reader replaces Unity's.
    sources = [*CORE, *programs, CSHARP / "stubs" / "JsonUtility.cs"]
    return mono.compile(sources, folder / "dump.exe")


def plain_numbers(result: dict[str, Any]) -> Any:
    """Return a decimal from its bits, or the object unchanged."""
    if result.keys() == {"bits"}:
        return struct.unpack(">d", bytes.fromhex(result["bits"]))[0]
    return result


@dataclass(frozen=True, slots=True)
class UnityImporter:
    """The package's importer, compiled with the stand-ins for Unity."""

    mono: Mono
    program: Path

    @classmethod
    def compile(cls, mono: Mono, folder: Path, options: Iterable[str] = ()) -> UnityImporter:
        """Compile it into a folder."""
        programs = [CSHARP / name for name in ("RunImporter.cs", "ChestScript.cs", "JsonText.cs")]
        sources = [*importer_sources(), *programs]
        return cls(mono, mono.compile(sources, folder / "import.exe", options=options))

    def run(self, *arguments: str | Path) -> Any:
        """Return the program's answer; RunImporter.cs lists the questions."""
        return json.loads(self.mono.run(self.program, *arguments), object_hook=plain_numbers)

    def level(self, blob: Path, *settings: str) -> dict[str, Any]:
        """Return the result of a blob with these settings."""
        return dict(self.run("level", blob, *settings))


def export(level: Level, folder: Path, **options: Any) -> Path:
    """Write a level as the Unity target does and return its blob."""
    write_level("unity", level, folder, "Levels", **options)
    return folder / f"{level.name}.lvb"
