"""Remember which levels failed, and when to build them again."""

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
    """A failed level, and the inputs with which it failed.

    Attributes:
        result: The reported result of the level.
        key: The hash of its spec, the project's settings and the exporter's code; empty if unknown.
        inputs: The hashes of the files that the build had read, by path.
        retry_at: When to retry without a change, on the monotonic clock; None for never.
        pause: The seconds between the last failure and the retry.
    """

    result: LevelResult
    key: str = ""
    inputs: dict[str, str] = field(default_factory=dict)
    retry_at: float | None = None
    pause: float = RETRY_SECONDS

    def is_due(self) -> bool:
        """Return whether it is time to retry, though nothing has changed."""
        return self.retry_at is not None and monotonic() >= self.retry_at


class Failures:
    """The levels of one project whose last build failed, by spec path."""

    def __init__(self) -> None:
        self._failures: dict[str, Failure] = {}

    def __contains__(self, spec: str) -> bool:
        return spec in self._failures

    def get(self, spec: str) -> Failure | None:
        """Return the failure of the spec at path `spec`; None if it did not fail."""
        return self._failures.get(spec)

    def note(self, failure: Failure, *, retry: bool) -> bool:
        """Record `failure`; return whether it is to be reported.

        It is if the level did not fail before, or failed with other inputs or problems. If `retry`
        is true, the level is built again after a while even if nothing changes.
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
        """Forget the failure of the spec at path `spec`."""
        self._failures.pop(spec, None)

    def keep(self, specs: Collection[str]) -> list[LevelResult]:
        """Forget failures of specs that are not in `specs`.

        Return the results of the forgotten failures.
        """
        removed = sorted(self._failures.keys() - set(specs))
        return [self._failures.pop(spec).result for spec in removed]

    def any_due(self) -> bool:
        """Return whether a failed level is to be retried now."""
        return any(failure.is_due() for failure in self._failures.values())

    def inputs(self) -> set[str]:
        """Return the paths of all files that failed builds read or looked for."""
        return {path for failure in self._failures.values() for path in failure.inputs}
