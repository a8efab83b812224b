"""Run many cases in worker processes, and watch time, memory and deaths.

A case is a number that determines its content, so that a failure is found again by it.
"""

from __future__ import annotations

import multiprocessing
import resource
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

Judge = Callable[[int], str]
# A net under everything, far above what a case may take: an allocation that fails is a failure too.
ADDRESS_SPACE = 8 << 30
STATUS = Path("/proc/self/status")
# Writing 5 here resets the peak of the memory to the current use (proc(5)).
CLEAR = Path("/proc/self/clear_refs")
REPORTED_EVERY = 100
# A case hangs when it takes as many times its processor time on the clock: others work here, too.
PATIENCE = 30
MOST_REPORTED = 20


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of a case.

    Attributes:
        seconds: Processor time; a case that takes `PATIENCE` times as long on the clock is ended.
        megabytes: Peak of memory, with the process itself; None for no bound.
    """

    seconds: float = 2.0
    megabytes: int | None = 256


@dataclass(slots=True)
class Findings:
    """The results of the cases: a count for each outcome, and the failures."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str]] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, -1)
    largest: tuple[int, int] = (0, -1)

    def report(self) -> int:
        """Print it; return 1 when something went wrong, else 0."""
        print(", ".join(f"{count} {name}" for name, count in sorted(self.outcomes.items())))
        print(f"slowest {self.slowest[0]:.2f} s (case {self.slowest[1]})")
        if self.largest[1] >= 0:
            print(f"most memory {self.largest[0]} MB (case {self.largest[1]})")
        for case, what in self.failures[:MOST_REPORTED]:
            print(f"case {case}: {what}")
        print(f"{len(self.failures)} failures")
        return 1 if self.failures else 0


def run(
    prepare: Callable[..., Judge],
    arguments: tuple[Any, ...],
    cases: range,
    jobs: int,
    bounds: Bounds,
) -> Findings:
    """Judge all cases and return the findings.

    Args:
        prepare: Makes the judge in a worker from `arguments`; both must be picklable. The judge
            returns the name of an allowed outcome, and raises for anything else.
        arguments: The argument of `prepare`.
        cases: The cases.
        jobs: Number of workers.
        bounds: The limits of a case.
    """
    findings = Findings()
    slots = [_Slot(prepare, arguments, cases[first::jobs], bounds) for first in range(jobs)]
    while any(slot.process is not None for slot in slots):
        alive = [slot for slot in slots if slot.process is not None]
        wait([slot.connection for slot in alive], timeout=0.2)
        for slot in alive:
            slot.look(findings)
    return findings


class _Slot:
    """One worker and its remaining cases; a new process replaces one that died."""

    def __init__(
        self,
        prepare: Callable[..., Judge],
        arguments: tuple[Any, ...],
        cases: range,
        bounds: Bounds,
    ) -> None:
        self._work = (prepare, arguments, bounds)
        self._cases = cases
        self._context = multiprocessing.get_context("spawn")
        self.process: Any = None
        self._start()

    def _start(self) -> None:
        if not self._cases:
            self.process = None
            return
        self.connection, theirs = self._context.Pipe()
        # The case at hand and when it began; -1 while none is.
        self._now = self._context.Array("d", [-1.0, 0.0], lock=False)
        self.process = self._context.Process(
            target=_work, args=(*self._work, self._cases, theirs, self._now)
        )
        self.process.start()
        theirs.close()

    def look(self, findings: Findings) -> None:
        """Take the worker's result, and end it when its case takes too long."""
        ended = not self.process.is_alive()
        done = self._take(findings)
        case, began = int(self._now[0]), self._now[1]
        most = PATIENCE * self._work[2].seconds
        hangs = not ended and case >= 0 and time.monotonic() - began > most
        if hangs:
            self.process.kill()
        if not (ended or hangs or done):
            return
        self.process.join()
        if not done and case < 0:
            raise RuntimeError(f"a worker ended with {self.process.exitcode} before its first case")
        if not done:
            what = f"no end after {most} s" if hangs else f"died with {self.process.exitcode}"
            findings.failures.append((case, what))
            self._cases = self._cases[self._cases.index(case) + 1 :]
            self._start()
        else:
            self.process = None

    def _take(self, findings: Findings) -> bool:
        """Take all messages; return whether the last one was there."""
        try:
            while self.connection.poll():
                message = self.connection.recv()
                if message is None:
                    return True
                outcomes, failures, slowest, largest = message
                findings.outcomes.update(outcomes)
                findings.failures += failures
                findings.slowest = max(findings.slowest, slowest)
                findings.largest = max(findings.largest, largest)
        except EOFError:
            pass
        return False


def _work(
    prepare: Callable[..., Judge],
    arguments: tuple[Any, ...],
    bounds: Bounds,
    cases: range,
    connection: Connection,
    now: Any,
) -> None:
    """Judge cases in this process and send their results."""
    if bounds.megabytes is not None:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    judge = prepare(*arguments)
    findings = Findings()
    for done, case in enumerate(cases, 1):
        now[1] = time.monotonic()
        now[0] = case
        _judge_one(judge, case, bounds, findings)
        if done % REPORTED_EVERY == 0 or findings.failures or done == len(cases):
            connection.send(
                (findings.outcomes, findings.failures, findings.slowest, findings.largest)
            )
            findings = Findings()
    connection.send(None)


def _judge_one(judge: Judge, case: int, bounds: Bounds, findings: Findings) -> None:
    if bounds.megabytes is not None:
        CLEAR.write_text("5")
    started = time.process_time()
    try:
        outcome = judge(case)
    except Exception:
        outcome = "exception"
        findings.failures.append((case, traceback.format_exc(limit=-8)))
    seconds = time.process_time() - started
    findings.outcomes[outcome] += 1
    findings.slowest = max(findings.slowest, (seconds, case))
    if seconds > bounds.seconds:
        findings.failures.append((case, f"took {seconds:.1f} s ({outcome})"))
    if bounds.megabytes is not None:
        peak = _peak_megabytes()
        findings.largest = max(findings.largest, (peak, case))
        if peak > bounds.megabytes:
            findings.failures.append((case, f"took {peak} MB ({outcome})"))


def _peak_megabytes() -> int:
    for line in STATUS.read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) >> 10
    return 0
