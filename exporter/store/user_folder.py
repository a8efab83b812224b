"""Keep the user's secret and trusted folders, outside all projects.

A project may come from a stranger, including its state folder. So the files in the state folder
have a seal, a hash keyed with a secret of this user and with the project's resolved path. A file
without a valid seal is not trusted.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import sys
from functools import lru_cache
from pathlib import Path

from exporter.model.errors import StoreError
from exporter.store.file_names import check_names
from exporter.store.folder import Folder, parts_beside
from exporter.store.held_files import refused

FOLDER = "level-exporter"
SECRET = "secret"
TRUSTED = "trusted.json"
_SECRET_BYTES = 32


def user_folder() -> Path:
    """Return the exporter's configuration folder of this user.

    The environment variable `LEVEL_EXPORTER_HOME` overrides it.
    """
    chosen = os.environ.get("LEVEL_EXPORTER_HOME")
    if chosen:
        return Path(chosen)
    if os.name == "nt":
        return Path(os.environ.get("APPDATA") or _home() / "AppData" / "Roaming") / FOLDER
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support" / FOLDER
    return Path(os.environ.get("XDG_CONFIG_HOME") or _home() / ".config") / FOLDER


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.devnull)


class Seal:
    """Computes and checks seals for the state folder of one project.

    A seal is a hash that is keyed with the user's secret and the project's path `root`; it shows
    that this user's exporter wrote a file.
    """

    def __init__(self, root: Path) -> None:
        project = os.path.realpath(root).encode("utf-8", "surrogateescape")
        self._key = hmac.digest(_secret(str(user_folder())), project, "sha256")

    def of(self, *parts: bytes) -> bytes:
        """Return the seal, 32 bytes, of `parts` in this order."""
        code = hmac.new(self._key, digestmod=hashlib.sha256)
        for part in parts:
            code.update(len(part).to_bytes(8, "little"))
            code.update(part)
        return code.digest()

    def fits(self, seal: bytes, *parts: bytes) -> bool:
        """Return whether `seal` is the seal of `parts`."""
        return hmac.compare_digest(seal, self.of(*parts))


@lru_cache(maxsize=8)
def _secret(folder: str) -> bytes:
    """Return the user's secret, for seals, from `folder`; make it if missing.

    If it cannot be stored, every process has its own secret, and no stored state is trusted.
    """
    home = Path(folder)
    for _ in range(3):  # read again: another process may have been faster
        known = None
        with contextlib.suppress(OSError):
            known = (home / SECRET).read_bytes()
            if len(known) == _SECRET_BYTES:
                return known
        with contextlib.suppress(OSError, StoreError):
            home.mkdir(parents=True, exist_ok=True)
            _keep_secret(home, os.urandom(_SECRET_BYTES), damaged=known is not None)
    return os.urandom(_SECRET_BYTES)


def _keep_secret(home: Path, secret: bytes, *, damaged: bool) -> None:
    """Store `secret` in the folder `home`, unless another process did.

    `damaged` is whether a damaged secret is there, which is replaced.
    """
    with Folder(home, closed=False).open(".") as folder:
        if damaged:
            folder.unlink(SECRET)
        temporary = folder.create(SECRET, secret, durable=True, mode=0o600)
        try:
            folder.link(temporary, SECRET)
        finally:
            with contextlib.suppress(OSError):
                folder.unlink(temporary)


def trusted_folders(root: Path) -> tuple[Path, ...]:
    """Return the folders outside project `root` to which it may write."""
    result = _read_trusted().get(os.path.realpath(root), [])
    return tuple(Path(folder) for folder in result)


def trust(root: Path, folder: Path) -> bool:
    """Allow project `root` to write to `folder`, which is outside it.

    Returns:
        Whether that was not allowed before.

    Raises:
        OutsideError: Projects must not write there, for example because the folder belongs to
            version control.
        StoreError: The list of trusted folders cannot be saved.
    """
    project, real = os.path.realpath(root), os.path.realpath(folder)
    check_names(parts_beside(project, real), real)
    trusted = _read_trusted()
    folders = trusted.setdefault(project, [])
    if real in folders:
        return False
    folders.append(real)
    text = json.dumps({"version": 1, "trusted": trusted}, indent=1, sort_keys=True) + "\n"
    home = user_folder()
    try:
        home.mkdir(parents=True, exist_ok=True)
        Folder(home, closed=False).write(TRUSTED, text.encode())
    except OSError as error:
        raise refused(error, home / TRUSTED) from None
    return True


def _read_trusted() -> dict[str, list[str]]:
    """Return the trusted folders, by the path of their project.

    Raises:
        StoreError: The file is damaged; it belongs to the user and is not overwritten.
    """
    path = user_folder() / TRUSTED
    try:
        document = json.loads(path.read_bytes())
        return {
            str(project): [str(folder) for folder in folders]
            for project, folders in document["trusted"].items()
        }
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise refused(error, path) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StoreError(f"{path} is damaged (repair or remove it)") from None
