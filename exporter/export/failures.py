"""Remember failed levels, and when to build them again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field
from time import monotonic

from exporter.export.events import LevelResult
from exporter.model.lazy_dataclass import dataclass

# Seconds until a failed write is retried, doubled each time up to the last value.
RETRY_SECONDS = 2.0
LONGEST_RETRY_SECONDS = 30.0


@dataclass(slots=True)
class Failure:
    """A failed level, with the inputs that would change the result.

    Attributes:
        result: The level's report.
        key: The hash of its inputs: see `exporter.export.tasks.level_key`.
        inputs: The files it had read, with their hashes.
        retry_at: Time of a retry without a change; None for never.
        pause: Seconds from the last failure until the retry.
    """

    result: LevelResult
    key: str = ""
    inputs: dict[str, str] = field(default_factory=dict)
    retry_at: float | None = None
    pause: float = RETRY_SECONDS

    def is_due(self) -> bool:
        """Return whether it is time to build the level again."""
        return self.retry_at is not None and monotonic() >= self.retry_at


class Failures:
    """The failed levels of one project, by spec."""

    def __init__(self) -> None:
        self._failures: dict[str, Failure] = {}

    def __contains__(self, spec: str) -> bool:
        return spec in self._failures

    def get(self, spec: str) -> Failure | None:
        """Return the recorded failure of a spec, if there is one."""
        return self._failures.get(spec)

    def note(self, failure: Failure, *, retry: bool) -> bool:
        """Record a failure; return whether it differs from the last one.

        Args:
            failure: The failure.
            retry: Whether the level will be tried again even if nothing changes.
        """
        old = self._failures.get(failure.result.spec)
        if retry:
            if old is not None and old.retry_at is not None:
                failure.pause = min(2 * old.pause, LONGEST_RETRY_SECONDS)
            failure.retry_at = monotonic() + failure.pause
        self._failures[failure.result.spec] = failure
        return (
            old is None or old.key != failure.key or old.result.problems != failure.result.problems
        )

    def settle(self, spec: str) -> None:
        """Forget the failure of a spec."""
        self._failures.pop(spec, None)

    def keep(self, specs: Collection[str]) -> list[LevelResult]:
        """Forget failures of specs that are not listed; return their results."""
        removed = sorted(self._failures.keys() - set(specs))
        return [self._failures.pop(spec).result for spec in removed]

    def any_due(self) -> bool:
        """Return whether a failed level should be built again now."""
        return any(failure.is_due() for failure in self._failures.values())

    def inputs(self) -> set[str]:
        """Return the files that failed levels read or looked for."""
        return {path for failure in self._failures.values() for path in failure.inputs}
