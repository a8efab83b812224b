"""A project with a world of six parts, exported in this process."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

from command_line import run

CHUNK = 64
WORLD = """\
size: [150, 100]
chunk: 64
seed: {seed}
layers:
  caves: {{generator: cellular_caves}}
  relief: {{generator: heightmap}}
  open: {{generator: exposure}}
visibility: {{radius: 5}}
"""
SETTINGS = "targets:\n  tiled: {path: tiled, bitmaps: false}\n"
PARTS = [f"{column}_{row}" for column in range(3) for row in range(2)]


class WorldProject:
    """A project with a world."""

    def __init__(self, root: Path, text: str = WORLD) -> None:
        self.root = root
        self.spec = root / "levels" / "cavern.level.yaml"
        self.spec.parent.mkdir(parents=True)
        (root / "exporter.yaml").write_text(SETTINGS)
        self.write(text)

    def write(self, text: str = WORLD, seed: int = 1) -> None:
        """Write the spec."""
        self.spec.write_text(text.format(seed=seed))

    def run(self, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        """Export."""
        done = run("export", self.root, *arguments)
        assert done.returncode == code, done.stderr
        return done

    def export(self, *arguments: str, code: int = 0) -> dict[str, Any]:
        """Export; return the world's entry in the document."""
        (level,) = json.loads(self.run("--json", *arguments, code=code).stdout)["levels"]
        assert isinstance(level, dict)
        return level

    def part(self, position: str, suffix: str = "lvb") -> Path:
        """Return the path of a part's file."""
        return self.root / "tiled" / "cavern.world" / f"cavern.{position}.{suffix}"

    def times(self) -> dict[str, int]:
        """Return when each part was written."""
        return {part: self.part(part).stat().st_mtime_ns for part in PARTS}

    def contents(self) -> dict[str, str]:
        """Return the SHA-256 of every output."""
        return {
            str(path.relative_to(self.root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((self.root / "tiled").rglob("*"))
            if path.is_file()
        }
