"""Track the state of target folders' indexes without reading them.

An index of ten thousand levels has a hundred thousand lines. While its signature is unchanged since
its writing, it matches the entries of that time: so it need not be read, and a saved level replaces
only its own lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from exporter.store.atomic_files import Signature
from exporter.store.entries import Entry, Output

# A file by the folder whose index lists it and its path.
Location = tuple[str, str]
Digests = frozenset[str]


class IndexMarks:
    """Signatures of indexes when they matched the entries, and later changes.

    Attributes:
        signatures: By folder; empty if the state of the indexes is unknown.
        alone: The folders whose indexes list nothing else.
        changed: The entries as the indexes list them, of the specs whose entries changed since;
            None for a spec that had none.
    """

    def __init__(self) -> None:
        self.signatures: dict[str, Signature] = {}
        self.alone: frozenset[str] = frozenset()
        self.changed: dict[str, Entry | None] = {}
        # What the indexes list of the files of these entries.
        self._said: dict[Location, set[str]] = {}

    @property
    def current(self) -> dict[str, Signature]:
        """The signatures if the indexes match the present entries; else empty."""
        return self.signatures if not self.changed else {}

    def mark(self, signatures: dict[str, Signature], alone: Iterable[str]) -> None:
        """Mark the indexes with these signatures as matching the entries."""
        self.signatures = signatures
        self.alone = frozenset(alone)
        self.changed = {}
        self._said = {}

    def change(self, spec: str, previous: Entry | None) -> None:
        """Note that the entry of a spec is another one now."""
        if not self.signatures or spec in self.changed:
            return
        self.changed[spec] = previous
        for output in previous.files if previous is not None else ():
            position = output.home, output.path
            self._said.setdefault(position, set()).update(listed_digests(output))

    def said(self, home: str, path: str) -> Collection[str]:
        """Return the listed contents of a file whose entry changed since."""
        return self._said.get((home, path), ())

    def is_redundant(self, home: str, signature: Signature | None) -> bool:
        """Return whether an index lists only present or past entries."""
        return home in self.alone and self.signatures.get(home, ()) == signature

    def differences(
        self, entries: Mapping[str, Entry], holders: Mapping[str, Collection[str]]
    ) -> dict[Location, tuple[Digests, Digests | None]]:
        """Return the files whose lines in the indexes must change.

        Args:
            entries: All entries.
            holders: Of files that several specs may have: the specs that do.

        Returns:
            The contents they are listed with, and those they are to be listed with; None for a file
            that no entry has any more.
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
    """Return the contents with which a file is to be listed."""
    return {output.written, output.coming} - {""}


def _of_position(entry: Entry, position: Location) -> Iterator[str]:
    for output in entry.files:
        if (output.home, output.path) == position:
            yield from listed_digests(output)
