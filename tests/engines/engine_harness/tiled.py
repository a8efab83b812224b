"""Tiled: `tmxrasterizer` draws a map, `tiled` reads and writes it again.

The first exits with 0 even where it drew nothing, so only comparing pixels says that a map is
right.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine_harness.processes import home_environment, run


class TiledError(AssertionError):
    """Tiled could not read the map; the message is its output."""


@dataclass(frozen=True, slots=True)
class Tiled:
    """The commands `tmxrasterizer` and `tiled`, with a separate home folder."""

    command: str
    editor: str
    home: Path

    @classmethod
    def find(cls, home: Path) -> Tiled | None:
        """Return Tiled if its commands are on the path."""
        command, editor = shutil.which("tmxrasterizer"), shutil.which("tiled")
        return cls(command, editor, home) if command and editor else None

    def save_as(self, map_file: Path, saved: Path) -> None:
        """Read a map and write it as Tiled does, in the language of the new file's suffix.

        Raises:
            TiledError: When Tiled prints anything, ends with an error or writes no map.
        """
        environment = {**home_environment(self.home), "QT_QPA_PLATFORM": "offscreen"}
        command = [self.editor, "--export-map", str(map_file), str(saved)]
        code, output = run(command, environment)
        if code != 0 or output.strip() or not saved.exists():
            raise TiledError(f"exit code {code}\n{output}")

    def rasterize(self, map_file: Path, *options: str) -> NDArray[np.uint8]:
        """Draw a map at its own scale: uint8 [height, width, 4], RGBA, straight alpha.

        Raises:
            TiledError: When Tiled prints anything, ends with an error or writes no picture.
        """
        environment = {**home_environment(self.home), "QT_QPA_PLATFORM": "offscreen"}
        with tempfile.TemporaryDirectory(dir=self.home) as scratch:
            picture = Path(scratch) / "map.png"
            command = [self.command, "--no-smoothing", *options, str(map_file), str(picture)]
            code, output = run(command, environment)
            if code != 0 or output.strip() or not picture.exists():
                raise TiledError(f"exit code {code}\n{output}")
            with Image.open(picture) as image:
                return np.asarray(image.convert("RGBA")).copy()
