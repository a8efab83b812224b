"""Build and measure the candidates of a search on a Dask cluster.

A candidate is a seed with values of the parameters that the search varies. A task is a batch of
candidates. The plan of the search, with the files that its spec reads, goes to each worker once: a
worker without the plan answers so, and gets the task again with the plan. Results come in the order
of the candidates, so a search finds the same as on one machine.
"""

from __future__ import annotations

import os
import pickle
import shutil
import tempfile
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from exporter.build.build import Build
from exporter.build.missing_files import parts_with_files
from exporter.explore.candidates import Candidate
from exporter.explore.judging import SearchPlan, batches
from exporter.export.cluster import Cluster, FailedTask
from exporter.model.errors import ExporterError, FarmError
from exporter.model.input_files import read_input
from exporter.model.keys import content_key
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_INPUT_BYTES
from exporter.model.parameters import file_names
from exporter.reading.level_spec import LevelSpec

# How many plans a worker keeps.
_PLANS = 4
# How many batches may wait for the results of an earlier batch.
_MOST_WAITING = 1024
# How often a batch is sent again because its worker lacked files.
_MAXIMUM_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class _Packed:
    """The plan of a search, as it is sent to workers.

    Attributes:
        plan: The plan, without paths of this machine.
        folder: The spec's folder, relative to the root that its input files must lie in; None for a
            spec that is no file.
        depth: How many folders this root lies below the top of its file system.
        files: The contents of the files that the spec reads, by path relative to the root.
    """

    plan: SearchPlan
    folder: str | None
    depth: int
    files: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class _Answer:
    """A worker's answer to a batch.

    Attributes:
        attempts: The result of each candidate; None if the worker lacks the plan.
        missing: The paths of files that the worker tried to read and lacks.
    """

    attempts: list[Any] | None
    missing: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Batch:
    """Candidates that are sent to a worker as one task.

    `index` is the number of the batch; `rounds` is how often it was sent again for missing files.
    """

    candidates: list[Candidate]
    index: int
    rounds: int = 0


class ClusterJudges:
    """Builds and measures the candidates of a search on a Dask cluster.

    A candidate is a seed with values of the parameters that the search varies.

    Args:
        plan: How candidates are built, and which metrics are measured.
        address: The scheduler's address, as in `tcp://127.0.0.1:8786`.
        remark: Called with a text for the user.

    Raises:
        FarmError: Dask is not installed, or no scheduler answers at the address.
    """

    def __init__(self, plan: SearchPlan, address: str, remark: Callable[[str], None]) -> None:
        self._root = plan.root if plan.root is not None else plan.spec.folder
        self._plan = plan
        self._files: dict[str, bytes] = {}
        self._absent: set[str] = set()
        self._read_files()
        self._packed, self._token = b"", ""
        self._pack()
        self._cluster = Cluster(address, do_batch, remark)

    def __enter__(self) -> ClusterJudges:
        return self

    def __exit__(self, *_: object) -> None:
        self._cluster.__exit__()

    def judged(self, candidates: Iterable[Candidate]) -> Iterator[Any]:
        """Yield the `Attempt` of each candidate: its metrics, or why it failed.

        They come in the order of `candidates`, whichever worker is done first.

        Raises:
            FarmError: The cluster cannot be used any more.
        """
        source = batches(candidates, self._plan.batch)
        sent: dict[int, _Batch] = {}
        ready: dict[int, list[Any]] = {}
        given = used = 0
        more = True
        while True:
            while more and self._cluster.has_room and given - used < _MOST_WAITING:
                batch = next(source, None)
                more = batch is not None
                if batch is not None:
                    self._send(sent, _Batch(batch, given), with_plan=False)
                    given += 1
            if used in ready:
                yield from ready.pop(used)
                used += 1
                continue
            if used == given and not more:
                return
            for result in self._cluster.results():
                known = sent.pop(result.task, None)
                if known is None:
                    continue  # of an earlier search that ended before this result
                if isinstance(result, FailedTask):
                    raise FarmError(f"building levels of this spec {result.reason}")
                attempted = self._decoded_attempts(sent, known, result.answer)
                if attempted is not None:
                    ready[known.index] = attempted

    # --- inside -------------------------------------------------------------------------------

    def _send(self, sent: dict[int, _Batch], batch: _Batch, *, with_plan: bool) -> None:
        packed = self._packed if with_plan else None
        task = pickle.dumps((self._token, packed, batch.candidates))
        sent[self._cluster.submit(task)] = batch

    def _decoded_attempts(
        self, sent: dict[int, _Batch], batch: _Batch, data: bytes
    ) -> list[Any] | None:
        """Return the results in `data`, a worker's answer about `batch`.

        None if the batch was sent again, because the worker lacked the plan or a file; then it is
        in `sent` again.
        """
        answer = pickle.loads(data)
        assert isinstance(answer, _Answer)
        if answer.attempts is None:
            self._send(sent, batch, with_plan=True)
            return None
        if self._learn(answer.missing) and batch.rounds < _MAXIMUM_ROUNDS:
            batch.rounds += 1
            self._send(sent, batch, with_plan=True)
            return None
        return answer.attempts

    def _learn(self, missing: frozenset[str]) -> bool:
        """Add the files `missing` on a worker to the plan, if they exist here.

        Return whether any of them exists, so that the batch is worth sending again.
        """
        new = missing - self._absent - self._files.keys()
        self._add(new)
        if new & self._files.keys():
            self._pack()
        return bool(missing & self._files.keys())

    def _pack(self) -> None:
        spec, root = self._plan.spec, self._root
        folder = None
        depth = 0
        if spec.folder is not None and root is not None:
            real = Path(os.path.realpath(root))
            folder = Path(os.path.relpath(os.path.realpath(spec.folder), real)).as_posix()
            depth = len(real.parts)
        plan = replace(self._plan, spec=replace(spec, folder=None), root=None)
        self._packed = pickle.dumps(_Packed(plan, folder, depth, self._files))
        self._token = content_key(self._packed)

    def _read_files(self) -> None:
        """Find and read the files that the spec needs, by building one level."""
        spec = self._plan.spec
        parts = (parameters for _, parameters in parts_with_files(spec))
        if self._root is None or not any(list(file_names(part)) for part in parts):
            return
        build = Build(spec, self._root)
        with suppress(ExporterError):  # the search reports it; files read so far are known
            build.prepare()
        self._add(build.files.hashes)

    def _add(self, paths: Iterable[str]) -> None:
        """Read the files at `paths`, to send them with the plan.

        Missing files are noted, so that they are not looked for again.
        """
        assert self._root is not None
        for path in sorted(paths):
            try:
                self._files[path] = read_input(
                    Path(os.path.realpath(self._root)) / path, MAXIMUM_INPUT_BYTES
                )
            except OSError:
                self._absent.add(path)


class _WorkerPlan:
    """A search plan on a worker, with its input files in a temporary folder."""

    def __init__(self, packed: bytes) -> None:
        unpacked = pickle.loads(packed)
        assert isinstance(unpacked, _Packed)
        self.plan = unpacked.plan
        if unpacked.folder is not None:
            folder = tempfile.mkdtemp(prefix="level-exporter-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            # As deep as the project, so that paths with `..` stay inside.
            top = Path(folder).resolve()
            root = top.joinpath(*["p"] * max(1, unpacked.depth))
            position = (root / unpacked.folder).resolve()
            position.mkdir(parents=True, exist_ok=True)
            for path, content in unpacked.files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(content)
            spec = replace(self.plan.spec, folder=position)
            self.plan = replace(self.plan, spec=spec, root=root)

    def judged(self, candidates: Sequence[Candidate]) -> _Answer:
        """Build and measure `candidates`; return their results and missing files."""
        builds: list[Build] = []
        missing: set[str] = set()

        def build(spec: LevelSpec, root: Path | None) -> Build:
            builds.append(Build(spec, root))
            return builds[-1]

        judge = self.plan.judge(build)
        attempted = []
        for candidate in candidates:
            attempted.append(judge(candidate))
            for result in builds:
                missing.update(path for path, digest in result.files.hashes.items() if not digest)
            builds.clear()
        return _Answer(attempted, frozenset(missing))


@dataclass(slots=True)
class _Memory:
    """The search plans that a worker keeps, by a hash of the encoded plan."""

    plans: OrderedDict[str, _WorkerPlan] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def known(self, token: str, packed: bytes | None) -> _WorkerPlan | None:
        """Return the plan whose hash is `token`.

        A plan that is new here is decoded from `packed`. None if the plan is new and `packed` is
        None.
        """
        with self.lock:
            result = self.plans.get(token)
            if result is None and packed is not None:
                result = self.plans[token] = _WorkerPlan(packed)
            if result is not None:
                self.plans.move_to_end(token)
            while len(self.plans) > _PLANS:
                self.plans.popitem(last=False)
            return result


_MEMORY = _Memory()


def do_batch(task: bytes) -> bytes:
    """Build and measure an encoded batch of candidates on a worker.

    `task` has the hash of the search plan, the plan if it is sent along, and the candidates. Return
    an encoded `_Answer`: the results, or that the worker lacks the plan.
    """
    token, packed, candidates = pickle.loads(task)
    known = _MEMORY.known(token, packed)
    answer = _Answer(None) if known is None else known.judged(candidates)
    return pickle.dumps(answer)
