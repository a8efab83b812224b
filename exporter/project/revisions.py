"""Read files as they were in a commit of a Git repository.

Git is asked only for the commit and the bytes of files, and runs nothing that the repository
configures: no filters, text converters, hooks or fetches. Files in Git LFS are read from its local
folder.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

from exporter.model.errors import ExporterError
from exporter.model.input_files import TooLargeError, read_input
from exporter.model.lazy_dataclass import dataclass

# Seconds for one question; a repository on a slow network drive may need some.
_PATIENCE = 60
# These lead Git to another repository than the one a file lies in, as in its hooks.
_LOCAL_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
    "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
)  # fmt: skip
_DEBOUNCE_VARIABLES = {
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_ENTRY = re.compile(rb"([0-7]+) (\w+) ([0-9a-f]+) +([0-9]+|-)\t")
_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-[^\n]+\n)*"
    rb"oid sha256:([0-9a-f]{64})\nsize [0-9]+\n"
)
_LONGEST_POINTER = 1024
_LINK, _SUBMODULE = b"120000", b"160000"


class RevisionError(ExporterError):
    """Git is not installed, or there is no such repository or commit."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit of a Git repository, whose files can be read.

    Attributes:
        top: The top folder of the repository, with links resolved.
        commit: The hash of the commit.
        name: The name the user gave: `HEAD~3`, a branch, a tag.
    """

    top: Path
    commit: str
    name: str

    def read(self, path: Path, maximum: int) -> bytes:
        """Return the content that file `path` had in the commit.

        The file need not exist any more. A file outside the repository is read as it is now.

        Raises:
            FileNotFoundError: The commit has no such file.
            TooLargeError: The file has more than `maximum` bytes.
            OSError: The path was not a file, or Git does not have the content here.
        """
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(self.top):
            return read_input(real, maximum)
        position = real.relative_to(self.top).as_posix()
        listed = self._git("ls-tree", "-z", "-l", "--full-tree", self.commit, "--", position)
        result = _ENTRY.match(listed)
        if result is None:
            raise FileNotFoundError(errno.ENOENT, "the commit has no such file", position)
        mode, kind, name, size = result.groups()
        if kind != b"blob" or mode in (_LINK, _SUBMODULE):
            what = {b"tree": "a folder", b"commit": "a submodule"}.get(kind, "a link")
            raise OSError(errno.EINVAL, f"in the commit it is {what}", position)
        if int(size) > maximum:
            raise TooLargeError(position, int(size), maximum)
        content = self._git("cat-file", "blob", name.decode())
        pointer = _POINTER.fullmatch(content) if len(content) <= _LONGEST_POINTER else None
        return content if pointer is None else self._retained_outside(real, pointer[1], maximum)

    def _retained_outside(self, path: Path, digest: bytes, maximum: int) -> bytes:
        """Return a file that Git LFS keeps outside the repository's own data.

        It is read from the local folder of Git LFS, by its SHA-256 `digest`.
        """
        name = digest.decode()
        common = self._git("rev-parse", "--git-common-dir").decode("utf-8", "surrogateescape")
        store = self.top / common.rstrip("\n") / "lfs" / "objects" / name[:2] / name[2:4] / name
        for position in (store, path):
            try:
                content = read_input(position, maximum)
            except TooLargeError:
                raise
            except OSError:
                continue
            if hashlib.sha256(content).hexdigest() == name:
                return content
        raise OSError(
            errno.ENOENT,
            "the file is stored by Git LFS and not downloaded (run `git lfs fetch`)",
            str(path),
        )

    def _git(self, *arguments: str) -> bytes:
        done = _run(self.top, *arguments)
        if done.returncode:
            raise OSError(errno.EIO, f"git cannot read it: {_said(done)}")
        return done.stdout


def find_revision(folder: Path, name: str) -> Revision:
    """Return the commit `name` of the repository around `folder`.

    `name` may be any that Git accepts: `HEAD~3`, a branch, a tag, a hash.

    Raises:
        RevisionError: Git is not installed, or there is no such repository or commit.
    """
    try:
        result = _run(folder, "rev-parse", "--show-toplevel")
        if result.returncode or not result.stdout.strip():
            raise RevisionError(
                f"{folder}: there is no committed version to compare with ({_said(result)}; name "
                "two levels instead)"
            )
        top = Path(os.path.realpath(os.fsdecode(result.stdout.removesuffix(b"\n"))))
        # A name that begins like an option is refused, and never reaches Git as one.
        commit = _run(
            top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
        )
    except OSError as error:
        raise RevisionError(f"git cannot read the revision {name!r} ({error.strerror})") from None
    if commit.returncode or not name or "\0" in name:
        raise RevisionError(
            f"the repository {str(top)!r} has no revision {name!r} (a branch, a tag, a hash, or "
            "as in HEAD~3)"
        )
    return Revision(top, commit.stdout.decode().strip(), name)


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run Git with `arguments` in `folder`; `OSError` if it does not answer."""
    program = shutil.which("git")
    # Windows looks in the current folder first, where a stranger's project may have a git.exe.
    if program is None or Path(program).resolve().parent == Path.cwd().resolve():
        raise OSError(errno.ENOENT, "it is not installed")
    variables = {key: text for key, text in os.environ.items() if key not in _LOCAL_VARIABLES}
    try:
        return subprocess.run(
            [program, "--no-pager", *arguments],
            cwd=folder,
            env={**variables, **_DEBOUNCE_VARIABLES},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        raise OSError(errno.ETIMEDOUT, f"no answer in {_PATIENCE} seconds") from None
    except ValueError:
        raise OSError(errno.EINVAL, "it is not a valid revision name") from None


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the first line of error output of the finished Git command."""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ") if lines else f"it ended with {done.returncode}"
