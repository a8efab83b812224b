"""Mistakes people make in specs, with what they are told: `mistakes.txt` is the table.

The table is read by people as well: it is what a newcomer sees. After a change of words,
`python tests/reading/test_mistakes.py` writes it anew and shows the difference, to be read.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from exporter.model.errors import Problem, SpecError
from exporter.project.settings_file import parse_project
from exporter.reading.reader import parse_level

TABLE = Path(__file__).with_name("mistakes.txt")
WIDTH = 100
# Words of the parser, of the validator and of Python, which mean nothing to who writes a spec.
FOREIGN = (
    "expected node", "block mapping", "flow", "scalar", "token", "NoneType", "dict", "tuple",
    "int_", "Input should", "string_type", "simple key", "sequence", "document start", "Literal",
    "str",
)  # fmt: skip


class Mistake(NamedTuple):
    """A row of the table."""

    title: str
    text: str
    told: str


def mistakes() -> list[Mistake]:
    """Return the rows of the table."""
    rows = []
    for part in TABLE.read_text(encoding="utf-8").split("\n=== ")[1:]:
        title, _, rest = part.partition("\n")
        text, _, told = rest.partition("\n--------\n")
        rows.append(Mistake(title, text + "\n", told.rstrip("\n")))
    return rows


def problems_of(mistake: Mistake) -> list[Problem]:
    """Return what is found wrong with a text of the table."""
    content = mistake.text.replace("<TAB>", "\t").encode()
    try:
        if mistake.title.startswith("exporter.yaml"):
            parse_project(content, "exporter.yaml", Path("/nowhere"))
        else:
            parse_level(content, "crypt.level.yaml")
    except SpecError as error:
        return list(error.problems)
    return []


def shown(mistake: Mistake) -> str:
    """Return what a person sees, with tabs as the table has them."""
    rendered = "\n".join(problem.render(WIDTH) for problem in problems_of(mistake))
    return rendered.replace("\t", "<TAB>")


MISTAKES = mistakes()


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title)
def test_a_mistake_is_told_as_the_table_says(mistake: Mistake) -> None:
    assert shown(mistake) == mistake.told


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title)
def test_a_message_has_a_place_a_way_out_and_no_foreign_words(mistake: Mistake) -> None:
    problems = problems_of(mistake)
    assert problems
    lines = mistake.text.split("\n")
    for problem in problems:
        assert problem.column <= len(lines[problem.line - 1].replace("<TAB>", "\t")) + 1
        assert re.search(r"\(.+\)$|^expected ", problem.message), problem.message
        words = re.sub(r"'[^']*'|`[^`]*`", "", problem.message)
        assert not [word for word in FOREIGN if re.search(rf"\b{word}", words)]


def test_the_table_is_long_and_says_everything_once() -> None:
    assert len(MISTAKES) >= 80
    assert len({mistake.title for mistake in MISTAKES}) == len(MISTAKES)
    assert len({mistake.text for mistake in MISTAKES}) == len(MISTAKES)


def _written_anew() -> str:
    head = TABLE.read_text(encoding="utf-8").split("\n=== ")[0]
    rows = (f"=== {one.title}\n{one.text}--------\n{shown(one)}\n" for one in MISTAKES)
    return "\n".join([head.rstrip("\n") + "\n", *rows])


if __name__ == "__main__":
    before, after = TABLE.read_text(encoding="utf-8"), _written_anew()
    TABLE.write_text(after, encoding="utf-8")
    print("".join(difflib.unified_diff(before.splitlines(True), after.splitlines(True), n=6)))
