"""Edits files: accepted and refused texts, the same by both ways to read them."""

from __future__ import annotations

import random

import pytest

from cases import each_case
from exporter.model.errors import SpecError
from exporter.reading import edits
from exporter.reading.edit_lines import read_lines
from exporter.reading.edit_text import edits_text
from exporter.reading.edits import CellEdit, ObjectEdit, parse_any_edits, parse_edits
from exporter.reading.yaml_reader import read_document

FILE = "cavern.edits.yaml"
LINES = [
    "layers:",
    "  ground:",
    "  roof:",
    "    - {at: [1, 2], was: wall, now: floor}",
    "    - {at: [3, 2], was: null, now: 65535}  # note",
    "    - {at: [3, 2], was: no, now: floor}",
    "    - {at: [9000, 2], was: wall, now: floor}",
    "    - {at: [4, 2], was: 65536, now: floor}",
    "    - {at: [04, 2], was: 1, now: floor}",
    "    - {at: [5, 2], was: wall, now: }",
    "    - {at: [6, 2], was: wall , now: floor}",
    "    # a comment",
    "",
    "objects:",
    "  - {name: chest, add: [1, 1]}",
    "  - {name: chest, ordinal: 2, remove: true}",
    "other: 1",
]

FAULTY = {*LINES[5:11], LINES[-1]}


def read(text: str, how: object) -> object:
    try:
        result = how(text.encode(), FILE)  # type: ignore[operator]
    except SpecError as error:
        return str(error)
    layers = {name: edits for name, edits in result.layers.items() if edits}
    places = [
        result.document.values[("layers", name, index)].line
        for name, edits in layers.items()
        for index in range(len(edits))
    ]
    warning = result.warning(("layers", "ground", 0), "x")
    objects = [result.warning(("objects", i), "x") for i in range(len(result.objects))]
    return layers, result.objects, places, (warning.line, warning.column), objects, result.digest


def test_both_ways_to_read_a_file_agree() -> None:
    choose = random.Random(9)
    quick = 0
    for _ in range(400):
        faults = choose.choice((0.0, 0.05, 0.3))
        lines = [line for line in LINES if choose.random() < (faults if line in FAULTY else 0.6)]
        if choose.random() < 0.3:
            choose.shuffle(lines)
        text = "\n".join(lines) + "\n"
        if "layers:" in lines and "  ground:" in lines:
            quick += read_lines(text, FILE) is not None
        result, expected = read(text, parse_edits), read(text, parse_any_edits)
        if isinstance(result, str) or isinstance(expected, str):
            assert result == expected
        else:
            assert result[:3] == expected[:3]
            assert result[4:] == expected[4:]
    assert quick > 30


def test_what_the_exporter_writes_is_read_by_lines() -> None:
    layers = {"ground": [CellEdit(at=(x, 3), was="wall", now=None) for x in range(9)]}
    objects = [ObjectEdit(name="chest", add=(1, 2))]
    for line_end in ("\n", "\r\n"):
        text = edits_text(layers, objects, line_end)
        assert read_lines(text, FILE) is not None
        result = parse_edits(text.encode(), FILE)
        assert ({n: list(e) for n, e in result.layers.items()}, list(result.objects)) == (
            layers,
            objects,
        )


@each_case(
    ("text", "position", "words"),
    [
        ("layers: {g: [{at: [1, 2], was: a}]}", "1:14", "'now' is missing"),
        ("layers: {g: [{at: [1, 2], nwo: a, was: b}]}", "1:27", "did you mean 'now'?"),
        ("layers: {g: [{at: [-1, 2], was: a, now: b}]}", "1:20", "out of range"),
        ("layers: {g: [{at: [1, 2], was: true, now: b}]}", "1:32", "expected"),
        ("layer: {}", "1:1", "did you mean 'layers'?"),
        ("objects: [{name: a}]", "1:11", "the edit has no `now`, `add` or `remove`"),
        ("objects: [{name: a, add: [1, 1], remove: true}]", "1:11", "`add` and `remove`"),
        ("objects: [{name: a, now: [1, 1], ordinal: 1}]", "1:11", "`was` is missing"),
        ("objects: [{name: a, remove: true}]", "1:11", "`ordinal` is missing"),
        ("objects: [{name: a, ordinal: 1, remove: false}]", "1:11", "`remove` is false"),
        ("objects: [{name: a, add: [1, 1], ordinal: 1}]", "1:11", "has no `ordinal`"),
        ("[]", "1:1", "expected a mapping"),
        ("layers: &a {}", "1:9", "anchors"),
    ],
)
def test_a_fault_is_reported_at_its_position(text: str, position: str, words: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_edits(text.encode(), FILE)
    (problem,) = caught.value.problems
    assert f"{problem.line}:{problem.column}" == position, problem
    assert words in problem.message


def test_a_repeated_edit_names_the_first_line() -> None:
    cell = "    - {at: [1, 2], was: wall, now: floor}\n"
    thing = "  - {name: chest, ordinal: 1, remove: true}\n"
    text = f"layers:\n  ground:\n{cell}{cell}objects:\n{thing}{thing}"
    with pytest.raises(SpecError) as caught:
        parse_edits(text.encode(), FILE)
    assert [(problem.line, problem.message) for problem in caught.value.problems] == [
        (4, "the cell [1, 2] is edited twice (first in line 3; remove one)"),
        (7, "this object is edited twice (first in line 6; remove one)"),
    ]


@each_case("text", ["", "# only a comment\n", "layers:\n", "layers:\n  ground:\n"])
def test_a_file_without_edits_is_no_fault(text: str) -> None:
    result = parse_edits(text.encode(), FILE)
    assert result.count == 0


def test_a_file_has_limits() -> None:
    with pytest.raises(SpecError, match="bytes long"):
        parse_edits(b"#" * (5 << 20), FILE)


@pytest.mark.parametrize("how", [parse_edits, parse_any_edits])
def test_both_readers_allow_as_many_edits(how: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits, "MAXIMUM_EDITS", 2)
    cells = [CellEdit(at=(i, 0), was="wall", now="floor") for i in range(3)]
    assert isinstance(read(edits_text({"ground": cells[:2]}, ()), how), tuple)
    assert "3 hand edits are too many" in str(read(edits_text({"ground": cells}, ()), how))


def test_as_many_edits_as_are_allowed_fit_the_limit_of_values() -> None:
    moved = [ObjectEdit(name="chest", ordinal=i, was=(1, 2), now=(3, 4)) for i in range(1, 11)]
    share = edits.MAXIMUM_EDIT_VALUES * len(moved) // edits.MAXIMUM_EDITS
    document = read_document(edits_text({}, moved).encode(), FILE, maximum_values=share)
    assert len(document.data["objects"]) == len(moved)
