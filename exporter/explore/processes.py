"""Run tasks in several processes, and return their results in order."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from exporter.model.errors import ExporterError

Task = TypeVar("Task")
Result = TypeVar("Result")
# Called once in each process; returns the function that runs a task.
Prepare = Callable[[Any], Callable[[Task], Result]]

# How many tasks wait at each process: it never idles, and an interruption loses little.
_AHEAD = 3
_PRELOADED = ["exporter.build.build", "exporter.explore.judging"]


class Crew(Generic[Task, Result]):
    """A pool of processes that run tasks, until `close` ends them.

    Args:
        count: The number of processes.
        prepare: Called once in each process with `argument`; returns the function that runs a task.
            It must be defined in a module.
        argument: The argument of `prepare`, such as the plan of a search.
    """

    def __init__(self, count: int, prepare: Prepare[Task, Result], argument: Any) -> None:
        self._members = []
        with _children_allowed():
            for _ in range(count):
                self._members.append(_Member(prepare, argument))

    def results(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """Run tasks, and yield their results in the order of the tasks.

        Raises:
            Exception: A task has raised it.
            ExporterError: A process has ended without a result.
        """
        # Tasks are dealt to the processes in turn: so the process of the next result is known, and
        # the pipes keep their order.
        given = used = 0
        source = iter(tasks)
        done = False
        while True:
            while not done and given - used < _AHEAD * len(self._members):
                try:
                    task = next(source)
                except StopIteration:
                    done = True
                    break
                self._members[given % len(self._members)].give(task)
                given += 1
            if given == used:
                return
            yield self._members[used % len(self._members)].take()
            used += 1

    def close(self) -> None:
        """Stop the processes at once."""
        for member in self._members:
            member.end()


class _Member:
    def __init__(self, prepare: Callable[[Any], Any], argument: Any) -> None:
        context = _context()
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, prepare, argument), daemon=True)
        with interrupts_blocked():
            self._process.start()
        theirs.close()

    def give(self, task: Any) -> None:
        # A process that is dead already is noticed when its result is taken.
        with contextlib.suppress(OSError):
            self._ours.send(task)

    def take(self) -> Any:
        try:
            failed, result = self._ours.recv()
        except (EOFError, OSError):
            raise ExporterError(
                "a worker process stopped while it measured levels, perhaps for lack of memory "
                "(use fewer --jobs)"
            ) from None
        if failed:
            raise result
        return result

    def end(self) -> None:
        self._process.kill()
        self._process.join(5)
        self._ours.close()


@contextlib.contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Make processes that are started in a `with` block ignore Ctrl+C."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Otherwise it is started with the first process, and lets interrupts through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _children_allowed() -> Iterator[None]:
    """Allow a worker process to start processes of its own.

    Python forbids this to daemonic processes, whose children might be left over. Processes of a
    pool end by themselves when its pipes close.
    """
    config: dict[str, Any] = multiprocessing.current_process()._config  # type: ignore[attr-defined]
    daemon = config.pop("daemon", None)
    try:
        yield
    finally:
        if daemon is not None:
            config["daemon"] = daemon


def _context() -> Any:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    return context


def _work(connection: Connection, prepare: Callable[[Any], Any], argument: Any) -> None:
    """Run the tasks that `connection` receives; runs in the worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    work = prepare(argument)
    with contextlib.suppress(EOFError, OSError):
        while True:
            task = connection.recv()
            try:
                answer = False, work(task)
            except Exception as error:
                answer = True, error
            connection.send(answer)
