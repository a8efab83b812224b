"""Decide what to do with a draft whose files have changed."""

from __future__ import annotations

from exporter.model.errors import ExporterError
from exporter.studio.drafts import Draft


def followed(draft: Draft, theirs: bytes, edits: bytes | None, file: str) -> Draft | None:
    """Return `draft` based on the present texts of its files.

    A file that the draft has not changed is reloaded, so the spec can change while cells are drawn.
    Return None if the draft and the file both changed, and the user must choose. `theirs` is the
    present text of the spec, `edits` that of its edits file, or None; `file` is the spec's name for
    messages.
    """
    spec_same, edits_same = theirs == draft.base, edits == draft.edits_base
    if spec_same and edits_same:
        return draft
    if not draft.changed:
        return Draft.of(theirs, edits, file)
    try:
        if theirs == draft.content and edits == draft.edits_text(file):
            return Draft.of(theirs, edits, file)
        if spec_same and not draft.redrawn:
            return draft.with_edits(edits, file)
        if edits_same and draft.content == draft.base:
            return draft.rebased(theirs, file, edits)
    except ExporterError:
        return None
    return None
