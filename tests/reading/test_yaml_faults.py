"""Where a slip in YAML began: with either parser, in good time, and never against good text."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.model.errors import SpecError
from exporter.reading.yaml_faults import slip_in
from exporter.reading.yaml_lines import LineScanner
from exporter.reading.yaml_reader import read_document
from mistakes_table import Mistake, mistakes, printed

SLIPS = [item for item in mistakes() if item.title.startswith("YAML")]
SAFE = """# every form that a spec may have
level: crypt
seed: 'it''s "dark"'
size: [64,
  40]   # two lines
text: "a \\" b # c: [
  d"
plain: it's [not] a {list}: of, "things"
block: |
  a: [
    'b
folded: >-
  # no comment
layers:
  ground: {generator: maze, require: {connected: true}}
  b:
    generator: outline
    of: ground
objects:
- {name: a}
-   name: b
    at: [1, 2]
- - 1
  - 2
url: http://x.y/z
"key": 1
'other': {a: 1, "b": [x, 'y']}
empty:
"""


@each_case("mistake", SLIPS)
def test_the_slower_parser_leads_to_the_same_words(
    mistake: Mistake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert printed(mistake) == mistake.expected


def test_nothing_is_said_against_good_text() -> None:
    assert LineScanner(SAFE.replace('plain: it\'s [not] a {list}: of, "things"\n', "")).slip is None
    assert LineScanner('a: it\'s [not] a "list"\n').slip is None


@each_case("number", range(1, SAFE.count("\n")))
def test_a_slip_below_good_text_is_not_looked_for_above_it(number: int) -> None:
    lines = SAFE.replace('plain: it\'s [not] a {list}: of, "things"\n', "").split("\n")
    text = "\n".join(lines) + "last: [1\n"
    slip = slip_in(text, len(lines), 0)
    assert (slip.line, slip.column) == (len(lines) - 1, 6)


HOSTILE = [
    "[" * 200_000, "- " * 100_000 + "@", "'',"[:2] * 100_000, "a: [" + "'x'," * 50_000,
    "[\n" * 100_000, '"' + "\\" * 200_000, ("a: b\n" * 40_000) + "c", "a: " + ": " * 100_000,
    "#" * 200_000 + "\n@", "a:\n" + (" " * 1000 + "@\n") * 200, "| " * 100_000, "'" * 200_001,
]  # fmt: skip


@each_case("text", HOSTILE)
def test_a_hostile_text_is_diagnosed_in_bounded_work(text: str) -> None:
    # A few steps a character; work that grows with the square would not end.
    slip = slip_in(text, text.count("\n"), 0)
    assert 0 <= slip.line <= text.count("\n")


PIECES = st.sampled_from(
    ["a", "bb", ": ", ":", "- ", "-", "\n", "  ", "\n  ", "[", "]", "{", "}", ", ", "'", '"', "#",
     " # x", "|", ">", "\\", "@", "\t", "名", "''", '\\"']
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_slip_is_reported_at_a_position_that_is_there_and_in_our_words(text: str) -> None:
    try:
        read_document(text.encode(), "x.yaml")
    except SpecError as error:
        lines = text.split("\n")
        for problem in error.problems:
            assert 1 <= problem.line <= len(lines)
            assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
            assert "while parsing" not in problem.message
            assert "expected" not in problem.message
