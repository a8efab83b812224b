"""Mistakes people make in specs, with what they are told: `mistakes.txt` is the table.

The table is read by people as well: it is what a newcomer sees.
"""

from __future__ import annotations

import re

from cases import each_case
from mistakes_table import Mistake, mistakes, problems_of, shown

# Words of the parser, of the validator and of Python, which mean nothing to who writes a spec.
FOREIGN = (
    "expected node", "block mapping", "flow", "scalar", "token", "NoneType", "dict", "tuple",
    "int_", "Input should", "string_type", "simple key", "sequence", "document start", "Literal",
    "str",
)  # fmt: skip


MISTAKES = mistakes()


@each_case("mistake", MISTAKES)
def test_a_mistake_is_told_as_the_table_says(mistake: Mistake) -> None:
    assert shown(mistake) == mistake.told


@each_case("mistake", MISTAKES)
def test_a_message_has_a_place_a_way_out_and_no_foreign_words(mistake: Mistake) -> None:
    problems = problems_of(mistake)
    assert problems
    lines = mistake.text.split("\n")
    for problem in problems:
        assert problem.column <= len(lines[problem.line - 1].replace("<TAB>", "\t")) + 1
        assert re.search(r"\(.+\)$|^expected ", problem.message), problem.message
        words = re.sub(r"'[^']*'|`[^`]*`", "", problem.message)
        assert not [word for word in FOREIGN if re.search(rf"\b{word}", words)]
