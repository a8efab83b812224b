"""Read and update the index files of target folders.

An index lists the output files of its folder with their hashes. It is put under version control
with the outputs, so that in a clone, without the state folder, the exporter knows which files it
may replace. A line has the SHA-256 and the path, as `sha256sum` writes them. Lines are sorted by
hash, so that changes in two branches seldom touch adjacent lines. Malformed lines are skipped:
after a merge with conflicts the lines of both sides count, until the next export writes the index
again.

An index of ten thousand levels has a hundred thousand lines. While its signature is unchanged, it
matches the manifest's entries at the time of writing, so it need not be read, and a saved level
replaces only its own lines.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType

from exporter.model.errors import OutsideError
from exporter.store.atomic_files import Signature, signature_of
from exporter.store.entries import ManifestEntry, Output
from exporter.store.folder import Folder
from exporter.store.held_files import refused

INDEX = ".level-exporter-index"
MAXIMUM_BYTES = 64 << 20
_DIGEST = re.compile(r"[0-9a-f]{64}")
_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")
_PARTS_THAT_LEAD_OUT = frozenset(("", ".", ".."))
# What separates on Windows, what ends or hides text in a terminal, and what cannot be encoded.
_NEVER_IN_PATHS = re.compile(
    "[\\\\:\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)

Lines = Mapping[str, frozenset[str]]
_NOTHING: Lines = MappingProxyType({})
# A file by the folder whose index lists it and its path.
Location = tuple[str, str]
Digests = frozenset[str]


class Indexes:
    """The indexes of a project, by the folder they are in.

    A file that was listed once counts as an output for the life of this object, since another
    export may write the index between two reads.

    Args:
        folder: The project's folder.
        is_redundant: Returns, for an index's folder and signature, whether it lists only files of
            the manifest and need not be read.
        said: Returns, for a folder and path, the hashes with which such an index lists a file that
            a deleted level left.
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
        """Return the path of the index in folder `home`."""
        return _joined(home, INDEX)

    def signature(self, home: str) -> Signature | None:
        """Return the present signature of the index in `home`; None if missing."""
        try:
            return signature_of(self.folder.status(self.path(home)))
        except OSError:
            return None

    def lines(self, home: str) -> Lines:
        """Return the hashes that the index in `home` lists, by path.

        Empty if the manifest has them all, since the index then need not be read.
        """
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
        """Return the sorted paths that the index in `home` lists with `digest`."""
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
        """Return the hashes with which the index in `home` lists or listed `path`."""
        if not home:
            return ()
        self.lines(home)
        return {*self._listed.get(path, ()), *self.said(home, path)}

    def text(
        self, home: str, outputs: Iterable[Output], removed: Collection[str] = ()
    ) -> tuple[bytes, bool]:
        """Return the text to write to the index in folder `home`.

        Args:
            home: The index's folder.
            outputs: The files of the manifest.
            removed: Listed files to leave out.

        Returns:
            The text, with lines of these files and the present lines of other existing files; and
            whether there are no other files.
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
        """Return the new text of the index in `home`, by editing the present one.

        Args:
            home: The index's folder.
            differences: By path relative to the project, the present and the new hashes; see
                `IndexMarks.differences`.

        Returns:
            The text; None if lines are malformed, a listed file that the manifest lacks still
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
        """Return whether the index in `home` differs from `text`.

        Line endings are ignored.
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
        """Write `text` to the index in `home`; remove the index if it is empty.

        Raises:
            StoreError: The index cannot be written.
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


class IndexMarks:
    """Signatures of indexes that matched the manifest, and changes since.

    Attributes:
        signatures: The signatures by folder; empty if the state of the indexes is unknown.
        alone: The folders whose indexes list only files of the manifest.
        changed: For each spec changed since, the entry that the indexes list; None if the spec had
            none.
    """

    def __init__(self) -> None:
        self.signatures: dict[str, Signature] = {}
        self.alone: frozenset[str] = frozenset()
        self.changed: dict[str, ManifestEntry | None] = {}
        # What the indexes list of the files of these entries.
        self._said: dict[Location, set[str]] = {}

    @property
    def current(self) -> dict[str, Signature]:
        """The signatures if the indexes match the present entries; else empty."""
        return self.signatures if not self.changed else {}

    def mark(self, signatures: dict[str, Signature], alone: Iterable[str]) -> None:
        """Record that the indexes match the entries now.

        The arguments are as the attributes.
        """
        self.signatures = signatures
        self.alone = frozenset(alone)
        self.changed = {}
        self._said = {}

    def change(self, spec: str, previous: ManifestEntry | None) -> None:
        """Record that the entry of `spec` has changed from `previous`."""
        if not self.signatures or spec in self.changed:
            return
        self.changed[spec] = previous
        for output in previous.files if previous is not None else ():
            position = output.home, output.path
            self._said.setdefault(position, set()).update(listed_digests(output))

    def said(self, home: str, path: str) -> Collection[str]:
        """Return the hashes with which `path` was listed before its entry changed.

        `home` is the folder of the index. Empty for files of unchanged entries.
        """
        return self._said.get((home, path), ())

    def is_redundant(self, home: str, signature: Signature | None) -> bool:
        """Return whether the index in `home` lists only files of entries.

        It does if it had this `signature` when that was recorded.
        """
        return home in self.alone and self.signatures.get(home, ()) == signature

    def differences(
        self, entries: Mapping[str, ManifestEntry], holders: Mapping[str, Collection[str]]
    ) -> dict[Location, tuple[Digests, Digests | None]]:
        """Return the files whose lines in the indexes must change.

        Args:
            entries: All entries.
            holders: For files that several specs may share, the specs that do.

        Returns:
            The present and the new hashes of each file; None for a file that no entry has any more.
        """
        before: dict[Location, set[str]] = {}
        after: dict[Location, set[str]] = {}
        for spec, previous in self.changed.items():
            for entry, rows in ((previous, before), (entries.get(spec), after)):
                for output in entry.files if entry is not None else ():
                    rows.setdefault((output.home, output.path), set()).update(
                        listed_digests(output)
                    )
        places = [
            item for item in before.keys() | after.keys() if before.get(item) != after.get(item)
        ]
        for position in places:
            for spec in holders.get(position[1], ()):
                if spec not in self.changed:
                    known = set(_of_position(entries[spec], position))
                    before[position] = before.get(position, set()) | known
                    after[position] = after.get(position, set()) | known
        return {
            position: (
                frozenset(before.get(position, ())),
                frozenset(after[position]) if position in after else None,
            )
            for position in places
            if position[0] and before.get(position) != after.get(position)
        }


def listed_digests(output: Output) -> set[str]:
    """Return the hashes with which an index must list `output`."""
    return {output.written, output.coming} - {""}


def _of_position(entry: ManifestEntry, position: Location) -> Iterator[str]:
    for output in entry.files:
        if (output.home, output.path) == position:
            yield from listed_digests(output)


def read_index(data: bytes) -> dict[str, frozenset[str]]:
    """Parse the text of an index; return the hashes of each path.

    Paths are relative to the index's folder. Lines with paths outside the folder are skipped.
    """
    result: dict[str, set[str]] = {}
    for line in data.decode("utf-8", "replace").split("\n"):
        match = _LINE.fullmatch(line.removesuffix("\r"))
        if match is not None and is_inside(match[2]):
            result.setdefault(match[2], set()).add(match[1])
    return {path: frozenset(digests) for path, digests in result.items()}


def index_text(lines: Mapping[str, Iterable[str]]) -> bytes:
    """Format an index with these `lines`: the hashes of each path."""
    rows = [f"{digest}  {path}\n" for path, digests in lines.items() for digest in digests]
    return "".join(sorted(rows)).encode()


def index_row(path: str, digest: str) -> bytes:
    """Format the line of an index for `path` and its hash."""
    return f"{digest}  {path}\n".encode()


def is_inside(path: str) -> bool:
    """Return whether the relative `path` stays inside its folder."""
    if _NEVER_IN_PATHS.search(path):
        return False
    return not _PARTS_THAT_LEAD_OUT.intersection(path.split("/"))


def is_digest(text: object) -> bool:
    """Return whether `text` is a SHA-256 in the form that an index has."""
    return isinstance(text, str) and _DIGEST.fullmatch(text) is not None


def trusted_hints(entry: ManifestEntry) -> list[ManifestEntry]:
    """Return what may be trusted of an entry from an unsealed manifest.

    Returns:
        A list of one entry with only the paths and hashes of its outputs; empty if the entry is
        malformed.
    """
    names = (entry.spec, entry.level)
    if not all(isinstance(name, str) and (not name or is_inside(name)) for name in names):
        return []
    outputs = []
    for output in entry.files:
        path, home = output.path, output.home
        written, coming = (
            digest if is_digest(digest) else "" for digest in (output.written, output.coming)
        )
        if isinstance(path, str) and isinstance(home, str) and (written or coming):
            once = output.once is True
            outputs.append(Output(path, "", None, "", 0, written, once, written, coming, home=home))
    return [ManifestEntry(entry.spec, entry.level, outputs=tuple(outputs))]


def home_of(output: Output, homes: Collection[str]) -> str | None:
    """Return the folder among `homes` whose index lists `output`, or None."""
    home = output.home
    start = "" if home == "." else f"{home}/"
    is_in_it = output.path.startswith(start) and is_inside(output.path[len(start) :])
    return home if home in homes and is_in_it else None
