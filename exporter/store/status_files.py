"""Read and write the status files that the exporter's engine plugins show.

There is one file for the project and one for each level: they say whether outputs are up to date.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from exporter.model.errors import OutsideError
from exporter.store.folder import Folder
from exporter.store.held_files import refused

STATUS = "status.json"
LEVEL_STATUSES = "levels"
# The exporter writes no larger status files.
MAXIMUM_STATUS_BYTES = 64 << 20


class StatusFiles:
    """Reads and writes the status files of one project.

    Args:
        folder: The project's folder.
        state: The state folder, which contains the files.
    """

    def __init__(self, folder: Folder, state: Path) -> None:
        self._folder = folder
        self._state = state

    def read(self) -> str:
        """Return the text of the project's status file; empty if it is unreadable."""
        with contextlib.suppress(OSError, OutsideError, UnicodeDecodeError):
            path = f"{self._state.name}/{STATUS}"
            return self._folder.read(path, MAXIMUM_STATUS_BYTES)[0].decode()
        return ""

    def read_levels(self) -> dict[str, str]:
        """Return the texts of the status files of levels, by file name.

        Anything but a regular file has an empty text, so that it is replaced or removed.
        """
        texts: dict[str, str] = {}
        with (
            contextlib.suppress(OSError, OutsideError),
            self._folder.open(f"{self._state.name}/{LEVEL_STATUSES}") as folder,
        ):
            for name in folder.names():
                if name.endswith(".json"):
                    texts[name] = ""
                    with contextlib.suppress(OSError, UnicodeDecodeError):
                        texts[name] = folder.read(name, MAXIMUM_STATUS_BYTES)[0].decode()
        return texts

    def write(self, text: str, levels: Mapping[str, str | None]) -> None:
        """Write the status files of levels, then `text` as the project's.

        `levels` has the new text of each changed file of a level, by file name; None removes the
        file.

        Raises:
            StoreError: A file cannot be written or removed.
        """
        name = LEVEL_STATUSES
        try:
            if levels:
                position = f"{self._state.name}/{LEVEL_STATUSES}"
                with self._folder.open(position, make=True) as folder:
                    for name, content in levels.items():
                        if content is not None:
                            folder.write(name, content.encode(), durable=False)
                        else:
                            with contextlib.suppress(FileNotFoundError):
                                folder.unlink(name)
            name = STATUS
            self._folder.write(f"{self._state.name}/{STATUS}", text.encode(), durable=False)
        except OSError as error:
            raise refused(error, self._state / name) from None
