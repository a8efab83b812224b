"""Read the indexes of target folders on demand; keep them current."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from types import MappingProxyType

from exporter.model.errors import OutsideError
from exporter.store.atomic_files import Signature, signature_of
from exporter.store.entries import Output
from exporter.store.folder import Folder
from exporter.store.held_files import refused
from exporter.store.index_marks import Digests, listed_digests
from exporter.store.target_index import (
    INDEX,
    MAXIMUM_BYTES,
    index_row,
    index_text,
    read_index,
)

Lines = Mapping[str, frozenset[str]]
_NOTHING: Lines = MappingProxyType({})


class Indexes:
    """The indexes below a project's folder, by the folder they lie in.

    A file once listed counts as ours for the life of this object: another export may write the
    index between two reads.

    Args:
        folder: The project's folder.
        is_redundant: Returns, by an index's folder and signature, whether it lists only files of
            the manifest, so that it need not be read.
        said: Returns, by folder and path, the contents with which such an index lists a former
            output: a file that a deleted level left there.
    """

    def __init__(
        self,
        folder: Folder,
        is_redundant: Callable[[str, Signature | None], bool] = lambda _home, _signature: False,
        said: Callable[[str, str], Collection[str]] = lambda _home, _path: (),
    ) -> None:
        self.folder = folder
        self.is_redundant = is_redundant
        self.said = said
        self._read: dict[str, tuple[Signature | None, Lines]] = {}
        self._listed: dict[str, set[str]] = {}
        self._by_content: dict[str, tuple[Lines, dict[str, list[str]]]] = {}

    def path(self, home: str) -> str:
        """Return an index's path, relative to the project."""
        return _joined(home, INDEX)

    def signature(self, home: str) -> Signature | None:
        """Return an index's signature now; None for one that is not there."""
        try:
            return signature_of(self.folder.status(self.path(home)))
        except OSError:
            return None

    def lines(self, home: str) -> Lines:
        """Return the listed files, by path; empty if redundant."""
        if self.is_redundant(home, self.signature(home)):
            return _NOTHING
        return self._lines(home)

    def _lines(self, home: str) -> Lines:
        signature = self.signature(home)
        known = self._read.get(home)
        if known is not None and known[0] == signature:
            return known[1]
        data = b""
        with suppress(OSError, OutsideError):
            data, _ = self.folder.read(self.path(home), MAXIMUM_BYTES)
        lines = {_joined(home, path): digests for path, digests in read_index(data).items()}
        for path, digests in lines.items():
            self._listed.setdefault(path, set()).update(digests)
        self._read[home] = (signature, lines)
        return lines

    def paths_with(self, home: str, digest: str) -> list[str]:
        """Return the paths that an index lists with some content, sorted."""
        lines = self.lines(home)
        known = self._by_content.get(home)
        if known is None or known[0] is not lines:
            paths: dict[str, list[str]] = {}
            for path in sorted(lines):
                for content in lines[path]:
                    paths.setdefault(content, []).append(path)
            known = self._by_content[home] = (lines, paths)
        return known[1].get(digest, [])

    def listed(self, home: str, path: str) -> Collection[str]:
        """Return the contents with which a file is, or was, listed."""
        if not home:
            return ()
        self.lines(home)
        return {*self._listed.get(path, ()), *self.said(home, path)}

    def text(
        self, home: str, outputs: Iterable[Output], removed: Collection[str] = ()
    ) -> tuple[bytes, bool]:
        """Return the new text of an index.

        Args:
            home: The index's folder.
            outputs: The files of the manifest.
            removed: Listed files to drop.

        Returns:
            The lines of these files and its present lines of other existing files; and whether
            there are no others.
        """
        lines: dict[str, set[str]] = {}
        for output in outputs:
            if output.home == home:
                lines.setdefault(output.path, set()).update(listed_digests(output))
        alone = True
        for path, digests in self._lines(home).items():
            if path not in lines and path not in removed and self.folder.is_file(path):
                lines[path] = set(digests)
                alone = False
        start = 0 if home == "." else len(home) + 1
        return index_text({path[start:]: digests for path, digests in lines.items()}), alone

    def amended(
        self, home: str, differences: Mapping[str, tuple[Digests, Digests | None]]
    ) -> bytes | None:
        """Return an index's new text, from its present text and changes.

        Args:
            home: The index's folder.
            differences: By path relative to the project: the contents that are listed and those to
                list; see `IndexMarks.differences`.

        Returns:
            None if this is impossible: lines are malformed, a file outside the manifest still
            exists, or the index would be empty.
        """
        if any(now is None and self.folder.is_file(path) for path, (_, now) in differences.items()):
            return None
        start = 0 if home == "." else len(home) + 1
        try:
            data, _ = self.folder.read(self.path(home), MAXIMUM_BYTES)
        except (OSError, OutsideError):
            return None
        rows = data.splitlines(keepends=True)
        for path, (before, after) in differences.items():
            for digest in before - (after or frozenset()):
                row = index_row(path[start:], digest)
                position = bisect_left(rows, row)
                if position == len(rows) or rows[position] != row:
                    return None
                del rows[position]
            for digest in (after or frozenset()) - before:
                insort(rows, index_row(path[start:], digest))
        return b"".join(rows) or None

    def differs(self, home: str, text: bytes) -> bool:
        """Return whether an index must be written to have this text.

        Line endings do not count.
        """
        try:
            data, _ = self.folder.read(self.path(home), MAXIMUM_BYTES)
        except OutsideError:
            if text:
                raise
            return False
        except OSError:
            return bool(text)
        return data.replace(b"\r\n", b"\n") != text

    def write(self, home: str, text: bytes) -> None:
        """Bring an index to disk, or take an empty one away.

        Raises:
            StoreError: It cannot be written.
        """
        path = self.path(home)
        try:
            if text:
                self.folder.write(path, text, durable=False)
            else:
                self.folder.remove(path)
        except FileNotFoundError:
            return  # there is no such folder, so it has no outputs
        except OSError as error:
            raise refused(error, path) from None


def _joined(home: str, path: str) -> str:
    return path if home == "." else f"{home}/{path}"
