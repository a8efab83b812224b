"""Which levels are stale: what is wanted, held against what the manifest says is there.

A level is recognised as unchanged by the hash of its spec's bytes and of everything else that went
into it, without parsing it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from exporter.export.failures import Failures
from exporter.export.settings import Settings
from exporter.export.wanted import ProjectFiles, Wanted
from exporter.project.project import FILE_NAME
from exporter.store.atomic_files import Signature, signature_of
from exporter.store.manifest import Entry, Output
from exporter.store.store import Store

# Outputs that were touched, but not changed, are remembered up to this number.
MAXIMUM_VERIFIED = 10_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison found.

    Attributes:
        stale: The specs of stale levels, with the paths whose change made each stale.
        recovered: Failed specs whose fault was taken back: they are again as exported.
    """

    stale: dict[str, tuple[str, ...]]
    recovered: list[str]


class Staleness:
    """Compares a project's specs with its outputs, and never relies on what is said to change."""

    def __init__(
        self, files: ProjectFiles, store: Store, failures: Failures, settings: Settings
    ) -> None:
        self.files = files
        self.store = store
        self.failures = failures
        self.settings = settings
        # Outputs whose times changed but whose content was found to be ours.
        self._verified: dict[str, Signature] = {}

    def compare(self, wanted: Wanted, *, full: bool) -> Comparison:
        """Return which selected levels are stale and why.

        Args:
            wanted: What the files ask for.
            full: Look at the outputs, too: one that was removed or edited makes its level stale.
        """
        stale: dict[str, tuple[str, ...]] = {}
        recovered: list[str] = []
        for spec, level in wanted.levels.items():
            if not self.settings.selects(level.name):
                continue
            failure = self.failures.get(spec)
            if (
                failure is not None
                and failure.key == level.key
                and not self.files.changed(failure.inputs)
            ):
                if failure.is_due():
                    stale[spec] = failure.result.causes
                continue
            causes = self._causes(spec, level.key, wanted, full)
            if causes:
                stale[spec] = causes
            elif failure is not None:
                recovered.append(spec)
        return Comparison(stale, recovered)

    def outputs_differ(self) -> bool:
        """Whether an output is not as we left it, or a failed level is due for another try."""
        if self.store.manifest.is_other_on_disk() or self.failures.any_due():
            return True
        return not all(
            self.all_stand(entry)
            for spec, entry in self.store.entries.items()
            if spec not in self.failures
        )

    def all_stand(self, entry: Entry) -> bool:
        """Whether all outputs of an entry are as we left them."""
        return all(self._stands(output) for output in entry.outputs)

    def _causes(self, spec: str, key: str, wanted: Wanted, full: bool) -> tuple[str, ...]:
        """Return what makes a level stale; nothing when it is not."""
        entry = self.store.entries.get(spec)
        if self.settings.force or entry is None:
            return (spec,)
        changed = self.files.changed(entry.inputs)
        if entry.key != key:
            project = self.store.project
            others = project is not None and project != wanted.mark
            return (FILE_NAME if others else spec, *changed)
        if changed or not full:
            return changed
        return tuple(output.path for output in entry.outputs if not self._stands(output))

    def _stands(self, output: Output) -> bool:
        """Whether an output is as we left it; one that was only touched is read but once."""
        try:
            signature = signature_of(os.stat(f"{self.store.root}/{output.path}"))
        except OSError:
            return False
        if output.once or signature in (output.signature, self._verified.get(output.path)):
            return True
        if not self.store.is_current(output):
            return False
        if len(self._verified) >= MAXIMUM_VERIFIED:
            self._verified.clear()
        self._verified[output.path] = signature
        return True
