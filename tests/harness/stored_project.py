"""A project exported once and restored for every test, to save time.

The state of a project is valid only at its path and with the same folder of specs; so files are put
back in place, and the folder of specs is kept.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path


class RetainedProject:
    """An exported project.

    Args:
        folder: A folder of its own.
        make: Writes a project into a folder that is not there yet, and exports it.
    """

    def __init__(self, folder: Path, make: Callable[[Path], object]) -> None:
        self.root = folder / "game"
        self._copy = folder / "copy"
        self._make = make
        self._levels = 0

    def restore(self) -> Path:
        """Restore the project to its state after its export; return its folder."""
        levels = self.root / "levels"
        if not self._levels or not levels.is_dir() or os.stat(levels).st_ino != self._levels:
            for folder in (self.root, self._copy):
                shutil.rmtree(folder, ignore_errors=True)
            self._make(self.root)
            self._levels = os.stat(levels).st_ino
            shutil.copytree(self.root, self._copy, symlinks=True)
            return self.root
        for parent, remaining in ((self.root, "levels"), (levels, "")):
            for path in parent.iterdir():
                if path.is_dir() and not path.is_symlink():
                    if path.name != remaining:
                        shutil.rmtree(path)
                else:
                    path.unlink()
        shutil.copytree(self._copy, self.root, symlinks=True, dirs_exist_ok=True)
        return self.root
