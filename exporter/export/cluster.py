"""Send tasks to the workers of a Dask cluster, and receive their results.

A task is bytes for one function of a module, so that only bytes cross between versions of the
exporter: the worker compares its own code first and refuses to answer if it differs. No more tasks
are sent than the workers will soon begin, so the memory of the scheduler and of this process does
not grow with their number. If a worker is lost, other workers repeat its tasks. A task whose
workers are lost repeatedly may have ended them: it is repeated once with no other task running, and
given up if it ends its worker again.
"""

from __future__ import annotations

import logging
import queue
import re
from collections import deque
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

from exporter._version import __version__
from exporter.model.errors import FarmError
from exporter.model.lazy_dataclass import dataclass
from exporter.store.code_identity import portable_identity

# Time limits: to connect to the scheduler, for a worker to join, for a silent scheduler to answer.
CONNECT_SECONDS = 10.0
WORKER_SECONDS = 300.0
DROPPED_SECONDS = 30.0
# How often to check the cluster while no answer comes.
_POLL_SECONDS = 1.0
# Tasks to send for each thread of a worker: one that it runs, and one that waits.
_AHEAD = 2
_AT_LEAST = 4
_AT_MOST = 512
# How many digits of a code hash messages show.
_DISPLAYED = 12
# The answer to a task: see `work`.
Answer = tuple[str, str, str, bytes | None]
# A function that a worker calls with the bytes of a task.
Work = Callable[[bytes], bytes]


def work(do: Work, identity: str, task: bytes) -> Answer:
    """Run `task` on a worker of the cluster, if the worker has the same code.

    Args:
        do: The function that runs the task.
        identity: The hash of the sender's code, which the worker's must equal.
        task: The task, encoded for `do`.

    Returns:
        The worker's address, its version of the exporter, the hash of its code, and the bytes that
        `do` returned; None instead of these bytes if the code differs.
    """
    from distributed import get_worker

    own = portable_identity()
    answer = do(task) if own == identity else None
    return str(get_worker().address), __version__, own, answer


@dataclass(frozen=True, slots=True)
class FailedTask:
    """A task that was given up because it ended its workers again and again.

    Attributes:
        task: The number that `Cluster.submit` returned.
        reason: Why the task failed, as far as that is known.
    """

    task: int
    reason: str


@dataclass(frozen=True, slots=True)
class Done:
    """A finished task, and the bytes that it returned.

    Attributes:
        task: The number that `Cluster.submit` returned.
        worker: The address of the worker that ran it.
        answer: The bytes that the function `do` of the cluster returned.
    """

    task: int
    worker: str
    answer: bytes


class Cluster:
    """The workers of one Dask scheduler, for use in a `with` block.

    Args:
        address: The scheduler's address, as in `tcp://127.0.0.1:8786`.
        do: The function that runs a task on a worker; it must belong to a module of this package.
        remark: Called with a text for the user, such as that the scheduler has no workers.
        worker_seconds: How many seconds to wait for a worker while there is none, before an error.

    Raises:
        FarmError: Dask is not installed, or no scheduler answers at the address.
    """

    def __init__(
        self,
        address: str,
        do: Work,
        remark: Callable[[str], None],
        *,
        worker_seconds: float = WORKER_SECONDS,
    ) -> None:
        self.address = address
        self._do = do
        self._remark = remark
        self._worker_seconds = worker_seconds
        self._events: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._futures: dict[int, Any] = {}
        self._tasks: dict[int, bytes] = {}
        # Tasks whose workers were lost repeatedly, and the one of them that is running alone.
        self._suspects: deque[int] = deque()
        self._alone: int | None = None
        self._next = 0
        self._identity = portable_identity()
        self._client = _connect(address)
        self._heard = self._worked = monotonic()
        self._room = _AT_LEAST
        self._threads = 0
        self._measured = 0.0
        self._reported_waiting = False

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._futures.clear()
        try:
            self._client.close(timeout=5)
        except Exception as error:  # no result is needed any more
            logging.getLogger(__name__).debug("the cluster was not closed properly: %s", error)

    @property
    def pending(self) -> int:
        """The number of tasks that were sent and are not finished."""
        return len(self._tasks)

    @property
    def has_room(self) -> bool:
        """Whether another task can be sent: some workers will soon be idle."""
        return self.pending < self._room and not self._suspects and self._alone is None

    def submit(self, task: bytes) -> int:
        """Send the encoded `task`; return the number by which results name it.

        Call this only if `has_room` is true.
        """
        number, self._next = self._next, self._next + 1
        self._tasks[number] = task
        self._alone = None
        self._send(number)
        return number

    def results(self) -> Iterator[Done | FailedTask]:
        """Wait for the next result and yield it; yield nothing if none is pending.

        A result is that of a task that is done or was given up.

        Raises:
            FarmError: The scheduler is gone, no worker is left, or a worker has other code.
        """
        while self._tasks:
            if self._suspects and not self._futures:
                self._alone = self._suspects.popleft()
                self._send(self._alone)
            number = self._event()
            if number is None:
                self._check()
                continue
            result = self._handle_result(number)
            if result is not None:
                yield result
                return

    # --- inside -------------------------------------------------------------------------------

    def _send(self, number: int) -> None:
        try:
            future = self._client.submit(
                work, self._do, self._identity, self._tasks[number], pure=False
            )
        except Exception as error:
            raise self._connection_error(error) from None
        self._futures[number] = future
        future.add_done_callback(lambda _: self._events.put(number))

    def _event(self) -> int | None:
        try:
            return self._events.get(timeout=_POLL_SECONDS)
        except queue.Empty:
            return None

    def _handle_result(self, number: int) -> Done | FailedTask | None:
        """Return the result of task `number`; None before it has come.

        A lost task is sent again, and one that killed its worker is tried alone later. Events of
        tasks that are no longer waited for are ignored.
        """
        future = self._futures.pop(number, None)
        if future is None or number not in self._tasks:
            return None
        if future.status == "finished":
            try:
                worker, version, identity, answer = future.result(timeout=DROPPED_SECONDS)
            except Exception as error:
                raise self._connection_error(error) from None
            self._heard = self._worked = monotonic()
            self._measure()
            if answer is None:
                raise self._other_code(worker, version, identity)
            self._end(number)
            return Done(number, worker, answer)
        if future.status == "error":
            return self._handle_failure(number, future)
        self._check()  # it was forgotten: by a lost or restarted scheduler
        self._send(number)
        return None

    def _end(self, number: int) -> None:
        del self._tasks[number]
        if number == self._alone:
            self._alone = None

    def _handle_failure(self, number: int, future: Any) -> FailedTask | None:
        """Return that task `number` was given up; None if it is tried again alone.

        `future` is Dask's handle of the task. A task is given up if it ends its worker when it runs
        alone.

        Raises:
            FarmError: The cluster cannot run such tasks at all.
        """
        from distributed.scheduler import KilledWorker

        try:
            error = future.exception(timeout=DROPPED_SECONDS)
        except Exception as cause:
            raise self._connection_error(cause) from None
        self._heard = self._worked = monotonic()
        if isinstance(error, KilledWorker):
            if number != self._alone:
                self._suspects.append(number)
                return None
            self._end(number)
            reason = (
                "ended its worker again and again (it may need more memory than a worker has, "
                "or crash it)"
            )
            return FailedTask(number, reason)
        message = (
            f"the cluster of {self.address} cannot do the work ({type(error).__name__}: {error}); "
            f"its scheduler and all workers need level-exporter[cluster] {__version__}"
        )
        raise FarmError(message)

    def _check(self) -> None:
        """Raise FarmError if the scheduler, or every worker, is gone.

        Called when no result has arrived for a while. Lost tasks are then put in the queue of
        events.
        """
        now = monotonic()
        status = self._client.status
        if status in ("closed", "closing", "failed"):
            raise self._connection_error(None)
        if status != "running":
            if now - self._heard > DROPPED_SECONDS:
                raise self._connection_error(None)
            return
        self._heard = now
        if self._measure():
            self._worked = now
            self._reported_waiting = False
        elif now - self._worked > self._worker_seconds:
            raise FarmError(
                f"no worker joined the scheduler at {self.address} in {self._worker_seconds:g} "
                f"seconds (start one with `dask worker {self.address}`)"
            )
        elif not self._reported_waiting:
            self._reported_waiting = True
            self._remark(f"the scheduler at {self.address} has no workers; waiting for one")
        for number, future in list(self._futures.items()):
            if future.status in ("lost", "cancelled"):
                self._events.put(number)

    def _measure(self) -> bool:
        """Count the workers; return whether there are any.

        Their number limits how many tasks are sent ahead.

        Raises:
            FarmError: The scheduler does not answer.
        """
        now = monotonic()
        if now - self._measured < _POLL_SECONDS:
            return self._threads > 0
        self._measured = now
        try:
            result = self._client.sync(
                self._client.scheduler.ncores, callback_timeout=DROPPED_SECONDS
            )
        except Exception as error:
            raise self._connection_error(error) from None
        self._threads = sum(result.values())
        self._room = min(max(_AT_LEAST, _AHEAD * self._threads), _AT_MOST)
        return self._threads > 0

    def _connection_error(self, error: Exception | None) -> FarmError:
        reason = f" ({error})" if error is not None and str(error) else ""
        return FarmError(
            f"the connection to the scheduler at {self.address} is lost{reason}; exported files "
            "stay, and built levels are in the store (export again to continue)"
        )

    def _other_code(self, worker: str, version: str, identity: str) -> FarmError:
        here, there = self._identity[:_DISPLAYED], identity[:_DISPLAYED]
        return FarmError(
            f"the worker {worker} has exporter {version} (code {there}), but here it is exporter "
            f"{__version__} (code {here}): install the same version, and the same extensions, on "
            "both"
        )


def _parts(address: str) -> tuple[str, int]:
    """Return scheme and port of the scheduler's `address`, as ("tcp", 8786).

    ("", 0) if the address is malformed.
    """
    result = re.fullmatch(r"(?:([a-z]+)://)?[^/\s]+:([0-9]{1,5})", address)
    return (result[1] or "tcp", int(result[2])) if result else ("", 0)


def _silence() -> None:
    """Silence Dask's log messages about lost connections; remarks report them."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _connect(address: str) -> Any:
    try:
        from distributed import Client
        from distributed.comm.registry import backends
    except ImportError:
        message = "the package distributed is missing (`pip install level-exporter[cluster]`)"
        raise FarmError(message) from None
    _silence()
    scheme, port = _parts(address)
    if scheme not in backends or not 0 < port < 65536:
        message = f"{address!r} is no address of a Dask scheduler (as in tcp://192.168.1.5:8786)"
        raise FarmError(message)
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="level-exporter")
    except Exception as error:
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        message = (
            f"no Dask scheduler answers at {address}: {text} (start one with `dask scheduler`)"
        )
        raise FarmError(message) from None
