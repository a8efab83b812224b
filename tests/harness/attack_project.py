"""A hostile project beside files that no command may touch, and commands run in it.

Commands run in child processes with bounds of time and memory. A child is forked from this process,
which has the exporter loaded already, so hundreds of them are affordable.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

import exporter
from exporter.cli.main import main
from exporter.store.contents import digest_of
from exporter.store.manifest import MANIFEST, VERSION
from exporter.store.user_folder import Seal, _secret

SECONDS = 300
MEMORY = 4 << 30
SETTINGS = "targets:\n  tiled: {path: t}\n"
SPEC = "size: [8, 8]\nseed: 1\nlayers: {ground: {generator: cellular_caves}}\n"
SPEC_PATH = "levels/cave.level.yaml"
INDEX = ".level-exporter-index"
OUTPUT = "cave.tmj"

Tree = dict[str, tuple[Any, ...]]


@lru_cache(maxsize=1)
def load_everything() -> None:
    """Load the modules of all commands, and draw shared pictures, so that children need not."""
    for module in pkgutil.walk_packages(exporter.__path__, "exporter."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        root = Path(folder)
        (root / "levels").mkdir()
        (root / "exporter.yaml").write_text(SETTINGS)
        (root / SPEC_PATH).write_text(SPEC)
        assert main(["export", folder, "--jobs", "1"]) == 0
    gc.freeze()


def tree(root: Path) -> Tree:
    """Return all that lies below a folder, the folder too: kinds, times, contents."""
    result: Tree = {}
    for path in [root, *sorted(root.rglob("*"))]:
        status = path.lstat()
        content: Any = None
        if path.is_symlink():
            content = os.readlink(path)
        elif path.is_file():
            content = path.read_bytes()
        result[path.relative_to(root).as_posix()] = (status.st_mode, status.st_mtime_ns, content)
    return result


@dataclass(frozen=True)
class Ended:
    """A command that ended.

    Attributes:
        code: Its exit code.
        text: Its output, from both streams.
    """

    code: int
    text: str


class Attack:
    """A project, a tree of canaries beside it, and a user who trusts nothing.

    Attributes:
        root: The project.
        canary: The tree that must not change.
        home: The user's own folder.
        attacker: The folder of another user, who made the project's state.
    """

    def __init__(self, base: Path) -> None:
        self.base = base
        self.root = base / "project"
        self.canary = base / "canary"
        self.home = base / "home"
        self.attacker = base / "attacker"
        self.tells = base / "tells"
        (self.canary / "deep").mkdir(parents=True)
        for name in ("file", "deep/file", OUTPUT, "deep/" + OUTPUT, "spec.level.yaml", "size"):
            (self.canary / name).write_bytes(f"theirs: {name}\n".encode())
        # A spec that every command can read.
        (self.canary / "spec.level.yaml").write_text(SPEC)
        (self.canary / "empty").mkdir()
        for path in [*self.canary.rglob("*"), self.canary]:
            os.utime(path, (1_000_000_000, 1_000_000_000))
        self.before = tree(self.canary)

    def make(self, settings: str = SETTINGS) -> None:
        """Make a project as its author would."""
        (self.root / "levels").mkdir(parents=True, exist_ok=True)
        self.write("exporter.yaml", settings)
        self.write(SPEC_PATH, SPEC)

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file of the project, and the folders it lies in."""
        position = self.root / path
        position.parent.mkdir(parents=True, exist_ok=True)
        position.write_bytes(text if isinstance(text, bytes) else text.encode())
        return position

    def link(self, path: str, leads: str | Path) -> Path:
        """Put a link into the project, in place of any file or folder there."""
        position = self.clear(path)
        position.symlink_to(leads)
        return position

    def clear(self, path: str) -> Path:
        """Remove any file or folder at a path of the project."""
        position = self.root / path
        if position.is_dir() and not position.is_symlink():
            shutil.rmtree(position)
        else:
            position.unlink(missing_ok=True)
        position.parent.mkdir(parents=True, exist_ok=True)
        return position

    def digest(self, name: str) -> str:
        """Return the SHA-256 of a canary, which an attacker may know."""
        return digest_of((self.canary / name).read_bytes())

    def seal(self, key: bytes, *parts: bytes) -> bytes:
        """Return the seal of another user, for this project's own place."""
        return self._as_attacker(lambda: Seal(self.root)).of(key, *parts)

    def manifest(self, rows: list[list[Any]], *, sealed: bool, **more: Any) -> None:
        """Write a manifest that claims files.

        Args:
            rows: The outputs of one level, as the manifest has them.
            sealed: Seal it, with another user's secret.
            more: Other keys of the level.
        """
        level = {
            "spec": SPEC_PATH,
            "level": "cave",
            "key": "key",
            "digest": "",
            "folder": os.stat(self.root / "levels").st_ino,
            "inputs": {},
            "outputs": rows,
            "stale": [],
            "identities": {},
            "layers": {},
            "warnings": [],
            "objects": {},
            **more,
        }
        document = {
            "version": VERSION,
            "generation": 1,
            "project": None,
            "indexes": {},
            "alone": [],
            "levels": [level],
        }
        text = json.dumps(document, separators=(",", ":")).encode()
        if sealed:
            digits = self.seal(b"manifest", text[:-1]).hex()
            text = text[:-1] + f',"seal":"{digits}"}}'.encode()
        self.write(f".exporter/{MANIFEST}", text)

    def run(self, *arguments: str, folder: Path | None = None) -> Ended:
        """Run a command of the exporter in a child process, in the project's folder."""
        load_everything()
        self.tells.mkdir(exist_ok=True)
        out = self.tells / "text"
        child = os.fork()
        if not child:
            self._be_command(arguments, folder or self.root, out)
        limit = time.monotonic() + SECONDS
        while True:
            process, status = os.waitpid(child, os.WNOHANG)
            if process:
                break
            if time.monotonic() > limit:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                raise AssertionError(f"{arguments} did not end: {out.read_text()}")
            time.sleep(0.002)
        return Ended(os.waitstatus_to_exitcode(status), out.read_text(errors="replace"))

    def watch(self) -> Ended:
        """Run a watch until it is ready, and end it; a watch that refuses ends by itself."""
        self.tells.mkdir(exist_ok=True)
        environment = {**os.environ, "LEVEL_EXPORTER_HOME": str(self.home)}
        out = self.tells / "watch"
        with open(out, "wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "exporter", "watch", "--json", "--jobs", "1"],
                cwd=self.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        limit = time.monotonic() + SECONDS
        while process.poll() is None and b'"ready"' not in out.read_bytes():
            if time.monotonic() > limit:
                process.kill()
                process.wait()
                raise AssertionError(f"watch neither refused nor watched: {out.read_text()}")
            time.sleep(0.02)
        ended = process.poll() is not None
        process.send_signal(signal.SIGINT)
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError("watch did not end") from None
        return Ended(process.returncode if ended else 0, out.read_text(errors="replace"))

    def _be_command(self, arguments: tuple[str, ...], folder: Path, out: Path) -> NoReturn:
        """Become a command, without anything that the tests set up."""
        code = 70
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            file = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            null = os.open(os.devnull, os.O_RDONLY)
            for number, descriptor in ((0, null), (1, file), (2, file)):
                os.dup2(descriptor, number)
            sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
            sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
            os.environ["LEVEL_EXPORTER_HOME"] = str(self.home)
            _secret.cache_clear()
            os.chdir(folder)
            code = main(arguments)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 70
        except BaseException:
            traceback.print_exc()
        finally:
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)

    def _as_attacker(self, action: Callable[[], Any]) -> Any:
        previous = os.environ.get("LEVEL_EXPORTER_HOME")
        os.environ["LEVEL_EXPORTER_HOME"] = str(self.attacker)
        try:
            return action()
        finally:
            if previous is None:
                del os.environ["LEVEL_EXPORTER_HOME"]
            else:
                os.environ["LEVEL_EXPORTER_HOME"] = previous
