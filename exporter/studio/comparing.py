"""Read the texts of the level that a tab compares its draft with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from exporter.model.errors import ExporterError, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_EDITS_BYTES, MAXIMUM_SPEC_BYTES
from exporter.project.level_files import LevelFile, Signature, signature
from exporter.project.revisions import find_revision
from exporter.studio.drafts import Draft
from exporter.studio.request_checks import Action, MalformedError, number_of
from exporter.studio.session_builds import TabSession
from exporter.studio.views import ComparisonView, OtherText, OutputsView

# Finds the texts of the other level, for the open level and its draft.
Source = Callable[[LevelFile, Draft], OtherText]

_LONGEST_TEXT = 200
# Displayed characters of a commit's hash.
_SHORT_HASH = 10


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonRequest:
    """A request to compare each new draft with another level.

    Attributes:
        number: The number that the page gave the request.
        label: How to call the other level if it cannot be read.
        source: Reads the texts of the other level.
        files: The files that the other level is read from.
    """

    number: int
    label: str
    source: Source
    files: tuple[Path, ...] = ()

    def view(self, level: LevelFile, draft: Draft) -> ComparisonView:
        """Return the comparison of a level's draft with another level.

        `draft` is the draft of `level`, the open level. If the texts of the other level cannot be
        read, the comparison has the problem instead.
        """
        try:
            other = self.source(level, draft)
        except SpecError as error:
            return ComparisonView(self.number, self.label, None, error.problems[0].message)
        except ExporterError as error:
            return ComparisonView(self.number, self.label, None, str(error))
        return ComparisonView(self.number, other.label, other)


@dataclass(frozen=True, slots=True)
class OutputsViewRequest:
    """A request to compare the exported files of both levels.

    Attributes:
        comparison: The request to compare the levels.
    """

    comparison: ComparisonRequest

    def view(self, level: LevelFile, draft: Draft) -> OutputsView:
        """Return the comparison of the files that both levels export.

        `draft` is the draft of `level`, the open level.
        """
        return OutputsView(self.comparison.view(level, draft))


class ComparisonActions:
    """Handles the requests of one session to compare its draft.

    Attributes:
        actions: The handler of each request, by the name of the request (`do`).
    """

    def __init__(self, session: TabSession) -> None:
        self._session = session
        self._reference: OtherText | None = None
        self._request: ComparisonRequest | None = None
        self._seen: dict[Path, Signature] = {}
        self.actions: dict[str, Action] = {
            "compare": self._compare,
            "outputs": self._outputs,
            "keep": self._keep,
        }

    async def _compare(self, message: dict[str, Any]) -> None:
        level, _ = self._session.opened()
        number, expected = number_of(message), message["with"]
        self._want(None if expected is None else self._request_of(expected, number, level))

    async def _outputs(self, message: dict[str, Any]) -> None:
        self._session.opened()
        stop = message.get("stop", False)
        if not stop and self._request is None:
            raise MalformedError("nothing is compared")
        request = None if stop or self._request is None else OutputsViewRequest(self._request)
        self._session.builds.once("outputs", request)

    async def _keep(self, _message: dict[str, Any]) -> None:
        level, draft = self._session.opened()
        label = f"{level.name} as kept"
        self._reference = _text_of(level, label, draft.content, draft.built_edits(level.name))
        self._session.send({"event": "kept", "label": label})

    def follow(self) -> None:
        """Compare again if a file of the other level has changed."""
        if self._request is not None and any(
            signature(at) != was for at, was in self._seen.items()
        ):
            self._want(replace(self._request))

    def _want(self, request: ComparisonRequest | None) -> None:
        self._request = request
        self._seen = {
            path: signature(path) for path in (request.files if request is not None else ())
        }
        self._session.builds.once("outputs", None)
        self._session.builds.want("comparison", request)

    def _request_of(
        self, choice: dict[str, Any], number: int, level: LevelFile
    ) -> ComparisonRequest:
        """Return the comparison that `choice`, a request's field `with`, names.

        `number` is the number that the page gave the request, `level` the open level.

        Raises:
            MalformedError: `choice` is malformed, or its level does not exist.
        """
        [(kind, value)] = choice.items()
        if kind == "saved":
            return ComparisonRequest(number, "saved file", _saved, (level.path, level.edits))
        if kind == "revision" and _is_text(value):
            return ComparisonRequest(number, value, _Committed(value))
        if kind == "seed" and (_is_seed(value) or _is_text(value)):
            return ComparisonRequest(number, f"seed {value}", _with_seed(value))
        if kind == "level":
            other = self._session.files.get(value)
            if other is None:
                raise MalformedError("there is no such level (it may have been renamed)")
            return ComparisonRequest(
                number, other.name, _other_level(other), (other.path, other.edits)
            )
        if kind == "kept":
            if self._reference is None:
                raise MalformedError(
                    "there is no kept draft to compare with (choose `Keep as A` first)"
                )
            remaining = self._reference
            return ComparisonRequest(number, remaining.label, lambda _level, _draft: remaining)
        raise MalformedError(
            f"`with` cannot be {kind!r} with this value (allowed: `saved`, `revision`, `seed`, "
            "`level` or `kept`)"
        )


def _saved(level: LevelFile, _draft: Draft) -> OtherText:
    return _text_of(level, "saved file", level.read(), level.read_edits())


def _other_level(other: LevelFile) -> Source:
    return lambda _level, _draft: _text_of(other, other.name, other.read(), other.read_edits())


def _with_seed(seed: int | str) -> Source:
    def found(level: LevelFile, draft: Draft) -> OtherText:
        edits = draft.built_edits(level.name)
        return replace(_text_of(level, f"seed {seed}", draft.content, edits), seed=seed)

    return found


class _Committed:
    """Reads a level from a commit once, and reuses the texts for each draft."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._last_read: tuple[LevelFile, OtherText] | None = None

    def __call__(self, level: LevelFile, _draft: Draft) -> OtherText:
        if self._last_read is None or self._last_read[0] != level:
            self._last_read = level, self._read(level)
        return self._last_read[1]

    def _read(self, level: LevelFile) -> OtherText:
        revision = find_revision(level.path.parent, self._name)
        file = f"{self._name}:./{level.name}"
        try:
            content = revision.read(level.path, MAXIMUM_SPEC_BYTES)
        except FileNotFoundError:
            raise ExporterError(
                f"{level.name} is not in the commit {self._name} (commit it, or name another one)"
            ) from None
        except OSError as error:
            raise ExporterError(f"{file} cannot be read ({error.strerror or error})") from None
        try:
            edits = revision.read(level.edits, MAXIMUM_EDITS_BYTES)
        except FileNotFoundError:
            edits = None
        except OSError as error:
            raise ExporterError(
                f"the hand edits of {file} cannot be read ({error.strerror or error})"
            ) from None
        label = f"{self._name} ({revision.commit[:_SHORT_HASH]})"
        return replace(_text_of(level, label, content, edits), file=file, revision=revision)


def _text_of(level: LevelFile, label: str, content: bytes, edits: bytes | None) -> OtherText:
    return OtherText(label, content, level.name, level.path.parent, level.root, edits)


def _is_seed(value: object) -> bool:
    return type(value) is int and -(1 << 63) <= value < 1 << 64


def _is_text(value: object) -> bool:
    """Return whether `value` is a short text that UTF-8 can encode."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_TEXT:
        return False
    # JSON lets halves of characters through.
    return not any("\ud800" <= item <= "\udfff" for item in value)
