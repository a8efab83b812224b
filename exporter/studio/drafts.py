"""Drafts: the text of a spec as a person changes it, with undo, redo and the way back to the file.

A draft is text, as the file is: every change replaces only the text of its value, so that what is
shown is what will be saved, to the byte. The draft remembers its changes, too: when the file has
changed meanwhile they can be made again on the new text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from exporter.model.errors import ExporterError, SpecError
from exporter.reading.changes import Change, Refused
from exporter.reading.spec_changes import changed_spec

# Steps that can be taken back; the oldest are forgotten.
MAXIMUM_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a person: the text before it, and the changes it made.

    `merge` is what steps have in common that are one for undo, such as those of one drag.
    """

    before: bytes
    changes: tuple[Change, ...]
    merge: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A spec's text under work.

    Attributes:
        base: The text of the file that the draft began with.
        content: The text now.
        done: The steps that led here from the base, oldest first.
        undone: The steps that can be made again, the next one last, each with the text after it.
    """

    base: bytes
    content: bytes
    done: tuple[Step, ...] = ()
    undone: tuple[tuple[Step, bytes], ...] = ()

    @classmethod
    def of(cls, content: bytes) -> Draft:
        """Return the draft of a file that nobody has changed yet."""
        return cls(content, content)

    @property
    def changed(self) -> bool:
        """Whether saving would change the file."""
        return self.content != self.base

    def change(self, changes: Sequence[Change], file: str, merge: str = "") -> Draft:
        """Return the draft with some changes, as one step.

        Args:
            changes: What to change.
            file: The spec's name for messages.
            merge: See `Step`; a step with the text of the one before joins it.

        Raises:
            ExporterError: The text cannot be changed so.
            SpecError: The text cannot be read.
        """
        changed = changed_spec(self.content, file, changes)
        if isinstance(changed, Refused):
            if changed.problems:
                raise SpecError(changed.problems)
            raise ExporterError(changed.reason)
        content = changed.after
        if content == self.content:
            return self
        if merge and self.done and self.done[-1].merge == merge:
            last = self.done[-1]
            step = replace(last, changes=(*last.changes, *changes))
            return replace(self, content=content, done=(*self.done[:-1], step), undone=())
        step = Step(self.content, tuple(changes), merge)
        done = (*self.done, step)[-MAXIMUM_STEPS:]
        return replace(self, content=content, done=done, undone=())

    def undo(self) -> Draft:
        """Return the draft without its last step."""
        if not self.done:
            return self
        last = self.done[-1]
        return replace(
            self,
            content=last.before,
            done=self.done[:-1],
            undone=(*self.undone, (last, self.content)),
        )

    def redo(self) -> Draft:
        """Return the draft with the step that was taken back last."""
        if not self.undone:
            return self
        step, after = self.undone[-1]
        return replace(
            self, content=after, done=(*self.done, replace(step, merge="")), undone=self.undone[:-1]
        )

    def saved(self) -> Draft:
        """Return the draft once its text is that of the file; it can still be undone."""
        return replace(self, base=self.content)

    def rebased(self, base: bytes, file: str) -> Draft:
        """Return the draft with its changes made again on another text of the file.

        Raises:
            ExporterError: The new text cannot be changed so.
            SpecError: The new text cannot be read.
        """
        draft = Draft.of(base)
        for step in self.done:
            draft = draft.change(step.changes, file, step.merge)
        return draft
