"""Run the stages of a build; reuse results whose inputs are unchanged.

A stage is a function that reads all its inputs through an `Inputs` object, which records each read
as a question. A deterministic stage asks the same questions if it gets the same answers, so its
result can be found without running it. The questions of earlier runs are stored under the stage's
name; the hash of their present answers is the key under which the result is stored. A result's own
key is the hash of its content, so a rebuild ends at a stage whose result is unchanged. This is the
method of constructive traces in Mokhov, Mitchell and Peyton Jones, "Build Systems a la Carte"
(2018).

Nothing here reads or writes files: a `StageCache` keeps bytes by key, and may drop them at any
time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Generic, Protocol, TypeVar

from exporter.build.inputs import Inputs, InputSource, Question
from exporter.model.keys import content_key, stage_key
from exporter.model.lazy_dataclass import dataclass

Result = TypeVar("Result")
# Entered with the label of each stage, and left when the stage is done: for progress and timing.
# Stages can be nested.
Track = Callable[[str], AbstractContextManager[None]]

# How many sets of questions are stored for one stage: it may ask other questions in other levels,
# or after other answers.
MAXIMUM_RECORDS = 32

# Smaller results are stored in the file that names them, to save a file.
SMALL_BYTES = 4096
_KEY_DIGITS = 64


class StageCache(Protocol):
    """Stores results of stages as bytes by key; may drop them at any time."""

    def load(self, key: str) -> bytes | None:
        """Return the bytes stored under `key`; None without any."""

    def save(self, key: str, data: bytes) -> None:
        """Store `data` under `key`."""


@dataclass(frozen=True)
class Stage(Generic[Result]):
    """A stage of a build: its name, and how its result is made and stored.

    Attributes:
        name: The kind of step, and what identifies the stage, such as the names of generator and
            layer.
        make: Makes the result from its inputs.
        encode: Encodes the result as bytes; None if it cannot be stored.
        decode: Decodes the result; raises ValueError if the bytes are malformed.
        label: The stage's name for users; if empty, the kind of step.
    """

    name: tuple[str, ...]
    make: Callable[[Inputs], Result]
    encode: Callable[[Result], bytes | None]
    decode: Callable[[bytes], Result]
    label: str = ""


def untracked(_label: str) -> AbstractContextManager[None]:
    """Return a context that does nothing: the default of `track`."""
    return nullcontext()


class Stages:
    """Runs the stages of one build, with an optional cache.

    Args:
        source: Answers the questions of the stages: returns the inputs that they name.
        cache: Keeps results between builds; None runs every stage.
        identity: The hash of the exporter's code, which is part of every key.
        track: Called with the label of each stage; the stage runs inside the returned context.

    Attributes:
        unsaved: Results by key that are written to the cache after the build, so that the build
            does not wait for the disk.
    """

    def __init__(
        self, source: InputSource, cache: StageCache | None, identity: str, track: Track = untracked
    ) -> None:
        self.source = source
        self.cache = cache
        self.identity = identity
        self.track = track
        self.unsaved: dict[str, bytes] = {}

    def run(self, stage: Stage[Result]) -> tuple[Result, str | None]:
        """Return the result of `stage`, and the result's cache key.

        The stored result is returned if the stage's inputs are unchanged. The key is None without a
        cache, or if the result cannot be stored.
        """
        with self.track(stage.label or stage.name[0]):
            return self._run(stage)

    def _run(self, stage: Stage[Result]) -> tuple[Result, str | None]:
        if self.cache is None:
            return stage.make(Inputs(self.source)), None
        position = stage_key(self.identity, *stage.name)
        records = self._records(position)
        for questions in records:
            results = self._remembered(stage, position, questions)
            if results is not None:
                self.source.depend(questions)
                return results
        inputs = Inputs(self.source)
        result = stage.make(inputs)
        questions = list(inputs.questions)
        key = questions_key(self.source, questions, position)
        data = stage.encode(result) if key is not None else None
        if key is None or data is None:
            return result, None
        result_key = content_key(data)
        self.unsaved[key] = result_key.encode()
        if 0 < len(data) <= SMALL_BYTES:
            self.unsaved[key] += data
        else:
            self.unsaved[result_key] = data
        if questions not in records:
            remaining = [questions, *records][:MAXIMUM_RECORDS]
            self.unsaved[position] = json.dumps(remaining, separators=(",", ":")).encode()
        return result, result_key

    def _remembered(
        self, stage: Stage[Result], path: str, questions: list[Question]
    ) -> tuple[Result, str] | None:
        key = questions_key(self.source, questions, path)
        pointer = self._load(key) if key is not None else None
        if pointer is None:
            return None
        try:
            result_key = pointer[:_KEY_DIGITS].decode("ascii")
            data = pointer[_KEY_DIGITS:] or self._load(result_key)
            if data is None or content_key(data) != result_key:
                return None  # deleted or damaged
            return stage.decode(data), result_key
        except (ValueError, KeyError, TypeError, IndexError):
            return None  # not written by us: made again

    def _records(self, path: str) -> list[list[Question]]:
        try:
            records = json.loads(self._load(path) or b"[]")
            return [[_question(item) for item in record] for record in records]
        except (ValueError, TypeError, RecursionError):
            return []

    def _load(self, key: str) -> bytes | None:
        """Return the bytes stored under `key`, or about to be stored.

        None without any.
        """
        assert self.cache is not None
        return self.unsaved.get(key) or self.cache.load(key)


def _question(data: object) -> Question:
    if not isinstance(data, list) or not all(isinstance(part, str | int) for part in data):
        raise ValueError("malformed question: a list of texts and integers is expected")
    return tuple(data)


def questions_key(source: InputSource, questions: Iterable[Question], *parts: str) -> str | None:
    """Return a hash of the present answers to `questions`, and of `parts`.

    `source` gives the answers. None if an answer has no hash, so that a result cannot be stored.
    """
    texts = [*parts]
    for question in questions:
        answer = source.key(question)
        if answer is None:
            return None
        texts += [json.dumps(question), answer]
    return stage_key(*texts)
