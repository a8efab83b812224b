"""Find the folder for files that outlive the studio, and the last port."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from exporter.model.errors import StoreError
from exporter.store.folder import Folder
from exporter.store.user_folder import user_folder

_FOLDER = "studio"
_PORT = "port"


def user_state(project_or_spec: Path) -> Path:
    """Return the folder for the studio's files about a project or spec.

    It lies in the user's folder, outside the project. `project_or_spec` is the project's folder, or
    the one spec that is served.
    """
    name = hashlib.sha256(os.fsencode(os.path.realpath(project_or_spec))).hexdigest()[:32]
    return user_folder() / _FOLDER / name


def last_port(project_or_spec: Path) -> int:
    """Return the port of the last run for a project or spec; 0 if unknown."""
    try:
        port = int((user_state(project_or_spec) / _PORT).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0
    return port if 0 < port < 1 << 16 else 0


def remember_port(project_or_spec: Path, port: int) -> None:
    """Store the port of this run; do nothing if the folder is not writable."""
    with contextlib.suppress(OSError, StoreError):
        folder = user_state(project_or_spec)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with Folder(folder, closed=False).open(".") as opened:
            opened.write(_PORT, str(port).encode(), durable=False, mode=0o600)
