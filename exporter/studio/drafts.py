"""Edit a spec and its hand edits as a draft, with undo, redo and revert.

A draft is a copy of the file's text. A change replaces only the text of its value, so saving writes
exactly the shown text. The draft also records its changes: if the file changes meanwhile, they can
be reapplied to the new text. Hand edits are part of the same history.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from exporter.model.errors import ExporterError, Problem, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.reading.change_steps import differences
from exporter.reading.changes import Change, Insert, Refused, SetValue
from exporter.reading.names import edits_file
from exporter.reading.spec_changes import Changed, changed_spec
from exporter.reading.yaml_reader import Document, Path, read_document
from exporter.studio.differences import merged_text
from exporter.studio.hand import (
    NOTHING,
    UNCHANGED,
    Hand,
    Redrawn,
    built_text,
    difference,
    edits_text,
    hand_of,
    redrawn,
    too_many,
    undoing,
)

# Limits of the undo history: steps, and about how many bytes they take together. The oldest steps
# are dropped.
MAXIMUM_STEPS = 10_000
MAXIMUM_STEP_BYTES = 64 << 20
# About how many bytes the edit of a cell or object takes.
_EDIT_BYTES = 200


@dataclass(frozen=True, slots=True)
class DraftStep:
    """One step of the undo history: the text before it, and its changes.

    Successive steps with the same `merge`, such as those of one drag, become one step. `drawn` is
    the step's change of the hand edits, and `undrawn` the inverse. `typed` marks a text that a
    person typed, so that `changes` may lack parts of it. `linked` marks changes of a link, which
    are untrusted. `total` is the approximate memory in bytes of this step and all before it.
    """

    before: bytes
    changes: tuple[Change, ...]
    merge: str = ""
    drawn: Redrawn = UNCHANGED
    undrawn: Redrawn = UNCHANGED
    total: int = 0
    linked: bool = False
    typed: bool = False

    @property
    def size(self) -> int:
        """The approximate number of bytes that this step takes in memory."""
        edits = sum(len(item.cells) + len(item.objects) for item in (self.drawn, self.undrawn))
        return _EDIT_BYTES * edits + (len(self.before) if self.changes or self.typed else 0)

    def then(self, later: DraftStep) -> DraftStep:
        """Return one step that does this one and then `later`."""
        changes = (*self.changes, *later.changes)
        if _sets(self.changes) == _sets(later.changes) is not None:
            changes = later.changes  # each value of a drag replaces the one before
        return DraftStep(
            self.before,
            changes,
            self.merge,
            self.drawn.then(later.drawn),
            later.undrawn.then(self.undrawn),
            typed=self.typed or later.typed,
        )


@dataclass(frozen=True, slots=True)
class Draft:
    """A spec and its hand edits while they are edited; immutable.

    In all methods, `file` is the spec's name for messages. Successive steps with the same text
    `merge`, such as those of one drag, become one step.

    Attributes:
        base: The text of the spec's file that the draft is based on.
        content: The present text of the spec.
        done: The steps that lead from the base to the present text, oldest first.
        undone: The steps that can be redone, the next one last, each with the text after it.
        edits_base: The text of the edits file that the draft is based on; None without one.
        hand_base: The hand edits in that text.
        hand: The hand edits now; the same object as `hand_base` if unchanged.
        faults: Why the edits file cannot be read; then drawing is impossible.
        settled: How many of the steps `done` the base already contains; None if the steps do not
            lead from the base to the draft.
        document: The parsed present text; None until it is parsed.
    """

    base: bytes
    content: bytes
    done: tuple[DraftStep, ...] = ()
    undone: tuple[tuple[DraftStep, bytes], ...] = ()
    edits_base: bytes | None = None
    hand_base: Hand = NOTHING
    hand: Hand = NOTHING
    faults: tuple[Problem, ...] = ()
    settled: int | None = 0
    document: Document | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, content: bytes, edits: bytes | None = None, file: str = "") -> Draft:
        """Return a new draft of unchanged files.

        `content` is the text of the spec, `edits` that of its edits file; None without one.
        """
        return cls(content, content).with_edits(edits, file)

    @classmethod
    def restored(
        cls,
        base: bytes,
        content: bytes,
        edits_base: bytes | None,
        edits: bytes | None,
        file: str,
        *,
        linked: bool,
    ) -> Draft:
        """Return a draft from stored texts; its changes become undo steps.

        Args:
            base: The text of the spec's file that the draft is based on.
            content: The draft's text of the spec.
            edits_base: The text of the edits file that the draft is based on; None without one.
            edits: The draft's text of the edits file; None without one.
            file: The spec's name for messages.
            linked: Whether the last step came from a link.

        Raises:
            ExporterError: The hand edits cannot be read.
        """
        draft = cls.of(base, edits_base, file)
        if edits != edits_base:
            draft = draft.draw(difference(draft.hand_base, hand_of(edits, edits_file(file))))
        draft = draft._typed(content)
        if not linked or not draft.done:
            return draft
        return replace(draft, done=(*draft.done[:-1], replace(draft.done[-1], linked=True)))

    @property
    def changed(self) -> bool:
        """Whether saving would change the spec or the edits file."""
        return self.content != self.base or self.redrawn

    @property
    def linked(self) -> bool:
        """Whether the last step came from a link, with no edit or save since."""
        return bool(self.done) and self.done[-1].linked and self.settled != len(self.done)

    @property
    def redrawn(self) -> bool:
        """Whether saving would change the edits file."""
        return self.hand is not self.hand_base

    def edits_text(self, file: str) -> bytes | None:
        """Return the text that saving writes into the edits file.

        Return None if there is no file to write.

        Raises:
            SpecError: The text cannot be changed in place.
        """
        return edits_text(self.edits_base, self.hand_base, self.hand, edits_file(file))

    def built_edits(self, file: str) -> bytes | None:
        """Return a text of the hand edits for a build; None without edits.

        This is quicker than `edits_text`, but may have other line numbers.
        """
        return built_text(self.edits_base, self.hand_base, self.hand, edits_file(file))

    def with_edits(self, edits: bytes | None, file: str) -> Draft:
        """Return the draft based on `edits`, the text of the edits file.

        Edits that were drawn in the draft are dropped. `edits` is None if there is no file.
        """
        try:
            hand = hand_of(edits, edits_file(file))
        except SpecError as error:
            return replace(
                self, edits_base=edits, hand_base=NOTHING, hand=NOTHING, faults=error.problems
            )
        return replace(self, edits_base=edits, hand_base=hand, hand=hand, faults=())

    def draw(self, drawn: Redrawn, merge: str = "") -> Draft:
        """Return the draft after a step that changes the hand edits by `drawn`.

        Successive steps with the same text `merge` become one.

        Raises:
            SpecError: The file with hand edits has faults.
            ExporterError: There would be too many edits.
        """
        return self.change((), "", merge, drawn)

    def change(
        self,
        changes: Sequence[Change],
        file: str,
        merge: str = "",
        drawn: Redrawn = UNCHANGED,
        linked: bool = False,
    ) -> Draft:
        """Return the draft after a step of changes.

        Args:
            changes: The changes of the spec's text.
            file: The spec's name for messages.
            merge: Successive steps with the same text become one; empty for a step of its own.
            drawn: The changes of the hand edits in the same step.
            linked: Whether the step comes from a link.

        Raises:
            ExporterError: The text cannot be changed in this way.
            SpecError: The text cannot be read.
        """
        content, document = self.content, self.document
        if changes:
            changed = self._changed(changes, file)
            content, document = changed.after, changed.document
        hand, undrawn = self.hand, undoing(self.hand, drawn)
        if drawn and undrawn != drawn:
            if self.faults:
                raise SpecError(self.faults)
            hand = self._hand_after(drawn)
        if content == self.content and hand is self.hand:
            return self
        step = DraftStep(self.content, tuple(changes), merge, drawn, undrawn, linked=linked)
        return self._stepped(step, content, document, hand)

    def retyped(self, text: bytes, merge: str = "") -> Draft:
        """Return the draft with a text of the spec that a person typed.

        The text may be broken. It has plain line feeds and no byte order mark; the draft keeps its
        own line ends and mark. Successive steps with the same text `merge` become one.
        """
        content = text.replace(b"\n", b"\r\n") if b"\r\n" in self.content else text
        if self.content.startswith(BOM_UTF8):
            content = BOM_UTF8 + content
        return self._typed(content, merge)

    def _typed(self, content: bytes, merge: str = "") -> Draft:
        if content == self.content:
            return self
        return self._stepped(
            DraftStep(self.content, (), merge, typed=True), content, None, self.hand
        )

    def _stepped(
        self, step: DraftStep, content: bytes, document: Document | None, hand: Hand
    ) -> Draft:
        """Return the draft after `step`, with the new `content` and `hand`."""
        settled = self.settled
        if settled is not None and settled > len(self.done):
            settled = None  # steps that the base contains were undone, and cannot be redone
        done = self.done
        if step.merge and done and done[-1].merge == step.merge and settled != len(done):
            step, done = done[-1].then(step), done[:-1]
        done = (*done, replace(step, total=step.size + (done[-1].total if done else 0)))
        forgotten = _forgotten(done)
        if settled is not None and forgotten:
            settled = settled - forgotten if settled >= forgotten else None
        return replace(
            self,
            content=content,
            hand=hand,
            done=done[forgotten:],
            undone=(),
            settled=settled,
            document=document,
        )

    def data(self, file: str) -> Any:
        """Return the parsed text of the spec; None if it cannot be parsed."""
        try:
            return (self.document or read_document(self.content, file)).data
        except SpecError:
            return None

    def _changed(self, changes: Sequence[Change], file: str) -> Changed:
        changed = changed_spec(self.content, file, changes, document=self.document)
        if isinstance(changed, Refused):
            if changed.problems:
                raise SpecError(changed.problems)
            raise ExporterError(changed.reason)
        return changed

    def _hand_after(self, drawn: Redrawn) -> Hand:
        """Return the hand edits after the step `drawn`.

        If they equal `hand_base`, that object itself is returned.
        """
        hand = redrawn(self.hand, drawn)
        message = too_many(hand)
        if message:
            raise ExporterError(message)
        return self.hand_base if hand == self.hand_base else hand

    def undo(self) -> Draft:
        """Return the draft without its last step, which `redo` can do again."""
        if not self.done:
            return self
        last = self.done[-1]
        return replace(
            self,
            content=last.before,
            document=None,
            hand=self._hand_after(last.undrawn) if last.undrawn else self.hand,
            done=self.done[:-1],
            undone=(*self.undone, (last, self.content)),
        )

    def redo(self) -> Draft:
        """Return the draft after the step that `undo` took back last."""
        if not self.undone:
            return self
        step, after = self.undone[-1]
        return replace(
            self,
            content=after,
            document=None,
            hand=self._hand_after(step.drawn) if step.drawn else self.hand,
            done=(*self.done, replace(step, merge="")),
            undone=self.undone[:-1],
        )

    def saved(self, edits: bytes | None) -> Draft:
        """Return the draft after it was saved, based on the saved texts.

        Its steps can still be undone. `edits` is the saved text of the edits file; None without a
        file.
        """
        return replace(
            self,
            base=self.content,
            edits_base=edits,
            hand_base=self.hand,
            settled=len(self.done),
        )

    def rebased(self, base: bytes, file: str, edits: bytes | None = None) -> Draft:
        """Return the draft with its unsaved changes applied to other texts.

        `base` is the text of the spec's file now, `edits` that of its edits file; None without one.

        Raises:
            ExporterError: The new text cannot be changed in this way.
            SpecError: The new text cannot be read.
        """
        draft = Draft.of(base, edits, file)
        typed = any(step.typed for step in self.done[self.settled or 0 :])
        merged = merged_text(self.base, self.content, base) if typed else None
        if merged is not None:
            return draft._typed(merged).draw(difference(self.hand_base, self.hand))
        if typed or self.settled is None or self.settled > len(self.done):
            drawn = difference(self.hand_base, self.hand)
            return draft.change(self._changes_since(file), file, "", drawn, self.linked)
        for step in self.done[self.settled :]:
            draft = draft.change(step.changes, file, step.merge, step.drawn, step.linked)
        return draft

    def _changes_since(self, file: str) -> list[Change]:
        """Return the changes from `base` to `content`, found by comparing values."""
        before, after = (read_document(item, file).data for item in (self.base, self.content))
        # A new key's position among others has no meaning in another text.
        return [
            replace(item, index=None) if isinstance(item, Insert) else item
            for item in differences(before, after)
        ]


def _forgotten(done: Sequence[DraftStep]) -> int:
    """Return how many of the oldest steps to drop, by number and memory."""
    count = max(0, len(done) - MAXIMUM_STEPS)
    while len(done) - count > 1 and done[-1].total - done[count].total > MAXIMUM_STEP_BYTES:
        count += 1
    return count


def _sets(changes: Sequence[Change]) -> list[Path] | None:
    """Return the paths of `changes` if all of them set values; otherwise None."""
    paths = [change.path for change in changes if isinstance(change, SetValue)]
    return paths if paths and len(paths) == len(changes) else None
