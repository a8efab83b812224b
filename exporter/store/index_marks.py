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
Place = tuple[str, str]
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
        self._said: dict[Place, set[str]] = {}

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

    def change(self, spec: str, former: Entry | None) -> None:
        """Note that the entry of a spec is another one now."""
        if not self.signatures or spec in self.changed:
            return
        self.changed[spec] = former
        for output in former.files if former is not None else ():
            place = output.home, output.path
            self._said.setdefault(place, set()).update(listed_digests(output))

    def said(self, home: str, path: str) -> Collection[str]:
        """Return the listed contents of a file whose entry changed since."""
        return self._said.get((home, path), ())

    def is_redundant(self, home: str, signature: Signature | None) -> bool:
        """Return whether an index with this signature lists only present or past entries."""
        return home in self.alone and self.signatures.get(home, ()) == signature

    def differences(
        self, entries: Mapping[str, Entry], holders: Mapping[str, Collection[str]]
    ) -> dict[Place, tuple[Digests, Digests | None]]:
        """Return the files whose lines in the indexes must change.

        Args:
            entries: All entries.
            holders: Of files that several specs may have: the specs that do.

        Returns:
            The contents they are listed with, and those they are to be listed with; None for a file
            that no entry has any more.
        """
        before: dict[Place, set[str]] = {}
        after: dict[Place, set[str]] = {}
        for spec, former in self.changed.items():
            for entry, rows in ((former, before), (entries.get(spec), after)):
                for output in entry.files if entry is not None else ():
                    rows.setdefault((output.home, output.path), set()).update(
                        listed_digests(output)
                    )
        places = [one for one in before.keys() | after.keys() if before.get(one) != after.get(one)]
        for place in places:
            for spec in holders.get(place[1], ()):
                if spec not in self.changed:
                    known = set(_of_place(entries[spec], place))
                    before[place] = before.get(place, set()) | known
                    after[place] = after.get(place, set()) | known
        return {
            place: (
                frozenset(before.get(place, ())),
                frozenset(after[place]) if place in after else None,
            )
            for place in places
            if place[0] and before.get(place) != after.get(place)
        }


def listed_digests(output: Output) -> set[str]:
    """Return the contents with which a file is to be listed."""
    return {output.written, output.coming} - {""}


def _of_place(entry: Entry, place: Place) -> Iterator[str]:
    for output in entry.files:
        if (output.home, output.path) == place:
            yield from listed_digests(output)
