"""Manifest entries of specs and of their files, and their form in JSON.

A part of a world has an entry, too, so it is committed like a level, completely or not at all, and
finished parts stay. The key of such an entry cannot be a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

from exporter.model.lazy_dataclass import dataclass
from exporter.store.atomic_files import Signature

# A recorded warning: text, line, column, and a file or nothing.
StoredWarning = tuple[str, int, int, str]
# How names of files begin that several specs may have.
SHARED_MARK = "_"
# Separates the spec and the place in the key of a part's entry.
_SEPARATOR = "\n"


@dataclass(frozen=True, slots=True)
class Output:
    """A file that the exporter wrote or will write.

    Attributes:
        path: Relative to the project, with `/`.
        kind: Its purpose.
        layer: The layer it was made from, if any.
        target: The target's name.
        bytes: Size of its intended content.
        sha256: Hash of its intended content.
        once: Whether it is a sidecar, which the engine completes.
        written: Hash of the content we last wrote, or found equal to ours; empty if there never was
            one. Any other content is the user's.
        coming: Hash of the content being written; empty if none.
        signature: The file's signature when it last had the content `written`: an equal signature
            saves hashing the content again.
        home: The folder whose index lists it, relative to the project; empty for none.
    """

    path: str
    kind: str
    layer: str | None
    target: str
    bytes: int
    sha256: str
    once: bool = False
    written: str = ""
    coming: str = ""
    signature: Signature | None = None
    home: str = ""

    def report(self) -> dict[str, Any]:
        """Return the file's entry in the export report."""
        return {
            "path": self.path,
            "kind": self.kind,
            "layer": self.layer,
            "target": self.target,
            "bytes": self.bytes,
            "sha256": self.sha256,
        }


def is_shared(path: str) -> bool:
    """Return whether several specs may share a file.

    Its name then identifies its content.

    Its name begins with an underscore, unlike the name of any level.
    """
    return path.rpartition("/")[2].startswith(SHARED_MARK)


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """The manifest entry of one spec.

    Attributes:
        spec: Path relative to the project.
        level: The level's name.
        key: Hash of all inputs: see `exporter.export.tasks.level_key`; empty while the outputs
            match no known key.
        inputs: Files that the spec read, by path, with their hashes.
        outputs: In the order of writing.
        layers: The export report of the layers.
        warnings: Warnings of the build: text, line, column, and the file relative to the project's
            folder; empty for the spec.
        objects: How many objects of each name were requested and placed.
        digest: Hash of the spec's bytes.
        folder: The inode of the spec's folder; 0 for unknown.
        stale: Existing former outputs that the level no longer has.
        identities: Numbers by which engines know outputs, where they differ from the default: a
            renamed file keeps its number.
        seed: The seed that was searched for, if the spec says so.
    """

    spec: str
    level: str
    key: str = ""
    inputs: dict[str, str] = field(default_factory=dict)
    outputs: tuple[Output, ...] = ()
    layers: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[StoredWarning, ...] = ()
    digest: str = ""
    folder: int = 0
    stale: tuple[Output, ...] = ()
    identities: dict[str, str] = field(default_factory=dict)
    objects: dict[str, dict[str, int]] = field(default_factory=dict)
    seed: int | None = None

    @property
    def files(self) -> tuple[Output, ...]:
        """All recorded files: the outputs and the stale ones."""
        return self.outputs + self.stale


@dataclass(frozen=True, slots=True)
class ProjectMark:
    """The record of an exporter.yaml that saves parsing an unchanged one.

    Attributes:
        sha256: Hash of the file and of the exporter's version.
        patterns: Globs of level specs.
        fingerprint: See `exporter.project.project.Project`.
        homes: The folders that have an index, relative to the project.
        identity: The identity of the code that read it.
    """

    sha256: str
    patterns: tuple[str, ...]
    fingerprint: str
    homes: tuple[str, ...] = ()
    identity: str = ""


def entry_document(entry: ManifestEntry) -> dict[str, Any]:
    """Return an entry as the manifest's JSON has it."""
    return {
        "spec": entry.spec,
        "level": entry.level,
        "key": entry.key,
        "digest": entry.digest,
        "folder": entry.folder,
        "inputs": entry.inputs,
        "outputs": [_row(output) for output in entry.outputs],
        "stale": [_row(output) for output in entry.stale],
        "identities": entry.identities,
        "layers": entry.layers,
        "warnings": entry.warnings,
        "objects": entry.objects,
        **({"seed": entry.seed} if entry.seed is not None else {}),
    }


def _row(output: Output) -> list[Any]:
    return [
        output.path,
        output.kind,
        output.layer,
        output.target,
        output.bytes,
        output.sha256,
        output.once,
        # Nearly always equal, so it is left out.
        True if output.written == output.sha256 else output.written,
        output.coming,
        output.signature,
        output.home,
    ]


def _warning_of(row: Sequence[Any]) -> StoredWarning:
    text, line, column, file = row
    return str(text), int(line), int(column), str(file)


def entry_of(data: dict[str, Any]) -> ManifestEntry:
    """Return the entry of a document of `entry_document`."""
    return ManifestEntry(
        data["spec"],
        data["level"],
        data["key"],
        data["inputs"],
        tuple(map(_output_of, data["outputs"])),
        data["layers"],
        tuple(map(_warning_of, data["warnings"])),
        data["digest"],
        data["folder"],
        tuple(map(_output_of, data["stale"])),
        data["identities"],
        data["objects"],
        data.get("seed"),
    )


def _output_of(row: list[Any]) -> Output:
    path, kind, layer, target, size, digest, once, written, coming, mark, home = row
    written = digest if written is True else written
    return Output(
        path, kind, layer, target, size, digest, once, written, coming, _signature(mark), home
    )


def _signature(mark: list[int] | None) -> Signature | None:
    return (mark[0], mark[1], mark[2]) if mark else None


def mark_of(data: dict[str, Any] | None) -> ProjectMark | None:
    """Return the mark of a project from the manifest's JSON."""
    if data is None:
        return None
    return ProjectMark(
        data["sha256"],
        tuple(data["patterns"]),
        data["fingerprint"],
        tuple(data["homes"]),
        data["identity"],
    )


def part_key(spec: str, column: int, row: int) -> str:
    """Return the key of a part's entry.

    Args:
        spec: The path of the world's spec.
        column: The part's place from the left.
        row: Its place from the top.
    """
    return f"{spec}{_SEPARATOR}{column}_{row}"


def position_of(key: str) -> tuple[int, int]:
    """Return a part's column and row; (-1, -1) for a damaged entry."""
    column, _, row = key.partition(_SEPARATOR)[2].partition("_")
    return (int(column), int(row)) if column.isdecimal() and row.isdecimal() else (-1, -1)


def is_part(key: str) -> bool:
    """Whether an entry is that of a part of a world."""
    return _SEPARATOR in key


def spec_of(key: str) -> str:
    """Return the path of the spec that an entry is about."""
    return key.partition(_SEPARATOR)[0]


def parts_by_spec(keys: Iterable[str]) -> dict[str, list[str]]:
    """Return the keys of parts, row by row, by the specs of their worlds."""
    result: dict[str, list[str]] = {}
    for key in keys:
        if is_part(key):
            result.setdefault(spec_of(key), []).append(key)
    for parts in result.values():
        parts.sort(key=lambda key: position_of(key)[::-1])
    return result
