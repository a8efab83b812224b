"""Node: runs ES modules as a browser would, and reports what they print as JSON."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine_harness.processes import MOST_SECONDS, home_environment, run


class NodeError(AssertionError):
    """The program failed; the message is its output."""


def find_phaser() -> Path | None:
    """Return Phaser's one file, where `.ci/install-engines` puts it."""
    return _existing("phaser/node_modules/phaser/dist/phaser.js")


def find_excalibur() -> Path | None:
    """Return the folder of Excalibur's plugin for Tiled, where `.ci/install-engines` puts it."""
    return _existing("excalibur/node_modules/@excaliburjs/plugin-tiled")


def find_excalibur_ldtk() -> Path | None:
    """Return the folder of Excalibur's plugin for LDtk, where `.ci/install-engines` puts it."""
    return _existing("excalibur-ldtk/node_modules/@excaliburjs/plugin-ldtk")


def find_gltf_validator() -> Path | None:
    """Return the folder of Khronos' validator, where `.ci/install-engines` puts it."""
    return _existing("gltf-validator/node_modules/gltf-validator")


def find_three() -> Path | None:
    """Return the folder of three.js, where `.ci/install-engines` puts it."""
    return _existing("three/node_modules/three")


def _existing(place: str) -> Path | None:
    path = Path(os.environ.get("LEVEL_EXPORTER_ENGINES", "/opt/level-exporter"), place)
    return path if path.exists() else None


@dataclass(frozen=True, slots=True)
class Node:
    """The command `node`, with a home folder of its own."""

    command: str
    home: Path

    @classmethod
    def find(cls, home: Path) -> Node | None:
        """Return Node if it is on the path."""
        command = shutil.which("node")
        return cls(command, home) if command else None

    def query(self, script: Path, question: Any, seconds: float = MOST_SECONDS) -> Any:
        """Run an ES module with a JSON document on its input; return the one it prints.

        Raises:
            NodeError: When it fails, or prints something else.
        """
        command = [self.command, "--no-warnings", str(script)]
        environment = home_environment(self.home)
        code, output = run(command, environment, seconds, stdin=json.dumps(question))
        try:
            if code == 0:
                return json.loads(output)
        except json.JSONDecodeError:
            pass
        raise NodeError(f"{script.name} ended with {code}:\n{output}")
