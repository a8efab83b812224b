"""Build the levels of an export on the workers of a Dask cluster."""

from __future__ import annotations

import os
import secrets
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from exporter.export.cluster import Cluster, FailedTask
from exporter.export.places import absolute
from exporter.export.sent_levels import SentLevel, build_sent, decode_answer, encode_sent
from exporter.export.shared_levels import StoreFarm
from exporter.export.tasks import Task, TaskResult, peek_name
from exporter.model.errors import FarmError, Problem
from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_INPUT_BYTES
from exporter.project.project import display_path
from exporter.reading.names import edits_file
from exporter.store.contents import digest_of
from exporter.store.entries import ManifestEntry

# How often a level is sent, each time with the files that its worker lacked before: those that the
# spec names, then those that these files name. A level that needs more is built here.
_MAXIMUM_ROUNDS = 8
# How many files that one level needed, such as tilesets, are sent with the next levels, too.
_SHARED_FILES = 16


@dataclass(slots=True)
class _Sent:
    """A level that was sent to a worker.

    Attributes:
        task: The task to build the level.
        files: The hashes of the input files that the worker gets with the level, by path.
        rounds: How often the level was sent so far.
    """

    task: Task
    files: dict[str, str] = field(default_factory=dict)
    rounds: int = 0


class ClusterBuilder:
    """Builds the levels of an export on the workers of a Dask cluster.

    Args:
        farm: Has the shared store, from which workers read inputs and to which they write results.
        remembered: Returns the manifest entry for a spec's path, which lists the files that the
            spec's last build read; None if the spec was never built.

    Attributes:
        here: The tasks of levels that only this machine can build.
    """

    def __init__(self, farm: StoreFarm, remembered: Callable[[str], ManifestEntry | None]) -> None:
        self.farm = farm
        self.remembered = remembered
        self._cluster: Cluster | None = None
        self._sent: dict[int, _Sent] = {}
        self.here: list[Task] = []
        # Files that workers lacked, the latest last; and the hashes of stored files.
        self._shared: dict[str, None] = {}
        self._stored: set[str] = set()
        self._run = secrets.token_hex(8)
        # The workers that are known to write to the store that is read here.
        self._trusted: set[str] = set()

    def close(self) -> None:
        """Disconnect from the cluster."""
        if self._cluster is not None:
            self._cluster.__exit__()

    def built(self, tasks: deque[Task]) -> Iterator[TaskResult]:
        """Build `tasks` on workers; yield results as they finish, in any order.

        The caller may add tasks between results; `tasks` is empty at the end. Tasks that only this
        machine can build are added to `here` instead.

        Raises:
            FarmError: The shared store or the cluster cannot be used.
        """
        if not tasks:
            return
        cluster = self._connect()
        while tasks or self._sent:
            while tasks and cluster.has_room:
                self._send(cluster, _Sent(tasks.popleft()))
            for result in cluster.results():
                sent = self._sent.pop(result.task)
                if isinstance(result, FailedTask):
                    yield self._failed_result(sent.task, result.reason)
                    continue
                built = self._handle_answer(cluster, sent, result.worker, result.answer)
                if built is not None:
                    yield built

    # --- inside -------------------------------------------------------------------------------

    def _connect(self) -> Cluster:
        if self._cluster is None:
            address = self.farm.settings.cluster
            assert address is not None
            self._cluster = Cluster(address, build_sent, self.farm.remark)
        return self._cluster

    def _send(self, cluster: Cluster, sent: _Sent) -> None:
        """Send a level to the cluster, or add it to `here`.

        Only this machine can build a level whose spec is a link, or that was sent too often.
        """
        task = sent.task
        if sent.rounds == 0:
            sent.files = self._files_of(task.spec)
        if sent.rounds >= _MAXIMUM_ROUNDS or self._is_linked(task.spec):
            self.here.append(task)
            return
        sent.rounds += 1
        project = task.project
        assert self.farm.settings.store is not None
        level = SentLevel(
            absolute(self.farm.settings.store),
            self._run,
            self.farm.key(task),
            project.targets,
            project.patterns,
            project.fingerprint,
            dict(project.games),
            self.farm.games,
            len(project.root.parts),
            task.spec,
            task.content,
            task.unit,
            sent.files,
            self.farm.settings.max_seconds,
            task.fresh or bool(self.farm.store.damaged),
        )
        self._sent[cluster.submit(encode_sent(level))] = sent

    def _handle_answer(
        self, cluster: Cluster, sent: _Sent, worker: str, data: bytes
    ) -> TaskResult | None:
        """Decode the answer `data` of `worker` about the level `sent`.

        Return None if the level was sent again, or must be built on this machine.
        """
        answer = decode_answer(data)
        if answer.trouble:
            raise FarmError(f"the worker {worker} cannot use the store: {answer.trouble}")
        if answer.is_world:
            self.here.append(sent.task)
            return None
        needed = self._missing_files(answer.inputs)
        if needed:
            sent.files = {**sent.files, **needed}
            for path in needed:
                self._shared.pop(path, None)
                self._shared[path] = None
            self._send(cluster, sent)
            return None
        if answer.problems and not all(answer.inputs.values()):
            # The message about a missing file suggests files beside it, which the worker lacks.
            self.here.append(sent.task)
            return None
        if answer.record is not None:
            self._check_store(sent.task, worker, answer.record)
            self.farm.noted(sent.task)
        return answer.built(sent.task)

    def _check_store(self, task: Task, worker: str, record: bytes) -> None:
        """Raise FarmError if `worker` writes its results to another store.

        `record` is the result of `task` that the worker has stored. Each worker is checked only
        once.
        """
        if worker not in self._trusted:
            if not self.farm.store.has_record(self.farm.key(task), record):
                store = self.farm.store.title
                raise FarmError(
                    f"the worker {worker} uses another store: {store} is a different folder there "
                    "(name a folder that all machines mount, or a URL)"
                )
            self._trusted.add(worker)

    def _missing_files(self, inputs: Mapping[str, str]) -> dict[str, str]:
        """Return files that a worker lacked or had outdated: hashes by path.

        `inputs` are the hashes of the files that the worker read, by path; empty for a file that it
        lacked. The files are put into the shared store; files that the project lacks, too, are left
        out.
        """
        result = {}
        for path in self.farm.files.changed(dict(inputs)):
            digest = self._store(path)
            if digest:
                result[path] = digest
        return result

    def _files_of(self, spec: str) -> dict[str, str]:
        """Put the files that `spec` is likely to read into the shared store.

        Return their hashes, by path.
        """
        entry = self.remembered(spec)
        known = [path for path, digest in entry.inputs.items() if digest] if entry else []
        result = {}
        for path in (edits_file(spec), *known, *list(self._shared)[-_SHARED_FILES:]):
            digest = self._store(path)
            if digest:
                result[path] = digest
        return result

    def _store(self, path: str) -> str:
        """Put the project's file `path` into the shared store; return its hash.

        "" if the file is missing or cannot be read.
        """
        digest = self.farm.files.digest(path)
        if not digest or digest in self._stored:
            return digest
        try:
            content = read_input(self.farm.root / path, MAXIMUM_INPUT_BYTES)
        except OSError:
            return ""
        digest = digest_of(content)
        self.farm.store.save_content(digest, content)
        self._stored.add(digest)
        return digest

    def _is_linked(self, spec: str) -> bool:
        """Return whether `spec` is reached by a link.

        Then its input files lie in another folder, which workers do not have.
        """
        root = os.path.realpath(self.farm.root)
        return os.path.realpath(f"{root}/{spec}") != os.path.normpath(f"{root}/{spec}")

    def _failed_result(self, task: Task, reason: str) -> TaskResult:
        problem = Problem(
            f"building this level {reason}", display_path(task.project.root / task.spec)
        )
        return TaskResult(task, peek_name(task.content, task.spec), 0.0, problems=(problem,))
