"""Snippets: every block of code of the pages that people read, with its page, line and language."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "exporter" / "docs"
PAGES = sorted(
    [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "sample_project" / "README.md",
        *DOCS.rglob("*.md"),
        *(ROOT / "templates").rglob("*.md"),
    ]
)
_FENCE = re.compile(r" *(```+|~~~+)(.*)")


@dataclass(frozen=True)
class Snippet:
    """A block of code: fenced, or indented by four and without a language."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        """Where it is, as editors open it."""
        return f"{self.page}:{self.line}"


def snippets() -> list[Snippet]:
    """All snippets of all pages."""
    return [
        item
        for page in PAGES
        for item in snippets_of(page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix())
    ]


def snippets_of(text: str, page: str) -> Iterator[Snippet]:
    """Read one page; a block in an item of a list loses the indentation of the item."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        start = number
        fence = _FENCE.fullmatch(lines[number])
        if fence:
            number += 1
            while number < len(lines) and lines[number].strip() != fence[1]:
                number += 1
            inside = lines[start + 1 : number]
            yield Snippet(page, start + 1, fence[2].strip(), dedented(inside))
        elif lines[number].startswith("    ") and (number == 0 or not lines[number - 1].strip()):
            while number < len(lines) and (lines[number][:4].isspace() or not lines[number]):
                number += 1
            yield Snippet(page, start + 1, "", dedented(lines[start:number]))
            continue
        number += 1


def dedented(lines: list[str]) -> str:
    """Join lines without their common indentation and without empty lines at the end."""
    return dedent("\n".join(lines)).rstrip() + "\n"


@dataclass(frozen=True)
class Command:
    """A command of a line: its words, and the file that takes its output."""

    words: tuple[str, ...]
    output: str | None = None


def commands_of(text: str) -> list[Command]:
    """The commands of a shell snippet, one after the other, comments left out."""
    result = []
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        while words:
            end = words.index("&&") if "&&" in words else len(words)
            item, words = words[:end], words[end + 1 :]
            output = item[item.index(">") + 1] if ">" in item else None
            result.append(Command(tuple(item[: item.index(">")] if output else item), output))
    return result


def is_commands(text: str) -> bool:
    """Whether a snippet without a language is nothing but calls of the exporter."""
    return all(line.startswith("exporter ") for line in text.splitlines() if line)
