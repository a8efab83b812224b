"""Compare the files that two levels export: kinds, sizes and contents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from exporter.explore.comparison.differences import ChangeKind
from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file that a target would write.

    Attributes:
        path: The file, relative to the project.
        kind: The kind of file: `bitmap`, `tilemap`, ...
        layer: The layer it holds; None for a file of the whole level.
        target: The target's name in exporter.yaml.
        size: Its size in bytes.
        sha256: The SHA-256 of its content.
    """

    path: str
    kind: str
    layer: str | None
    target: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class OutputChange:
    """A file that differs; `was` or `now` is None if a level lacks it."""

    was: OutputFile | None
    now: OutputFile | None

    @property
    def kind(self) -> ChangeKind:
        """Whether the file was `added`, `removed` or `changed`."""
        return "added" if self.was is None else "removed" if self.now is None else "changed"

    @property
    def output(self) -> OutputFile:
        """The file of the second level, or of the first if only that has it."""
        result = self.now or self.was
        assert result is not None
        return result


@dataclass(frozen=True, slots=True)
class OutputDifference:
    """The differences between the files that two levels export.

    Attributes:
        was: The number of the first level's files, and the sum of their bytes.
        now: The number of the second level's files, and the sum of their bytes.
        changed: The files that differ, in the order of their paths.
        same: How many files have equal bytes.
    """

    was: tuple[int, int]
    now: tuple[int, int]
    changed: tuple[OutputChange, ...]
    same: int

    @property
    def kinds(self) -> Mapping[str, int]:
        """How many files of each kind differ, the most frequent kind first."""
        counts = Counter(entry.output.kind for entry in self.changed)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of the layers that have a differing file, sorted."""
        return tuple(sorted({item.output.layer for item in self.changed if item.output.layer}))


def compare_outputs(was: Iterable[OutputFile], now: Iterable[OutputFile]) -> OutputDifference:
    """Match the files of two levels by their paths; return the differences."""
    before = {item.path: item for item in was}
    after = {item.path: item for item in now}
    changed = tuple(
        OutputChange(before.get(path), after.get(path))
        for path in sorted(before.keys() | after.keys())
        if _content(before.get(path)) != _content(after.get(path))
    )
    same = len(before.keys() | after.keys()) - len(changed)
    return OutputDifference(_total(before), _total(after), changed, same)


def outputs_document(result: OutputDifference) -> dict[str, Any]:
    """Return the differences of exported files as JSON data."""
    return {
        "was": dict(zip(("files", "bytes"), result.was, strict=True)),
        "now": dict(zip(("files", "bytes"), result.now, strict=True)),
        "same": result.same,
        "kinds": dict(result.kinds),
        "layers": list(result.layers),
        "changed": [
            {
                "path": item.output.path,
                "kind": item.output.kind,
                "layer": item.output.layer,
                "target": item.output.target,
                "change": item.kind,
                "was": None if item.was is None else item.was.size,
                "now": None if item.now is None else item.now.size,
            }
            for item in result.changed
        ],
    }


def _content(output: OutputFile | None) -> str | None:
    return None if output is None else output.sha256


def _total(outputs: Mapping[str, OutputFile]) -> tuple[int, int]:
    return len(outputs), sum(output.size for output in outputs.values())
