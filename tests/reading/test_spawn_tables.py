"""Mistakes in a spawn and in its table have a line, a column and a suggestion."""

from __future__ import annotations

import spec_problems
from cases import each_case

SPEC = """\
size: [40, 30]
layers:
  ground: {generator: bsp_rooms}
objects:
  - {name: start}
  - {name: exit, far_from: start}
  - name: monster
    spawn: {table: monsters, budget: [3, 12], along: [start, exit]}
tables:
  monsters:
    columns: {name: text, danger: integer, weight: integer, first: "integer?"}
    rows:
      - [rat, 1, 6, null]
      - {name: ogre, danger: 5, weight: 2, first: 20}
"""
SPAWN = "{table: monsters, budget: [3, 12], along: [start, exit]}"


def problems_of(old: str, new: str) -> list[str]:
    """Return the problems of the spec with a change, as `line:column: message`."""
    assert old in SPEC
    return spec_problems.problems_of(SPEC.replace(old, new, 1))


def test_the_spec_itself_is_good() -> None:
    assert problems_of("rat", "rat") == []
    assert problems_of(SPAWN, "{table: monsters, budget: 5, per: 200, at_most: 3}") == []
    whole = "{table: monsters, budget: [3, 3], along: [start, exit], earliest: first}"
    assert problems_of(SPAWN, whole) == []


@each_case(
    ("old", "new", "said"),
    [
        ("table: monsters", "table: monster",
         "8:20: unknown table 'monster' (did you mean 'monsters'?)"),
        ("table: monsters, ", "", "8:12: 'table' is missing here (needed: a name)"),
        (", along: [start, exit]", "",
         ("8:38: the budget has two numbers, but no path (add `along: [start, exit]` "
"with names of your objects, or write one number)")),
        ("[3, 12], along: [start, exit]", "3, earliest: first",
         ("8:51: 'earliest' needs a path between two objects (add `along: [start, exit]` "
"with names of your objects)")),
        ("along: [start, exit]", "along: [start, end]",
         "8:62: unknown object 'end' (known: exit, monster, start)"),
        ("along: [start, exit]", "along: [start, start]",
         "8:62: the path starts and ends at 'start' (name two different objects)"),
        ("along: [start, exit]", "along: [start, monster]",
         "8:62: 'monster' cannot refer to itself (use `spacing` to keep them apart)"),
        ("along: [start, exit]", "along: [start, exit], per: map",
         ("8:54: the whole map has one budget, so it cannot change along a path (write "
"`per: room` or a number of cells, or remove `along`)")),
        ("    spawn:", "    count: 1\n    spawn:",
         "8:12: 'count' does not go with 'spawn', whose `budget` decides how many there are "
         "(remove it, or limit them with `at_most` in `spawn`)"),
        ("    spawn:", "    count: 4\n    spawn:",
         "8:12: 'count' does not go with 'spawn', whose `budget` decides how many there are "
         "(remove it, or limit them with `at_most` in `spawn`)"),
        ("    spawn:", "    at: [3, 3]\n    spawn:",
         ("8:9: `at` cannot be used with `spawn`, which chooses cells in every room "
"(remove one of them)")),
        (SPAWN, "{table: monsters, budget: 5, weight: wieght}",
         "8:49: the table 'monsters' has no column 'wieght' for this spawn (did you mean "
         "'weight'?)"),
        (SPEC[SPEC.index("danger: integer") :].rstrip(),
         "threat: integer, weight: integer}\n    rows:\n      - [rat, 1, 6]",
         "8:12: the table 'monsters' has no column 'danger' for this spawn (known: name, "
         "threat, weight; name one with `danger` in `spawn`)"),
        (SPAWN, "{table: monsters, budget: 5, danger: name}",
         "8:49: column 'name' is text (allowed for `danger`: integer)"),
        (SPAWN, "{table: monsters, budget: 5, weight: first}",
         "8:49: column 'first' may be null (allowed for `weight`: integer)"),
        ("[rat, 1,", "[rat, 0,",
         "13:15: column 'danger' is the danger of a spawn, and 0 is out of range (allowed: 1 to "
         "1000000000)"),
        ("[rat, 1, 6", "[rat, 1, -6",
         "13:18: column 'weight' is the weight of a spawn, and -6 is out of range (allowed: 0 "
         "to 2147483647)"),
        ("danger: 5", "danger: -5",
         "14:30: column 'danger' is the danger of a spawn, and -5 is out of range (allowed: 1 "
         "to 1000000000)"),
    ],
)  # fmt: skip
def test_a_mistake_is_reported_at_its_position(old: str, new: str, said: str) -> None:
    assert problems_of(old, new) == [said]


def test_a_share_of_the_way_is_a_percentage() -> None:
    assert problems_of(
        SPEC[SPEC.index(SPAWN) :],
        SPEC[SPEC.index(SPAWN) :]
        .replace("exit]}", "exit], earliest: first}")
        .replace("first: 20", "first: 120"),
    ) == [
        "14:51: column 'first' is the earliest of a spawn, and 120 is out of range (allowed: 0 to "
        "100)"
    ]


def test_weights_that_draw_nothing_are_reported() -> None:
    rows = SPEC[SPEC.index("    rows:") :]
    assert problems_of(rows, "    rows: []\n") == [
        "8:20: the table 'monsters' has 0 rows (allowed for a spawn: 1 to 4096)"
    ]
    many = "    rows:\n" + "      - [rat, 0, 6, null]\n" * 4097
    assert problems_of(rows, many) == [
        "8:20: the table 'monsters' has 4097 rows (allowed for a spawn: 1 to 4096)"
    ]
    assert problems_of(rows, "    rows:\n      - [rat, 1, 0, null]\n") == [
        "8:12: the weights of the table 'monsters' add up to 0 (allowed: 1 to 2147483647)"
    ]
    large = "    rows:\n      - [rat, 1, 2147483647, null]\n      - [bat, 1, 1, null]\n"
    assert problems_of(rows, large) == [
        "8:12: the weights of the table 'monsters' add up to 2147483648 (allowed: 1 to 2147483647)"
    ]


def test_nothing_is_said_of_what_depends_on_a_table_with_faults() -> None:
    assert problems_of("[rat, 1,", "[rat, one,") == [
        "13:15: column 'danger' is integer, not 'one' (allowed: a whole number of "
        "-9223372036854775808 to 9223372036854775807)"
    ]


def test_a_fault_of_a_table_is_reported_once_however_many_use_it() -> None:
    other = f"{SPAWN}\n  - {{name: guard, spawn: {SPAWN}}}"
    text = SPEC.replace(SPAWN, other).replace("[rat, 1,", "[rat, 0,")
    (problem,) = spec_problems.problems_of(text)
    assert problem.startswith("14:")


def test_a_cycle_by_way_of_the_way_is_reported() -> None:
    (message,) = problems_of("far_from: start", "far_from: [start, monster]")
    assert "cycle: exit -> monster -> exit" in message
