"""`status.json`: what the last batch did and how every level stands, for engine plugins to poll."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from exporter._version import __version__
from exporter.export.events import LevelResult, is_complete, problem_report
from exporter.model.errors import Problem, StoreError

if TYPE_CHECKING:
    from exporter.store.manifest import Entry
    from exporter.store.store import Store

VERSION = 1


class Status:
    """The report of the last batch and of every level.

    The text of a level is kept while nothing about it changes: one save among a thousand levels
    must not cost a thousand.
    """

    def __init__(self) -> None:
        self.changed = False
        self.started = time.perf_counter()
        self.problems: tuple[Problem, ...] = ()
        # What is wrong with the project until that changes, batch after batch.
        self.overlooked: tuple[Problem, ...] = ()
        self._batch: list[dict[str, Any]] = []
        self._results: dict[str, LevelResult] = {}
        self._texts: dict[str, tuple[Entry | None, LevelResult | None, tuple[str, ...], str]] = {}

    def begin(self) -> None:
        """Begin a batch."""
        self.started = time.perf_counter()
        self.changed = False
        self.problems = ()
        self._batch = []
        # What was built in an earlier batch is unchanged in this one; failures stay.
        self._results = {k: r for k, r in self._results.items() if r.status == "failed"}

    def note(self, result: LevelResult) -> None:
        """Note what became of a level."""
        self._results[result.spec] = result
        self._batch.append(
            {
                "level": result.level,
                "spec": result.spec,
                "status": result.status,
                "causes": list(result.causes),
                "written": list(result.written),
                "seconds": round(result.seconds, 6),
            }
        )

    def settle(self, spec: str) -> None:
        """Note that a failed level is again as it was exported before."""
        self._results.pop(spec, None)

    def keep(self, specs: Collection[str]) -> None:
        """Forget all but these specs."""
        self._results = {spec: r for spec, r in self._results.items() if spec in specs}
        self._texts = {spec: text for spec, text in self._texts.items() if spec in specs}

    def write(
        self, store: Store, specs: list[str], kept: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        """Write the status; a disk that refuses is reported elsewhere.

        Args:
            store: What is remembered of every spec.
            specs: The specs of all levels.
            kept: Outputs that somebody changed, by spec.
        """
        head = {
            "version": VERSION,
            "exporter": __version__,
            "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "changed": self.changed,
            "seconds": round(time.perf_counter() - self.started, 6),
            "errors": [problem_report(one) for one in (*self.problems, *self.overlooked)],
            "batch": self._batch,
        }
        kept = kept or {}
        levels = [self._level(spec, store.entries.get(spec), kept.get(spec, ())) for spec in specs]
        text = json.dumps(head, indent=1)[:-2] + ',\n "levels": [\n'
        with suppress(StoreError):
            store.write_status(text + ",\n".join(filter(None, levels)) + "\n ]\n}\n")

    def _level(self, spec: str, entry: Entry | None, kept: tuple[str, ...]) -> str:
        result = self._results.get(spec)
        known = self._texts.get(spec)
        if known is not None and known[0] is entry and known[1] is result and known[2] == kept:
            return known[3]
        text = ""
        if result is not None or entry is not None:
            text = "  " + json.dumps(_level_document(spec, entry, result, kept))
        self._texts[spec] = (entry, result, kept, text)
        return text


def _level_document(
    spec: str, entry: Entry | None, result: LevelResult | None, kept: tuple[str, ...]
) -> dict[str, Any]:
    return {
        "level": result.level if result else entry.level if entry else "",
        "spec": spec,
        "status": result.status if result else "unchanged",
        "errors": [problem_report(p) for p in result.problems] if result else [],
        "warnings": [text for text, _, _ in entry.warnings] if entry else [],
        "outputs": [output.path for output in entry.outputs] if entry else [],
        "kept": list(kept),
        "complete": not entry or is_complete(entry.layers, entry.objects),
    }
