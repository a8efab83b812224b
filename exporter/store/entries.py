"""Define the manifest's entries for specs and files, and their JSON form.

The manifest records which files the exporter wrote. Each chunk of a world has its own entry, so
each is committed completely or not at all, and finished chunks stay if an export is interrupted.
The key of a chunk's entry cannot be mistaken for a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

from exporter.model.lazy_dataclass import dataclass
from exporter.store.atomic_files import Signature

# A recorded warning: text, line, column, and a file or nothing.
StoredWarning = tuple[str, int, int, str]
# The beginning of the name of a file that several specs may have.
SHARED_MARK = "_"
# Separates the spec from column and row in the key of a chunk's entry.
_SEPARATOR = "\n"


@dataclass(frozen=True, slots=True)
class Output:
    """The record of a file that the exporter wrote or will write.

    Attributes:
        path: The path relative to the project, with `/`.
        kind: The purpose of the file, as the target names it.
        layer: The layer that the file was made from; empty if none.
        target: The target's name.
        bytes: The size of the intended content.
        sha256: The hash of the intended content.
        once: Whether the file is a sidecar: a settings file that the engine completes.
        written: The hash of the content that the exporter last wrote, or found to equal its own;
            empty if never. Any other content is the user's.
        coming: The hash of the content being written; empty if none.
        signature: The file's signature when it last had the content `written`. If it is equal now,
            the content need not be hashed again.
        home: The folder whose index lists the file, relative to the project; empty if none.
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
        """Return the record as JSON data for the export report."""
        return {
            "path": self.path,
            "kind": self.kind,
            "layer": self.layer,
            "target": self.target,
            "bytes": self.bytes,
            "sha256": self.sha256,
        }


def is_shared(path: str) -> bool:
    """Return whether several specs may share the output file `path`.

    A tileset is shared, for example. The name of a shared file contains a hash of its content and
    begins with an underscore, unlike any level's name.
    """
    return path.rpartition("/")[2].startswith(SHARED_MARK)


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """The manifest entry of one spec.

    Attributes:
        spec: The spec's path, relative to the project.
        level: The level's name.
        key: A hash of everything that the outputs depend on; empty while they are incomplete or
            outdated.
        inputs: The hashes of the files that the build read, by path.
        outputs: The output files in the order of writing.
        layers: The facts about each layer for the export report, by name of the layer.
        warnings: The warnings of the build: text, line, column, and file relative to the project's
            folder (empty for the spec).
        objects: How many objects of each name were requested and how many placed.
        digest: The hash of the spec's bytes.
        folder: The inode number of the spec's folder; 0 if unknown.
        stale: Existing outputs of earlier exports that the level no longer has.
        identities: The ids by which engines know outputs, where these are not the default ids, by
            default id: a renamed file keeps its old id.
        seed: The seed that a search found; None without a search.
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
        """All recorded files: `outputs`, then `stale`."""
        return self.outputs + self.stale


@dataclass(frozen=True, slots=True)
class ProjectMark:
    """What the manifest remembers of exporter.yaml, so it need not be parsed.

    Attributes:
        sha256: A hash of exporter.yaml and of the exporter's version.
        patterns: The glob patterns of level specs.
        fingerprint: A hash of the settings that all outputs depend on.
        homes: The folders that have an index (a list of their outputs), relative to the project.
        identity: The hash of the code that parsed exporter.yaml.
    """

    sha256: str
    patterns: tuple[str, ...]
    fingerprint: str
    homes: tuple[str, ...] = ()
    identity: str = ""


def entry_document(entry: ManifestEntry) -> dict[str, Any]:
    """Convert `entry` to a dictionary for the manifest's JSON."""
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
        # The two hashes are nearly always equal: then only one is stored.
        True if output.written == output.sha256 else output.written,
        output.coming,
        output.signature,
        output.home,
    ]


def _warning_of(row: Sequence[Any]) -> StoredWarning:
    text, line, column, file = row
    return str(text), int(line), int(column), str(file)


def entry_of(data: dict[str, Any]) -> ManifestEntry:
    """Convert a dictionary that `entry_document` returned back to an entry."""
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
    """Convert the JSON data of a `ProjectMark`; None if `data` is None."""
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
    """Return the manifest key of the chunk at `column` and `row` of a world.

    `spec` is the path of the world's spec; columns and rows count from 0.
    """
    return f"{spec}{_SEPARATOR}{column}_{row}"


def position_of(key: str) -> tuple[int, int]:
    """Return the (column, row) of the chunk with `key`; (-1, -1) if malformed.

    `key` is a result of `part_key`.
    """
    column, _, row = key.partition(_SEPARATOR)[2].partition("_")
    return (int(column), int(row)) if column.isdecimal() and row.isdecimal() else (-1, -1)


def is_part(key: str) -> bool:
    """Return whether the manifest key `key` is of a chunk; else of a spec."""
    return _SEPARATOR in key


def spec_of(key: str) -> str:
    """Return the path of the spec that the manifest key `key` belongs to.

    A spec's key is its path; the key of a chunk contains the path of the world's spec.
    """
    return key.partition(_SEPARATOR)[0]


def parts_by_spec(keys: Iterable[str]) -> dict[str, list[str]]:
    """Group the manifest keys of chunks by the spec of their world.

    Other keys, which are paths of specs, are skipped. The keys of a world are ordered row by row.
    """
    result: dict[str, list[str]] = {}
    for key in keys:
        if is_part(key):
            result.setdefault(spec_of(key), []).append(key)
    for parts in result.values():
        parts.sort(key=lambda key: position_of(key)[::-1])
    return result
