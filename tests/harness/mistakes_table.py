"""The table of mistakes, `tests/reading/mistakes.txt`: specs and messages.

After a change of messages `PYTHONPATH=. python tests/harness/mistakes_table.py` writes the table
again and shows the difference, to be read.
"""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import NamedTuple

from exporter.model.errors import Problem, SpecError
from exporter.project.settings_file import parse_project
from exporter.reading.reader import parse_level

TABLE = Path(__file__).parents[1] / "reading" / "mistakes.txt"
WIDTH = 100


class Mistake(NamedTuple):
    """A row of the table."""

    title: str
    text: str
    expected: str


def mistakes() -> list[Mistake]:
    """Return the rows of the table."""
    rows = []
    for part in TABLE.read_text(encoding="utf-8").split("\n=== ")[1:]:
        title, _, rest = part.partition("\n")
        text, _, reported = rest.partition("\n--------\n")
        rows.append(Mistake(title, text + "\n", reported.rstrip("\n")))
    return rows


def problems_of(mistake: Mistake) -> list[Problem]:
    """Return the problems of a text of the table."""
    content = mistake.text.replace("<TAB>", "\t").encode()
    try:
        if mistake.title.startswith("exporter.yaml"):
            parse_project(content, "exporter.yaml", Path("/nowhere"))
        else:
            parse_level(content, "crypt.level.yaml")
    except SpecError as error:
        return list(error.problems)
    return []


def printed(mistake: Mistake) -> str:
    """Return the message as shown, with tabs as the table has them."""
    rendered = "\n".join(problem.render(WIDTH) for problem in problems_of(mistake))
    return rendered.replace("\t", "<TAB>")


def _written_anew() -> str:
    head = TABLE.read_text(encoding="utf-8").split("\n=== ")[0]
    rows = (
        f"=== {mistake.title}\n{mistake.text}--------\n{printed(mistake)}\n"
        for mistake in mistakes()
    )
    return "\n".join([head.rstrip("\n") + "\n", *rows])


if __name__ == "__main__":
    before, after = TABLE.read_text(encoding="utf-8"), _written_anew()
    TABLE.write_text(after, encoding="utf-8")
    print("".join(difflib.unified_diff(before.splitlines(True), after.splitlines(True), n=6)))
