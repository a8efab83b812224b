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
# Separators on Windows, characters that end or hide text in a terminal, and unpaired surrogates.
_NEVER_IN_PATHS = re.compile(
    "[\\\\:\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)

Lines = Mapping[str, frozenset[str]]
_NOTHING: Lines = MappingProxyType({})
# A file, as the folder whose index lists it, and the file's path.
Location = tuple[str, str]
Digests = frozenset[str]


class Indexes:
    """Reads and writes the index files of one project's target folders.

    An index lists a folder's outputs with their hashes. A file that was listed once counts as an
    output for the life of this object, since another export may rewrite the index between two
    reads.

    Args:
        folder: The project's folder.
        is_redundant: Returns, for an index's folder and signature, whether that index lists only
            files of the manifest and need not be read.
        said: Returns, for an index's folder and a file's path, the hashes that an index which is
            not read lists for the file, if the file's manifest entry changed since the index was
            written.
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
        """Return the signature of the index in folder `home`; None if missing."""
        try:
            return signature_of(self.folder.status(self.path(home)))
        except OSError:
            return None

    def lines(self, home: str) -> Lines:
        """Return the hashes that the index in folder `home` lists, by path.

        Empty if the index lists only files of the manifest: then the manifest is enough.
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
        """Return the sorted paths that the index in `home` lists for `digest`.

        `digest` is the hash of a file's content.
        """
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
        """Return all hashes that the index in `home` has, or had, for `path`.

        Earlier hashes are those that this object has read, and those of manifest entries that
        changed since the index was written.
        """
        if not home:
            return ()
        self.lines(home)
        return {*self._listed.get(path, ()), *self.said(home, path)}

    def text(
        self, home: str, outputs: Iterable[Output], removed: Collection[str] = ()
    ) -> tuple[bytes, bool]:
        """Return the new text of the index in folder `home`.

        The text lists `outputs`, and keeps the present lines of other files that exist.

        Args:
            home: The index's folder.
            outputs: The outputs in the manifest; outputs of other folders are skipped.
            removed: Paths to leave out, though their files exist.

        Returns:
            The text, and whether it lists only files of `outputs`.
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
        """Replace only the lines of changed files in the index of folder `home`.

        `differences` has the present and the new hashes of these files, by path relative to the
        project; None as new hashes unlists a file.

        Returns:
            The new text; None if the whole text must be made, because a present line is missing, a
            file to unlist exists, or the text would be empty.
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

        Line endings are ignored; a missing index equals an empty text.
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
        """Write `text` to the index in folder `home`; if empty, remove the index.

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
    """Remembers how the indexes were when they last matched the manifest.

    Attributes:
        signatures: The signature of each index at that time, by folder; empty if unknown.
        alone: The folders whose indexes listed nothing but files of the manifest.
        changed: The manifest's entry at that time, by spec, for each spec whose entry has changed
            since; None for a new spec.
    """

    def __init__(self) -> None:
        self.signatures: dict[str, Signature] = {}
        self.alone: frozenset[str] = frozenset()
        self.changed: dict[str, ManifestEntry | None] = {}
        # The hashes that the indexes list for the files of the changed entries.
        self._said: dict[Location, set[str]] = {}

    @property
    def current(self) -> dict[str, Signature]:
        """`signatures` if no entry has changed since, else empty."""
        return self.signatures if not self.changed else {}

    def mark(self, signatures: dict[str, Signature], alone: Iterable[str]) -> None:
        """Record that the indexes match the manifest's entries now.

        `signatures` are those of the indexes, by folder; `alone` are the folders whose indexes list
        only files of the manifest.
        """
        self.signatures = signatures
        self.alone = frozenset(alone)
        self.changed = {}
        self._said = {}

    def change(self, spec: str, previous: ManifestEntry | None) -> None:
        """Record that the manifest's entry of `spec` changed; it was `previous`."""
        if not self.signatures or spec in self.changed:
            return
        self.changed[spec] = previous
        for output in previous.files if previous is not None else ():
            position = output.home, output.path
            self._said.setdefault(position, set()).update(listed_digests(output))

    def said(self, home: str, path: str) -> Collection[str]:
        """Return the hashes that the index in `home` lists for `path`.

        Empty unless the file's manifest entry changed since the index was written.
        """
        return self._said.get((home, path), ())

    def is_redundant(self, home: str, signature: Signature | None) -> bool:
        """Return whether the index in `home` lists only files of the manifest.

        `signature` is the index's present one; if another one was recorded, the result is False.
        """
        return home in self.alone and self.signatures.get(home, ()) == signature

    def differences(
        self, entries: Mapping[str, ManifestEntry], holders: Mapping[str, Collection[str]]
    ) -> dict[Location, tuple[Digests, Digests | None]]:
        """Return the files whose lines in the indexes must change.

        Args:
            entries: The manifest's entries, by spec.
            holders: The specs that have each output that specs share, by path.

        Returns:
            The present and the new hashes of each file, by index folder and path; None as new
            hashes if no entry has the file any more.
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
    """Return the hashes that an index must list for `output`.

    These are of the content that was written last, and of the content being written.
    """
    return {output.written, output.coming} - {""}


def _of_position(entry: ManifestEntry, position: Location) -> Iterator[str]:
    for output in entry.files:
        if (output.home, output.path) == position:
            yield from listed_digests(output)


def read_index(data: bytes) -> dict[str, frozenset[str]]:
    """Parse an index, a list of outputs; return their hashes by path.

    Paths are relative to the index's folder. Malformed lines, and lines with paths outside the
    folder, are skipped.
    """
    result: dict[str, set[str]] = {}
    for line in data.decode("utf-8", "replace").split("\n"):
        match = _LINE.fullmatch(line.removesuffix("\r"))
        if match is not None and is_inside(match[2]):
            result.setdefault(match[2], set()).add(match[1])
    return {path: frozenset(digests) for path, digests in result.items()}


def index_text(lines: Mapping[str, Iterable[str]]) -> bytes:
    """Format the text of an index from `lines`, the hashes by path."""
    rows = [f"{digest}  {path}\n" for path, digests in lines.items() for digest in digests]
    return "".join(sorted(rows)).encode()


def index_row(path: str, digest: str) -> bytes:
    """Format the line of an index that lists `path` with the hash `digest`."""
    return f"{digest}  {path}\n".encode()


def is_inside(path: str) -> bool:
    """Return whether the relative `path` cannot lead out of its folder."""
    if _NEVER_IN_PATHS.search(path):
        return False
    return not _PARTS_THAT_LEAD_OUT.intersection(path.split("/"))


def is_digest(text: object) -> bool:
    """Return whether `text` is a SHA-256 in lower-case hexadecimal digits."""
    return isinstance(text, str) and _DIGEST.fullmatch(text) is not None


def trusted_hints(entry: ManifestEntry) -> list[ManifestEntry]:
    """Return what may be trusted of `entry`, from a manifest without a seal.

    Returns:
        A list of one entry that has only the paths and hashes of its outputs; empty if the name of
        the spec or of the level is malformed.
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
    """Return the folder whose index lists `output`, if it is in `homes`.

    None if it is not, or if the output's path is outside that folder.
    """
    home = output.home
    start = "" if home == "." else f"{home}/"
    is_in_it = output.path.startswith(start) and is_inside(output.path[len(start) :])
    return home if home in homes and is_in_it else None
