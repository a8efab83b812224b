"""What a tab compares its draft with: where the texts of the other level are found.

compare   {number, with}   compare from now on, until `with` is null; `with` is one of
                           {"saved": true}       the files as they are saved
                           {"revision": NAME}    the files in a commit of Git
                           {"seed": SEED}        the draft with another seed
                           {"level": ID}         another level, as it is saved
                           {"kept": true}        what `keep` has kept
outputs   {}               how the exported files of what is compared differ, once
outputs   {"stop": true}   no more of that
keep      {}               keep the draft as it is now, to compare with later
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from exporter.model.errors import ExporterError, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_EDITS_BYTES, MAXIMUM_SPEC_BYTES
from exporter.project.revisions import find_revision
from exporter.studio.comparison_view import ComparisonView, OtherText, OutputsView
from exporter.studio.drafts import Draft
from exporter.studio.levels import LevelFile, LevelFiles, Signature, signature
from exporter.studio.messages import MalformedError
from exporter.studio.session_builds import SessionBuilds

Action = Callable[[dict[str, Any]], Awaitable[None]]
# Finds the texts of the other level, for the open level and its draft.
Source = Callable[[LevelFile, Draft], OtherText]

_LONGEST_TEXT = 200
_MOST_NUMBERS = 1 << 53
# Characters of a commit's hash that are told.
_SHORT_HASH = 10


class ComparingSession(Protocol):
    """What comparing needs of a session."""

    builds: SessionBuilds

    @property
    def files(self) -> LevelFiles:
        """The levels that can be opened."""

    def opened(self) -> tuple[LevelFile, Draft]:
        """Return the open level and its draft."""

    def tell(self, event: str, **fields: Any) -> None:
        """Send the tab an event."""


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """A comparison that is wanted; its texts are found when a draft is compared.

    Attributes:
        number: The page's number of it.
        label: What the other level is, for people, where it cannot be read.
        source: Finds its texts.
        files: The files that it is read from.
    """

    number: int
    label: str
    source: Source
    files: tuple[Path, ...] = ()

    def view(self, level: LevelFile, draft: Draft) -> ComparisonView:
        """Return the view of a draft; what cannot be read is a problem of it."""
        try:
            other = self.source(level, draft)
        except SpecError as error:
            return ComparisonView(self.number, self.label, None, error.problems[0].message)
        except ExporterError as error:
            return ComparisonView(self.number, self.label, None, str(error))
        return ComparisonView(self.number, other.label, other)


@dataclass(frozen=True, slots=True)
class OutputsWish:
    """How the files of the two levels of a comparison differ.

    Attributes:
        comparison: The comparison.
    """

    comparison: Wish

    def view(self, level: LevelFile, draft: Draft) -> OutputsView:
        """Return the view of a draft; what cannot be read is a problem of it."""
        return OutputsView(self.comparison.view(level, draft))


class ComparisonActions:
    """The actions of one session that compare its draft.

    Args:
        session: The session.

    Attributes:
        actions: What does each message, by its `do`.
    """

    def __init__(self, session: ComparingSession) -> None:
        self._session = session
        self._kept: OtherText | None = None
        self._wish: Wish | None = None
        self._seen: dict[Path, Signature] = {}
        self.actions: dict[str, Action] = {
            "compare": self._compare,
            "outputs": self._outputs,
            "keep": self._keep,
        }

    async def _compare(self, message: dict[str, Any]) -> None:
        level, _ = self._session.opened()
        number, wanted = message.get("number", 0), message.get("with")
        if type(number) is not int or not 0 <= number < _MOST_NUMBERS:
            raise MalformedError("`number` is a whole number")
        self._want(None if wanted is None else self._wish_of(wanted, number, level))

    async def _outputs(self, message: dict[str, Any]) -> None:
        self._session.opened()
        stop = message.get("stop", False)
        if type(stop) is not bool:
            raise MalformedError("`stop` is true or false")
        if not stop and self._wish is None:
            raise MalformedError("nothing is compared")
        wish = None if stop or self._wish is None else OutputsWish(self._wish)
        self._session.builds.once("outputs", wish)

    async def _keep(self, _message: dict[str, Any]) -> None:
        level, draft = self._session.opened()
        label = f"{level.name} as kept"
        self._kept = _text_of(level, label, draft.content, draft.built_edits(level.name))
        self._session.tell("kept", label=label)

    def follow(self) -> None:
        """Compare anew if a file of the other level has changed."""
        if self._wish is not None and any(signature(at) != was for at, was in self._seen.items()):
            self._want(replace(self._wish))

    def _want(self, wish: Wish | None) -> None:
        self._wish = wish
        self._seen = {path: signature(path) for path in (wish.files if wish is not None else ())}
        self._session.builds.once("outputs", None)
        self._session.builds.want("comparison", wish)

    def _wish_of(self, wanted: object, number: int, level: LevelFile) -> Wish:
        """Return the comparison that a message wants.

        Raises:
            MalformedError: It is none that could be.
        """
        if not isinstance(wanted, dict) or len(wanted) != 1:
            raise MalformedError("`with` is null, or a mapping with one entry")
        [(kind, value)] = wanted.items()
        if kind == "saved" and value is True:
            return Wish(number, "saved file", _saved, (level.path, level.edits))
        if kind == "revision" and _is_text(value):
            return Wish(number, value, _Committed(value))
        if kind == "seed" and (_is_seed(value) or _is_text(value)):
            return Wish(number, f"seed {value}", _with_seed(value))
        if kind == "level":
            other = self._session.files.get(value)
            if other is None:
                raise MalformedError("there is no such level (it may have been renamed)")
            return Wish(number, other.name, _other_level(other), (other.path, other.edits))
        if kind == "kept" and value is True:
            if self._kept is None:
                raise MalformedError("nothing is kept yet")
            kept = self._kept
            return Wish(number, kept.label, lambda _level, _draft: kept)
        raise MalformedError("`with` names `saved`, `revision`, `seed`, `level` or `kept`")


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
    """Reads a level from a commit; once for each level, since a drag compares many drafts."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._found: tuple[LevelFile, OtherText] | None = None

    def __call__(self, level: LevelFile, _draft: Draft) -> OtherText:
        if self._found is None or self._found[0] != level:
            self._found = level, self._read(level)
        return self._found[1]

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
    """Whether something is a short text that can be written in UTF-8."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_TEXT:
        return False
    # JSON lets halves of characters through.
    return not any("\ud800" <= one <= "\udfff" for one in value)
