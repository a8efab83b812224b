"""Write status files, from which engine plugins show the last export.

`status.json` is small: it has the last batch (the exports that follow one change), counts, and the
names of level files that changed in this batch and in the ones before. Each level has its own file
in the folder `levels/`. So saving one of ten thousand levels writes two small files, and a plugin
that polls `status.json` reads only the files of changed levels.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from exporter._version import __version__
from exporter.export.events import LevelResult, is_complete, problem_report
from exporter.model.errors import Problem, StoreError
from exporter.model.lazy_dataclass import dataclass
from exporter.reading.names import edits_file

if TYPE_CHECKING:
    from exporter.store.entries import ManifestEntry
    from exporter.store.store import Store

    # What a level's file is made from; the last item are the user-modified outputs.
    _Source = tuple[ManifestEntry | None, LevelResult | None, tuple[str, ...]]

VERSION = 2
# The folder of the levels' files, beside status.json.
LEVELS = "levels"
# The most files of earlier batches that status.json lists.
MAXIMUM_EARLIER_FILES = 100
_STEM_LENGTH = 60
_DIGEST_LENGTH = 12
_SUFFIX = ".level.yaml"


def level_status_name(spec: str) -> str:
    """Return the name of the status file of the level of `spec`."""
    stem = spec.rpartition("/")[2].removesuffix(_SUFFIX)
    safe = re.sub(r"[^A-Za-z0-9_-]+", "_", stem)[:_STEM_LENGTH]
    return f"{safe}-{hashlib.sha256(spec.encode()).hexdigest()[:_DIGEST_LENGTH]}.json"


@dataclass(frozen=True, slots=True)
class _LevelFile:
    """A level's status file on disk: a hash of its text, and what it tells.

    It tells whether the level failed or is incomplete, and the number of user-modified outputs.
    """

    digest: bytes
    failed: bool = False
    incomplete: bool = False
    preserved: int = 0

    @classmethod
    def of(cls, text: str, document: Mapping[str, Any]) -> _LevelFile:
        """Return the hash of `text`, and the counts in `document`, its JSON data."""
        return cls(
            _digest(text),
            document["status"] == "failed",
            not document["complete"],
            len(document["kept"]),
        )

    @classmethod
    def read(cls, text: str) -> _LevelFile:
        """Return the hash of `text`, and its counts unless it is damaged."""
        try:
            return cls.of(text, json.loads(text))
        except (ValueError, KeyError, TypeError, RecursionError):
            return cls(_digest(text))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


@dataclass(frozen=True, slots=True)
class _Previous:
    """The last status.json: its revision, and the changed files of each batch.

    The newest batch comes first.
    """

    revision: int = 0
    batches: tuple[tuple[int, tuple[str, ...]], ...] = ()

    @classmethod
    def of(cls, text: str) -> _Previous:
        """Parse the text of status.json; return an empty record if malformed."""
        try:
            document = json.loads(text)
            if document["version"] != VERSION:
                return cls()
            batches = [(document["revision"], tuple(map(str, document["files"])))]
            for item in document["earlier"]:
                batches.append((int(item["revision"]), tuple(map(str, item["files"]))))
            return cls(int(document["revision"]), tuple(batches))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return cls()

    def recent(self) -> list[dict[str, Any]]:
        """Return the batches before this one, with their changed files.

        The result is JSON data for the next status.json.
        """
        reported: list[dict[str, Any]] = []
        files = 0
        for revision, names in self.batches:
            files += len(names)
            if files > MAXIMUM_EARLIER_FILES or len(reported) == MAXIMUM_EARLIER_FILES:
                break
            reported.append({"revision": revision, "files": list(names)})
        return reported


class Status:
    """Keeps and writes the status of a project and of each of its levels.

    What was written is remembered, so that a batch writes only files of changed levels. Files that
    another process has written are read again.
    """

    def __init__(self) -> None:
        self.changed = False
        self.started = time.perf_counter()
        self.problems: tuple[Problem, ...] = ()
        # The project's problems; they stay from batch to batch until they change.
        self.project_problems: tuple[Problem, ...] = ()
        self._batch: list[dict[str, Any]] = []
        self._results: dict[str, LevelResult] = {}
        self._sources: dict[str, _Source] = {}
        self._names: dict[str, str] = {}
        # The files of levels on disk, by file name.
        self._known: dict[str, _LevelFile] = {}
        self._revision: int | None = None

    def begin(self) -> None:
        """Start a batch: the exports that follow one change."""
        self.started = time.perf_counter()
        self.changed = False
        self.problems = ()
        self._batch = []
        # Levels of earlier batches are in the manifest; failures stay.
        self._results = {k: r for k, r in self._results.items() if r.status == "failed"}

    def note(self, result: LevelResult) -> None:
        """Record the result of a level, for the status of this batch."""
        self._results[result.spec] = result
        self._batch.append(
            {
                "level": result.level,
                "spec": result.spec,
                "file": f"{LEVELS}/{level_status_name(result.spec)}",
                "status": result.status,
                "causes": list(result.causes),
                "written": list(result.written),
                "seconds": round(result.seconds, 6),
            }
        )

    def settle(self, spec: str) -> None:
        """Record that the failed level of `spec` is up to date again."""
        self._results.pop(spec, None)

    def keep(self, specs: Collection[str]) -> None:
        """Forget the levels of specs that are not in `specs`."""
        self._results = {spec: r for spec, r in self._results.items() if spec in specs}
        self._sources = {spec: seen for spec, seen in self._sources.items() if spec in specs}
        self._names = {spec: name for spec, name in self._names.items() if spec in specs}

    def write(
        self,
        store: Store,
        specs: Collection[str],
        preserved: Mapping[str, tuple[str, ...]] | None = None,
        selects: Callable[[str, str], bool] | None = None,
    ) -> None:
        """Write the status files that have changed.

        Args:
            store: The store with the manifest, locked by the caller.
            specs: The paths of the specs of all levels.
            preserved: The user-modified outputs of levels, by spec.
            selects: Returns whether a level was checked, given its name and its spec; files of
                other levels stay. None if all were checked.
        """
        previous = _Previous.of(store.statuses.read())
        texts: dict[str, str] = {}
        if self._revision is None or previous.revision != self._revision:
            self._sources = {}
            texts = store.statuses.read_levels()
            self._known = {name: _LevelFile(_digest(text)) for name, text in texts.items()}
        left = set() if selects is None else self._left(store, specs, selects, texts)
        changes = self._changes(store, specs, preserved or {}, left)
        batch = {str(item["file"]) for item in self._batch}
        head = {
            "version": VERSION,
            "revision": previous.revision + 1,
            "exporter": __version__,
            "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "changed": self.changed,
            "seconds": round(time.perf_counter() - self.started, 6),
            "errors": [problem_report(item) for item in (*self.problems, *self.project_problems)],
            "counts": {
                "levels": len(self._known),
                "failed": sum(item.failed for item in self._known.values()),
                "incomplete": sum(item.incomplete for item in self._known.values()),
                "kept": sum(item.preserved for item in self._known.values()),
            },
            "batch": self._batch,
            "files": sorted(batch.union(f"{LEVELS}/{name}" for name in changes)),
            "earlier": previous.recent(),
        }
        self._revision = None  # the disk's state is unknown if a write fails
        with suppress(StoreError):
            store.statuses.write(_text(head), changes)
            self._revision = previous.revision + 1

    def _left(
        self,
        store: Store,
        specs: Collection[str],
        selects: Callable[[str, str], bool],
        texts: Mapping[str, str],
    ) -> set[str]:
        """Return the specs of levels that were not checked.

        The status files of these levels stay. `selects` returns whether a level was checked;
        `texts` has the status files on disk, if they were read.
        """
        left = set()
        for spec in specs:
            entry, name = store.entries.get(spec), self._name(spec)
            known = spec not in self._results and entry is not None and name in self._known
            if known and entry and not selects(entry.level, spec):
                left.add(spec)
                if name in texts:
                    self._known[name] = _LevelFile.read(texts[name])
        return left

    def _name(self, spec: str) -> str:
        name = self._names.get(spec)
        if name is None:
            name = self._names[spec] = level_status_name(spec)
        return name

    def _changes(
        self,
        store: Store,
        specs: Collection[str],
        preserved: Mapping[str, tuple[str, ...]],
        left: Collection[str],
    ) -> dict[str, str | None]:
        """Return the changed texts of levels' status files, by file name.

        None as a text removes the file. Levels of the specs in `left` were not checked: their files
        stay. `preserved` are the user-modified outputs, by spec.
        """
        changes: dict[str, str | None] = {}
        present: set[str] = set()
        for spec in specs:
            entry, result = store.entries.get(spec), self._results.get(spec)
            if entry is None and result is None:
                continue
            name = self._name(spec)
            present.add(name)
            if spec in left:
                continue
            source = (entry, result, preserved.get(spec, ()))
            if _is_same(self._sources.get(spec), source):
                continue
            self._sources[spec] = source
            document = _level_document(spec, *source)
            text = _text(document)
            before, self._known[name] = self._known.get(name), _LevelFile.of(text, document)
            if before is None or before.digest != self._known[name].digest:
                changes[name] = text
        for name in self._known.keys() - present:
            del self._known[name]
            changes[name] = None
        return changes


def _is_same(seen: _Source | None, source: _Source) -> bool:
    """Return whether a status file still fits, made from `seen` before.

    `source` has the level's present entry and result, which are immutable, so comparing identities
    is enough.
    """
    return (
        seen is not None and seen[0] is source[0] and seen[1] is source[1] and seen[2] == source[2]
    )


def _text(document: Mapping[str, Any]) -> str:
    """Encode `document` as JSON with a line for each key."""
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _level_document(
    spec: str, entry: ManifestEntry | None, result: LevelResult | None, remaining: tuple[str, ...]
) -> dict[str, Any]:
    return {
        "level": result.level if result else entry.level if entry else "",
        "spec": spec,
        "status": result.status if result else "built",
        "errors": [problem_report(p) for p in result.problems] if result else [],
        "warnings": [text for text, *_ in entry.warnings] if entry else [],
        "outputs": [output.path for output in entry.outputs] if entry else [],
        "kept": list(remaining),
        "complete": not entry or is_complete(entry.layers, entry.objects),
        # The hash of the edits file at the last export, if there was one.
        "digest": entry.digest if entry else "",
        "edits_digest": entry.inputs.get(edits_file(spec), "") if entry else "",
    }
