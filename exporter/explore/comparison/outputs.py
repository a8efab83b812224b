"""Compare the exported files of two levels: kinds, sizes and contents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from exporter.explore.comparison.differences import ChangeKind
from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Output:
    """A file that a target would write.

    Attributes:
        path: The file, relative to the project.
        kind: Its kind: `bitmap`, `tilemap`, ...
        layer: The layer it holds; None for a file of the whole level.
        target: The target.
        size: Its bytes.
        sha256: Their hash.
    """

    path: str
    kind: str
    layer: str | None
    target: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class OutputChange:
    """A differing file; `was` is None if it is added, `now` if it is removed."""

    was: Output | None
    now: Output | None

    @property
    def kind(self) -> ChangeKind:
        """Whether only one level has it."""
        return "added" if self.was is None else "removed" if self.now is None else "changed"

    @property
    def output(self) -> Output:
        """The present file if it exists, otherwise the former one."""
        found = self.now or self.was
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class OutputDifference:
    """What differs between the exported files of two levels.

    Attributes:
        was: How many files the first level has, and their bytes.
        now: The same of the second.
        changed: The files that differ, in the order of their paths.
        same: How many files are the same, byte for byte.
    """

    was: tuple[int, int]
    now: tuple[int, int]
    changed: tuple[OutputChange, ...]
    same: int

    @property
    def kinds(self) -> Mapping[str, int]:
        """How many files differ of each kind, the most frequent kind first."""
        counts = Counter(one.output.kind for one in self.changed)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers of which a file differs, sorted."""
        return tuple(sorted({one.output.layer for one in self.changed if one.output.layer}))


def compare_outputs(was: Iterable[Output], now: Iterable[Output]) -> OutputDifference:
    """Return which files of two levels differ; those of one path are compared."""
    before = {one.path: one for one in was}
    after = {one.path: one for one in now}
    changed = tuple(
        OutputChange(before.get(path), after.get(path))
        for path in sorted(before.keys() | after.keys())
        if _content(before.get(path)) != _content(after.get(path))
    )
    same = len(before.keys() | after.keys()) - len(changed)
    return OutputDifference(_total(before), _total(after), changed, same)


def outputs_document(found: OutputDifference) -> dict[str, Any]:
    """Return what differs as a JSON-able document; `compare.md` describes it."""
    return {
        "was": dict(zip(("files", "bytes"), found.was, strict=True)),
        "now": dict(zip(("files", "bytes"), found.now, strict=True)),
        "same": found.same,
        "kinds": dict(found.kinds),
        "layers": list(found.layers),
        "changed": [
            {
                "path": one.output.path,
                "kind": one.output.kind,
                "layer": one.output.layer,
                "target": one.output.target,
                "change": one.kind,
                "was": None if one.was is None else one.was.size,
                "now": None if one.now is None else one.now.size,
            }
            for one in found.changed
        ],
    }


def _content(output: Output | None) -> str | None:
    return None if output is None else output.sha256


def _total(outputs: Mapping[str, Output]) -> tuple[int, int]:
    return len(outputs), sum(one.size for one in outputs.values())
