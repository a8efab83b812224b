"""What is remembered of specs and of their files: the values of which the manifest consists."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from exporter.model.lazy_dataclass import dataclass
from exporter.store.atomic_files import Signature

# A warning that is told again: text, line, column, and a file or nothing.
KeptWarning = tuple[str, int, int, str]
# How names of files begin that several specs may have.
SHARED_MARK = "_"


@dataclass(frozen=True, slots=True)
class Output:
    """A file the exporter wrote, or is to write.

    Attributes:
        path: Relative to the project, with `/`.
        kind: What it is for.
        layer: The layer it was made from, if one.
        target: The target's name.
        bytes: Size of the content it is to have.
        sha256: Hash of the content it is to have.
        once: Whether it is a sidecar, which the engine completes.
        written: Hash of the content we last gave it, or found there and would have given it;
            empty when there never was one. Whatever else it holds is the user's.
        coming: Hash of the content that is being written; empty when none is.
        signature: The file's signature when it last had the content `written`: while it is the
            same the content need not be hashed again.
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
        """Return what the export report says of the file."""
        return {
            "path": self.path,
            "kind": self.kind,
            "layer": self.layer,
            "target": self.target,
            "bytes": self.bytes,
            "sha256": self.sha256,
        }


def is_shared(path: str) -> bool:
    """Whether several specs may have a file, because its name stands for its content.

    Its name begins with an underscore, as that of no level does.
    """
    return path.rpartition("/")[2].startswith(SHARED_MARK)


@dataclass(frozen=True, slots=True)
class Entry:
    """What the manifest remembers of one spec.

    Attributes:
        spec: Path relative to the project.
        level: The level's name.
        key: Hash of all that went in: see `exporter.export.tasks.level_key`; empty while the
            outputs are not known to be those of any key.
        inputs: Files the spec had read, by path, with their hashes.
        outputs: In the order of writing.
        layers: What the export report says of the layers.
        warnings: What the build warned of: text, line, column, and the file relative to the
            project's folder; empty for the spec.
        objects: How many objects of each name were asked for and placed.
        digest: Hash of the spec's bytes.
        folder: What the system calls the spec's folder (its inode); 0 for unknown.
        stale: Files that were outputs and are still there, though the level has them no more.
        identities: Numbers by which engines know outputs, where they are not those the outputs
            would get: a file that was renamed keeps its own.
        seed: The seed that was searched for, if the spec says so.
    """

    spec: str
    level: str
    key: str = ""
    inputs: dict[str, str] = field(default_factory=dict)
    outputs: tuple[Output, ...] = ()
    layers: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[KeptWarning, ...] = ()
    digest: str = ""
    folder: int = 0
    stale: tuple[Output, ...] = ()
    identities: dict[str, str] = field(default_factory=dict)
    objects: dict[str, dict[str, int]] = field(default_factory=dict)
    seed: int | None = None

    @property
    def files(self) -> tuple[Output, ...]:
        """All files that are remembered: the outputs and the stale ones."""
        return self.outputs + self.stale


@dataclass(frozen=True, slots=True)
class ProjectMark:
    """What is remembered of an exporter.yaml, so that an unchanged one need not be parsed.

    Attributes:
        sha256: Hash of the file and of the exporter's version.
        patterns: Globs of level specs.
        fingerprint: See `exporter.project.project.Project`.
        homes: The folders that have an index, relative to the project.
        identity: What stands for the code that read it.
    """

    sha256: str
    patterns: tuple[str, ...]
    fingerprint: str
    homes: tuple[str, ...] = ()
    identity: str = ""
