"""Decide what to do with a draft whose files have changed."""

from __future__ import annotations

from exporter.model.errors import ExporterError
from exporter.studio.drafts import Draft


def followed(draft: Draft, theirs: bytes, edits: bytes | None, file: str) -> Draft | None:
    """Return `draft` based on the present files; None if the user must choose.

    A file that the draft has not changed is reloaded, so the spec can change while cells are drawn.
    The user must choose if the draft has changed the same file in another way.

    Args:
        draft: The draft.
        theirs: The present text of the spec.
        edits: The present text of the edits file; None without one.
        file: The spec's name for messages.
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
