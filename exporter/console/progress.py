"""Draw a progress bar on a terminal.

    / [######..................]  3 of 12 levels, 1.5 levels/s, 6 s left; crypt: layer relief 4 s
    | [###.......] 400 of 1024 parts, 4.5 parts/s, 2 min left; 180 MB; wilds: part 2 s

A thread draws the bar, so that it moves while a large level is built.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from exporter.console.styles import is_terminal
from exporter.model.lazy_dataclass import dataclass

# Shorter work shows no bar: it would only flicker.
PROGRESS_AFTER = 0.5
# How often the line is drawn.
TICK_SECONDS = 0.25
# Fewer levels, or a shorter time, allow no estimate.
LEVELS_FOR_ESTIMATE = 3
SECONDS_FOR_ESTIMATE = 1.0
BAR_WIDTH = 24
# Shorter, because a line about parts has larger numbers and the memory, all in 80 columns.
PARTS_BAR_WIDTH = 10
_SPINNER = "|/-\\"
_CLEAR = "\r\x1b[K"


@dataclass(frozen=True, slots=True)
class _Stage:
    """The current stage of a level's build, and its start time."""

    level: str
    name: str
    since: float


class ProgressBar:
    """A progress bar on the terminal: finished levels, and time left.

    Only one thread may report; another one draws. Other output must be printed inside `paused`.

    Args:
        enabled: Whether to draw the bar, if standard error is a terminal.
    """

    def __init__(self, *, enabled: bool = True) -> None:
        self._requested = enabled
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._is_drawn = False
        self._ticks = 0
        self._began: float | None = None
        # Start of the first build: the start of processes must not count in the estimate.
        self._building: float | None = None
        self._done = 0
        self._total = 0
        self._parts = 0, 0
        self._parts_began = 0.0
        self._surveys = 0, 0
        self._surveys_began = 0.0
        self._memory = 0
        self._stages: dict[str, _Stage] = {}

    def update(
        self,
        done: int,
        total: int,
        parts: tuple[int, int] = (0, 0),
        memory: int = 0,
        surveys: tuple[int, int] = (0, 0),
    ) -> None:
        """Set how many of the levels are finished.

        Args:
            done: Number of finished levels.
            total: Number of all levels.
            parts: For worlds that are exported in chunks: the number of finished chunks, and of
                all.
            memory: Peak memory in bytes of a process that made chunks; 0 if unknown.
            surveys: For worlds whose rows of chunks are surveyed first: the number of finished
                rows, and of all.
        """
        with self._lock:
            if self._began is None:
                self._began = monotonic()
            if parts[1] and not self._parts[1]:
                # Earlier surveys allow no estimate of the parts.
                self._parts_began = monotonic()
            if not self._surveys[1] or surveys[0] < self._surveys[0]:
                # Another survey, which may take longer or shorter than the one before.
                self._surveys_began = monotonic()
            self._done, self._total, self._surveys = done, total, surveys
            self._parts, self._memory = parts, memory

    def stage(self, level: str, spec: str, name: str) -> None:
        """Set the stage that the build of a level has reached.

        Args:
            level: The level's name.
            spec: The path of the level's spec, which identifies the build.
            name: The stage; text after `: ` is its progress. Empty when the build has ended.
        """
        with self._lock:
            if not name:
                self._stages.pop(spec, None)
                return
            if self._began is None or not (self._stages or self._total):
                self._began = monotonic()
            if self._building is None:
                self._building = monotonic()
            before = self._stages.get(spec)
            goes_on = before is not None and before.name.split(": ")[0] == name.split(": ")[0]
            since = before.since if before is not None and goes_on else monotonic()
            self._stages[spec] = _Stage(level, name, since)
        self._start()

    def search(self, done: int, total: int) -> None:
        """Set how many candidates of a search were tried, of `total` at most."""
        if self._building is None:
            self._building = monotonic()
        self.update(done, total)
        self._start()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the bar during a `with` block that prints other lines."""
        with self._lock:
            self._clear()
            yield

    def close(self) -> None:
        """Remove the bar."""
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()
        with self._lock:
            self._clear()

    # --- inside -------------------------------------------------------------------------------

    def _start(self) -> None:
        """Start to draw, if the bar is enabled and standard error is a terminal."""
        if not self._requested or self._thread is not None or self._stop.is_set():
            return
        if is_terminal(sys.stderr):
            self._thread = threading.Thread(target=self._draw_until_stopped, daemon=True)
            self._thread.start()

    def _draw_until_stopped(self) -> None:
        while not self._stop.wait(TICK_SECONDS):
            with self._lock, suppress(OSError, ValueError):
                self._draw(monotonic())

    def _draw(self, now: float) -> None:
        if self._began is None or not (self._stages or self._done < self._total):
            self._clear()
            return
        if now - self._began < PROGRESS_AFTER:
            return
        self._ticks += 1
        line = f"{_SPINNER[self._ticks % len(_SPINNER)]} {self._line(now)}"
        self._is_drawn = True
        sys.stderr.write(f"\r{line[: _columns() - 1]}\x1b[K")
        sys.stderr.flush()

    def _line(self, now: float) -> str:
        stages = [f"{item.level}: {item.name} {now - item.since:.0f} s" for item in self._oldest()]
        for counted, began, what in (
            (self._parts, self._parts_began, "parts"),
            (self._surveys, self._surveys_began, "rows"),
        ):
            if counted[1]:
                return progress_line(*counted, now - began, stages, what, self._memory)
        if self._total < 2:
            return ", ".join(stages)
        seconds = now - self._building if self._building is not None else 0.0
        return progress_line(self._done, self._total, seconds, stages)

    def _oldest(self) -> list[_Stage]:
        return sorted(self._stages.values(), key=lambda stage: stage.since)

    def _clear(self) -> None:
        if self._is_drawn:
            self._is_drawn = False
            with suppress(OSError, ValueError):
                sys.stderr.write(_CLEAR)
                sys.stderr.flush()


def progress_line(
    done: int, total: int, seconds: float, stages: list[str], what: str = "levels", memory: int = 0
) -> str:
    """Return the text of a progress bar, with rate and time left.

    The rate is the average since the beginning. So the rate falls and the estimated time grows
    while a large level is built.

    Args:
        done: How many of the units in `what` are finished.
        total: How many units there are.
        seconds: Seconds since the beginning.
        stages: The stages of running builds, as text.
        what: The plural of the unit: `levels`, `parts` or `rows`.
        memory: Peak memory of a process in bytes; 0 if unknown.
    """
    width = BAR_WIDTH if what == "levels" else PARTS_BAR_WIDTH
    filled = width * done // total
    parts = [f"[{'#' * filled}{'.' * (width - filled)}] {done} of {total} {what}"]
    if done >= LEVELS_FOR_ESTIMATE and seconds >= SECONDS_FOR_ESTIMATE:
        parts.append(_rate(done / seconds, what))
        parts.append(f"{remaining(seconds / done * (total - done))} left")
    # Memory comes before the stage, because the end of a long line is cut off.
    used = [f"{memory / 1e6:.0f} MB"] if memory else []
    return "; ".join([", ".join(parts), *used, *stages[:1]])


def remaining(seconds: float) -> str:
    """Return seconds as a rounded duration: `8 s`, `3 min`, `2 h 10 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _rate(a_second: float, what: str) -> str:
    if a_second >= 1:
        return f"{a_second:.1f} {what}/s"
    return f"{a_second * 60:.1f} {what}/min"


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
