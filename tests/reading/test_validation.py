"""Plain data against dataclasses: every fault is worded for people, at its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from cases import each_case
from exporter.model.parameters import Color, Name, Parameters, Within
from exporter.reading.validation import check, describe, known_keys, unknown_key
from exporter.reading.yaml_reader import read_document


@dataclass(frozen=True, kw_only=True)
class Leg(Parameters):
    """A leg of a table."""

    length: Annotated[int, Within(1, 9)]
    wood: Literal["oak", "ash"] = "oak"


@dataclass(frozen=True, kw_only=True)
class Table(Parameters):
    """A thing with a field of every kind."""

    name: Name = "x"
    size: tuple[int, int] = (1, 1)
    weights: tuple[float, ...] = ()
    round: bool = False
    color: Color | None = None
    side: Literal["left", "right", False] | int = False
    leg: Leg | None = None
    legs: tuple[Leg, ...] = ()
    named: Mapping[str, Leg] = field(default_factory=dict)
    count: Annotated[int, Within(0, 5)] | str | None = None


def checked(text: str) -> tuple[Table | None, list[str]]:
    """Return the value of a text, and every fault as `line:column: message`."""
    document = read_document(text.encode(), "x.yaml")
    table, problems = check(Table, document.data, document, ())
    return table, [f"{problem.line}:{problem.column}: {problem.message}" for problem in problems]


def test_good_data_becomes_the_dataclass() -> None:
    table, faults = checked(
        "name: a-b\nsize: [3, 4]\nweights: [1, 2.5]\nround: true\ncolor: '#ffffff'\nside: left\n"
        "leg: {length: 9}\nlegs: [{length: 1, wood: ash}]\nnamed: {a: {length: 2}}\ncount: many\n"
    )
    assert faults == []
    assert table == Table(
        name="a-b",
        size=(3, 4),
        weights=(1.0, 2.5),
        round=True,
        color="#ffffff",
        side="left",
        leg=Leg(length=9),
        legs=(Leg(length=1, wood="ash"),),
        named={"a": Leg(length=2)},
        count="many",
    )


@each_case(
    ("text", "said"),
    [
        ("5", "1:1: expected a mapping with keys such as name, size, weights, not 5"),
        ("nam: x", "1:1: unknown key 'nam' (did you mean 'name'?)"),
        ("leg: {lenght: 1, length: 1}", "1:7: unknown key 'lenght' (did you mean 'length'?)"),
        ("legs: [{length: 1, zzz: 1}]", "1:20: unknown key 'zzz' (allowed: length, wood)"),
        ("named: {a: {length: 1, b: 1}}", "1:24: unknown key 'b' (allowed: length, wood)"),
        ("leg: {}", "1:6: 'length' is missing here"),
        ("leg:\n  wood: oak", "1:1: 'length' is missing here"),
        ("legs: [{length: 1}, {}]", "1:21: 'length' is missing here"),
        ("size: [1]", "1:7: the list is too short (expected a list of 2 whole numbers)"),
        ("size: [1, 2, 3]", "1:7: the list has 3 entries (expected a list of 2 whole numbers)"),
        ("size: 5", "1:7: expected a list of 2 whole numbers, not 5 (write [5, 5])"),
        ("size: {a: 1}", "1:7: expected a list of 2 whole numbers, not a mapping"),
        ("size: [1, 2.5]", "1:11: expected a whole number, not 2.5"),
        ("size: [1, '2']", "1:11: expected a whole number, not the text '2'"),
        ("weights: [1, x]", "1:14: expected a number, not the text 'x'"),
        ("weights: [1, true]", "1:14: expected a number, not true"),
        ("round: 1", "1:8: expected true or false, not 1"),
        ("round: null", "1:8: nothing is given here (expected true or false; write it after"),
        ("name: 5", "1:7: expected a name, not 5 (write '5' in quotes)"),
        ("name: a b",
         "1:7: 'a b' is not allowed here (a to z, A to Z, digits, _ and -, at most 64"),
        ("color: red", "1:8: 'red' is not allowed here (#rrggbb or #rrggbbaa)"),
        ("color: 5", "1:8: expected a colour, not 5"),
        ("leg: 5", "1:6: expected a mapping with keys such as length, wood, not 5"),
        ("leg: {length: 0}", "1:15: value 0 is out of range (allowed: 1 to 9)"),
        ("legs: [{length: 1}, {length: 10}]", "1:30: value 10 is out of range (allowed: 1 to 9)"),
        ("leg: {length: 1, wood: pine}", "1:24: the text 'pine' is not allowed here (allowed: oak"),
        ("leg: {length: 1, wood: aok}", "(allowed: oak, ash; did you mean 'oak'?)"),
        ("side: rigth", "allowed: left, right, false, a whole number; did you mean 'right'?"),
        ("side: 1.5",
         "1:7: 1.5 is not allowed here (allowed: left, right, false, a whole number; write"),
        ("count: 6", "1:8: value 6 is out of range (allowed: 0 to 5)"),
        ("count: [1]", "1:8: expected a whole number from 0 to 5 or text, not a list"),
        ("named: [1]", "1:8: expected a mapping, not a list"),
        ("named: {a: 5}", "1:12: expected a mapping with keys such as length, wood, not 5"),
    ],
)  # fmt: skip
def test_a_fault_is_worded_at_its_position(text: str, said: str) -> None:
    table, faults = checked(text)
    assert table is None
    assert len(faults) == 1
    assert said in faults[0]


def test_all_faults_are_reported_in_the_order_of_the_file() -> None:
    _, faults = checked("round: 5\nlegs: [{length: 0, wod: 1}]\nsize: [x, y]\nnam: a\n")
    assert [fault.rpartition(": ")[0][:4].rstrip(":") for fault in faults] == [
        "1:8",
        "2:17",
        "2:20",
        "3:8",
        "3:11",
        "4:1",
    ]


def test_faults_below_a_position_are_reported_at_that_position() -> None:
    document = read_document(b"a: {b: {length: 0}}", "x.yaml")
    _, (problem,) = check(Leg, document.get(("a", "b")), document, ("a", "b"))
    assert (problem.file, problem.line, problem.column) == ("x.yaml", 1, 17)


@each_case(
    ("value", "words"),
    [
        (True, "true"),
        (False, "false"),
        (None, "nothing"),
        ({}, "a mapping"),
        ([], "a list"),
        ((1,), "a list"),
        (5, "5"),
        (2.5, "2.5"),
        ("a", "the text 'a'"),
        ("x" * 58, "the text '" + "x" * 58 + "'"),
        ("x" * 59, "the text '" + "x" * 56 + "..."),
        (10**60, "1" + "0" * 56 + "..."),
    ],
)
def test_values_are_described_in_plain_words_and_not_at_any_length(value: Any, words: str) -> None:
    assert describe(value) == words


def test_an_unknown_key_names_what_is_near_or_all_there_is() -> None:
    assert unknown_key("lenth", Leg) == "unknown key 'lenth' (did you mean 'length'?)"
    assert unknown_key("Wood", Leg) == "unknown key 'Wood' (did you mean 'wood'?)"
    assert unknown_key("zzz", Leg) == "unknown key 'zzz' (allowed: length, wood)"
    assert unknown_key("zzz", Table, ("leg",)) == "unknown key 'zzz' (allowed: length, wood)"
    assert unknown_key("zzz", int) == "unknown key 'zzz' (allowed: none)"


@each_case(
    ("path", "keys"),
    [
        (
            (),
            ["name", "size", "weights", "round", "color", "side", "leg", "legs", "named", "count"],
        ),
        (("leg",), ["length", "wood"]),
        (("legs", 0), ["length", "wood"]),
        (("legs", 7), ["length", "wood"]),
        (("named", "any"), ["length", "wood"]),
        (("name",), []),
        (("size", 0), []),
        (("nowhere",), []),
    ],
)
def test_the_keys_at_a_position_are_those_of_its_dataclass(
    path: tuple[str | int, ...], keys: list[str]
) -> None:
    assert known_keys(Table, path) == keys


def test_the_keys_of_a_fixed_list_are_those_of_each_position() -> None:
    pair = tuple[Leg, Table]
    assert known_keys(pair, (0,)) == ["length", "wood"]
    assert known_keys(pair, (1, "leg")) == ["length", "wood"]
    assert known_keys(pair, (1,))[0] == "name"
    assert known_keys(pair, (2,)) == ["length", "wood"]


@dataclass(frozen=True, kw_only=True)
class Lenient:
    """Parameters as another package may have them: texts of numbers are numbers."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"strict": False, "extra": "forbid"}

    count: int = 0
    share: float = 0.0
    flag: bool = False
    names: list[str] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    nothing: None = None


@each_case(
    ("text", "said"),
    [
        ("count: x", "1:8: expected a whole number, not the text 'x'"),
        ("count: 1.5", "1:8: expected a whole number, not 1.5 (write 1 or 2)"),
        ("count: []", "1:8: expected a whole number, not a list"),
        ("share: x", "1:8: expected a number, not the text 'x'"),
        ("share: []", "1:8: expected a number, not a list"),
        ("flag: x", "1:7: expected true or false, not the text 'x'"),
        ("flag: []", "1:7: expected true or false, not a list"),
        ("names: 5", "1:8: expected a list of text, not 5"),
        ("sizes: 5", "1:8: expected a mapping, not 5"),
        ("nothing: 5", "1:10: expected nothing, not 5"),
    ],
)
def test_faults_of_lenient_parameters_are_worded_like_those_of_ours(text: str, said: str) -> None:
    document = read_document(text.encode(), "x.yaml")
    _, (problem,) = check(Lenient, document.data, document, ())
    assert f"{problem.line}:{problem.column}: {problem.message}" == said
    document = read_document(b"{count: '5', share: '2', flag: 'yes'}", "x.yaml")
    good, _ = check(Lenient, document.data, document, ())
    assert good == Lenient(count=5, share=2.0, flag=True)
