"""Drafts: changes reapplied to a changed file, and kept drafts."""

from __future__ import annotations

from typing import Any

import pytest

from cases import each_case
from exporter.model.errors import ExporterError
from exporter.reading import spec_changes
from exporter.reading.changes import Insert, Remove, SetValue
from exporter.reading.edits import CellEdit
from exporter.reading.yaml_reader import Document, read_document
from exporter.studio import drafts
from exporter.studio.drafts import Draft
from exporter.studio.following import followed
from exporter.studio.hand import Redrawn

FILE = "a.level.yaml"
TEXT = b"size: [32, 24]\nseed: 7\nobjects:\n  - {name: start}\n"
THEIRS = b"# theirs\n"
CHEST = Insert(("objects", 1), {"name": "chest"})
DRAWN = Redrawn(cells={("ground", (1, 1)): CellEdit(at=(1, 1), was="wall", now="floor")})


def saved_with_a_chest() -> Draft:
    return Draft.of(TEXT, None, FILE).change([CHEST], FILE).saved(None)


def test_what_is_saved_already_is_not_created_again_on_a_changed_file() -> None:
    draft = saved_with_a_chest().change([SetValue(("seed",), 9)], FILE)
    again = draft.rebased(draft.base + THEIRS, FILE)
    assert again.content == draft.base.replace(b"seed: 7", b"seed: 9") + THEIRS


def test_a_file_is_followed_below_a_drawing_without_what_is_saved_already() -> None:
    draft = saved_with_a_chest().draw(DRAWN)
    result = followed(draft, draft.base + THEIRS, None, FILE)
    assert result is not None
    assert result.content == draft.base + THEIRS
    assert result.hand == draft.hand


def test_a_saved_key_does_not_stand_in_the_way() -> None:
    draft = Draft.of(TEXT, None, FILE).change([Insert(("visibility",), {"radius": 4})], FILE)
    draft = draft.saved(None).change([SetValue(("seed",), 9)], FILE)
    assert b"seed: 9" in draft.rebased(draft.base + THEIRS, FILE).content


def test_a_drag_goes_on_over_a_save() -> None:
    draft = Draft.of(TEXT, None, FILE).change([SetValue(("seed",), 8)], FILE, "drag")
    draft = draft.saved(None).change([SetValue(("size", 0), 9)], FILE, "drag")
    theirs = draft.base.replace(b"seed: 8", b"seed: 100")
    assert b"seed: 100" in draft.rebased(theirs, FILE).content


def test_what_was_saved_and_accepted_back_is_accepted_back_in_a_changed_file() -> None:
    draft = saved_with_a_chest().undo()
    again = draft.rebased(draft.base + THEIRS, FILE)
    assert again.content == TEXT + THEIRS


def test_another_way_from_a_saved_step_that_was_accepted_back() -> None:
    draft = saved_with_a_chest().undo().change([SetValue(("seed",), 9)], FILE)
    draft = draft.change([Insert(("visibility",), {"radius": 4})], FILE)
    again = draft.rebased(draft.base + THEIRS, FILE)
    assert again.content == draft.content + THEIRS


def test_a_saved_drawing_that_was_accepted_back_is_accepted_back_in_a_changed_file() -> None:
    drawn = Draft.of(TEXT, None, FILE).draw(DRAWN)
    text = drawn.edits_text(FILE)
    draft = drawn.saved(text).undo()
    assert drawn.hand.count == 1
    assert draft.rebased(TEXT + THEIRS, FILE, text).hand.count == 0


def test_a_long_drag_is_created_again_as_one_change() -> None:
    draft = Draft.of(TEXT, None, FILE)
    for seed in range(100):
        draft = draft.change([SetValue(("seed",), seed)], FILE, "drag")
    assert [item.changes for item in draft.done] == [(SetValue(("seed",), 99),)]
    draft = draft.change([Remove(("seed",))], FILE, "drag")
    assert len(draft.done[0].changes) == 2
    assert b"seed" not in draft.rebased(TEXT + THEIRS, FILE).content


def test_steps_that_are_forgotten_are_created_again_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drafts, "MAXIMUM_STEPS", 3)
    draft = Draft.of(TEXT, None, FILE).change([CHEST], FILE)
    for seed in range(5):
        draft = draft.change([SetValue(("seed",), seed)], FILE)
    assert len(draft.done) == 3
    assert draft.rebased(TEXT + THEIRS, FILE).content == draft.content + THEIRS


def test_of_a_long_text_fewer_steps_are_preserved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MAXIMUM_STEP_BYTES", 100_000)
    draft = Draft.of(TEXT + b"# " + b"x" * 20_000, None, FILE)
    for seed in range(20):
        draft = draft.change([SetValue(("seed",), 100 + seed)], FILE)
    assert 4 <= len(draft.done) <= 6
    assert b"seed: 118" in draft.undo().content


def test_of_large_drawings_fewer_steps_are_preserved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MAXIMUM_STEP_BYTES", 100_000)
    draft = Draft.of(TEXT, None, FILE)
    for tile in ("floor", "water") * 20:
        cells = [(x, y) for x in range(5) for y in range(10)]
        edits = {("ground", at): CellEdit(at=at, was="wall", now=tile) for at in cells}
        draft = draft.draw(Redrawn(cells=edits))
    assert 4 <= len(draft.done) <= 6
    assert draft.undo().hand.layers["ground"][1, 1].now == "floor"


def test_one_step_is_always_preserved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MAXIMUM_STEP_BYTES", 1)
    draft = Draft.of(TEXT, None, FILE)
    for seed in (1, 2):
        draft = draft.change([SetValue(("seed",), seed)], FILE)
    assert b"seed: 1" in draft.undo().content


@each_case("changed", [False, True])
@each_case("linked", [False, True])
def test_a_restored_step_came_from_a_link_as_before(changed: bool, linked: bool) -> None:
    content = TEXT + THEIRS if changed else TEXT
    draft = Draft.restored(TEXT, content, None, None, FILE, linked=linked)
    assert draft.linked == (changed and linked)


def test_changes_that_the_new_file_has_no_position_for_are_refused() -> None:
    draft = Draft.of(TEXT, None, FILE).change([Remove(("objects", 0))], FILE)
    with pytest.raises(ExporterError, match="objects"):
        draft.rebased(b"size: [32, 24]\n", FILE)


def test_a_text_is_read_once_for_each_of_several_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = Draft.of(TEXT, None, FILE).change([SetValue(("seed",), 8)], FILE)
    texts = []

    def read(content: bytes, *rest: Any) -> Document:
        texts.append(content)
        return read_document(content, *rest)

    monkeypatch.setattr(drafts, "read_document", read)
    monkeypatch.setattr(spec_changes, "read_document", read)
    for seed in (9, 10):
        draft = draft.change([SetValue(("seed",), seed)], FILE)
        assert draft.data(FILE)["seed"] == seed
    assert texts == [TEXT.replace(b"7", b"9"), TEXT.replace(b"7", b"10")]
    assert draft.undo().data(FILE)["seed"] == 9
    assert draft.undo().redo().data(FILE)["seed"] == 10
