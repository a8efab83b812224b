"""Hand edits in the text of their file: kept entries keep their text."""

from __future__ import annotations

import random

import pytest

from cases import each_case
from exporter.model.errors import SpecError
from exporter.model.limits import MAXIMUM_EDITS
from exporter.reading.edit_text import edits_text, with_edits_changed
from exporter.reading.edits import CellEdit, ObjectEdit, parse_edits

FILE = "cavern.edits.yaml"
TEXT = """\
# The village green.
layers:
  ground:
    - {at: [1, 2], was: wall, now: floor}  # the way in
    # the pond
    - {at: [3, 2], was: wall, now: water}
  roof:
    - {at: [0, 0], was: null, now: tiles}

objects:
  - {name: chest, ordinal: 2, was: [4, 7], now: [5, 7]}
  - {name: chest, add: [9, 9]}  # found by all testers
"""


def cell(x: int, y: int, was: str | int | None, now: str | int | None) -> CellEdit:
    return CellEdit(at=(x, y), was=was, now=now)


def changed(text: str | None, layers: dict, objects: list) -> str:
    content = None if text is None else text.encode()
    return with_edits_changed(content, FILE, layers, objects).decode()


def parts(text: str) -> tuple[dict, list]:
    read = parse_edits(text.encode(), FILE)
    return {name: list(edits) for name, edits in read.layers.items()}, list(read.objects)


def test_the_same_edits_leave_the_text_as_it_is() -> None:
    assert changed(TEXT, *parts(TEXT)) == TEXT


def test_a_new_file_has_an_edit_a_line_and_reads_back() -> None:
    layers, objects = parts(TEXT)
    text = changed(None, layers, objects)
    assert parts(text) == (layers, objects)
    assert text.count("\n") == 2 + 2 + 3 + 1 + 2


def test_an_edit_that_changes_keeps_its_line_and_comment() -> None:
    layers, objects = parts(TEXT)
    layers["ground"][0] = cell(1, 2, "floor", "water")
    text = changed(TEXT, layers, objects)
    assert text == TEXT.replace("was: wall, now: floor}  #", "was: floor, now: water}  #")


def test_an_edit_that_goes_takes_its_line_alone() -> None:
    layers, objects = parts(TEXT)
    del layers["ground"][1], objects[0]
    expected = [
        line for line in TEXT.splitlines() if "[3, 2]" not in line and "ordinal" not in line
    ]
    assert changed(TEXT, layers, objects).splitlines() == expected


def test_new_edits_come_behind_the_last_one_of_their_list() -> None:
    layers, objects = parts(TEXT)
    layers["ground"].append(cell(7, 7, "wall", None))
    layers["attic"] = [cell(1, 1, 5, 6)]
    objects.append(ObjectEdit(name="key", ordinal=1, was=(1, 1), remove=True))
    lines = changed(TEXT, layers, objects).splitlines()
    assert lines[6] == "    - {at: [7, 7], was: wall, now: null}"
    assert lines[9:11] == ["  attic:", "    - {at: [1, 1], was: 5, now: 6}"]
    assert lines[-1] == "  - {name: key, ordinal: 1, was: [1, 1], remove: true}"
    assert [line for line in lines if line in TEXT.splitlines()] == TEXT.splitlines()


def test_the_last_edit_of_a_list_can_be_exchanged_for_another() -> None:
    layers, objects = parts(TEXT)
    layers["roof"] = [cell(2, 2, None, "tiles")]
    text = changed(TEXT, layers, objects)
    assert text == TEXT.replace("{at: [0, 0]", "{at: [2, 2]")


def test_a_layer_without_edits_goes_and_the_last_edit_takes_the_file_along() -> None:
    layers, objects = parts(TEXT)
    text = changed(TEXT, {"ground": layers["ground"]}, objects)
    assert "roof" not in text
    plain = edits_text(layers, objects)
    assert changed(plain, {}, []) == ""
    assert changed(changed(None, layers, objects), {}, []) == ""


@each_case(
    "text",
    [
        "# why\n",
        "---\n# why",
        "--- # why\n",
        "null # why",
        "{} # why",
        "layers: {} # why\n",
        " # why",
    ],
)
def test_an_empty_mapping_in_any_form_keeps_its_comment_above_the_first_edit(text: str) -> None:
    layers, objects = parts(TEXT)
    after = changed(text, layers, objects)
    assert after == "# why\n" + edits_text(layers, objects)
    assert parts(after) == (layers, objects)
    assert changed(text, {}, []) == "# why\n"


def test_what_a_person_wrote_stays_though_no_edit_does() -> None:
    assert changed(TEXT, {}, []).splitlines()[0] == "# The village green."


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_ends_stay(line_end: str) -> None:
    layers, objects = parts(TEXT)
    layers["ground"].append(cell(7, 7, "wall", "floor"))
    text = changed(TEXT.replace("\n", line_end), layers, objects)
    assert text.count("\n") == text.count(line_end)


def test_a_style_without_lines_is_written_anew_unless_that_loses_a_comment() -> None:
    flow = "layers: {ground: [{at: [1, 2], was: wall, now: floor}]}\n"
    layers = {"ground": [cell(3, 3, "wall", "floor")]}
    assert parts(changed(flow, layers, [])) == (layers, [])
    with pytest.raises(SpecError, match="on a line of its own"):
        changed(flow + "# mine\n", layers, [])


def test_names_that_yaml_misreads_stand_in_quotes() -> None:
    layers = {"1": [cell(1, 1, "no", "1.5"), cell(2, 1, "a: b", "#x")]}
    assert parts(changed(None, layers, [])) == (layers, [])


def test_random_changes_read_back_and_keep_every_comment() -> None:
    choose = random.Random(5)
    for _ in range(150):
        layers, objects = parts(TEXT)
        for name in ("ground", "roof", "moss"):
            for _ in range(choose.randrange(4)):
                edits = {edit.at: edit for edit in layers.get(name, [])}
                at = (choose.randrange(5), choose.randrange(4))
                edits.pop(at, None)
                if choose.random() < 0.7:
                    edits[at] = cell(*at, choose.choice(["wall", None]), "floor")
                layers[name] = list(edits.values())
        if choose.random() < 0.5:
            objects = objects[choose.randrange(3) :]
        text = changed(TEXT, layers, objects)
        read, things = parts(text)
        expected = {name: set(edits) for name, edits in layers.items() if edits}
        assert {name: set(edits) for name, edits in read.items() if edits} == expected
        assert things == objects
        assert text.startswith("# The village green.\n")


def cells_of(count: int) -> list[CellEdit]:
    return [CellEdit(at=(i % 8000, i // 8000), was="wall", now="floor") for i in range(count)]


def test_more_edits_than_can_be_read_again_are_refused() -> None:
    with pytest.raises(SpecError, match=r"50,001 hand edits .*allowed: 50,000 .*from_tiled"):
        with_edits_changed(None, FILE, {"ground": cells_of(MAXIMUM_EDITS + 1)}, [])


def test_a_file_that_is_too_long_to_be_read_again_is_refused() -> None:
    long = [CellEdit(at=(i, 0), was="w" * 200, now="f" * 200) for i in range(8000)]
    long += [CellEdit(at=(i, 1), was="w" * 200, now="f" * 200) for i in range(8000)]
    with pytest.raises(SpecError, match=r"16,000 hand edits in 6,\d\d\d,\d\d\d bytes .*4,194,304"):
        with_edits_changed(None, FILE, {"ground": long}, [])
