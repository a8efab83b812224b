"""The recipes of the cookbook: their files and commands, read from the pages themselves."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path

from exporter.cli.main import main

DOCS = Path(__file__).resolve().parents[2] / "exporter" / "docs"
FOLDER = DOCS / "how-to" / "cookbook"
PICTURES = DOCS / "images" / "cookbook"
PAGES = sorted(page for page in FOLDER.glob("*.md") if page.stem != "index")


@dataclass(frozen=True)
class Recipe:
    """The content of a page: its files by path, its commands, and its code by language."""

    files: dict[str, str]
    commands: list[list[str]]
    code: list[tuple[str, str]]


def read_recipe(page: Path) -> Recipe:
    """Read a page; every file says its path in its first line."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M)
    files, commands, code = {}, [], []
    for language, text in blocks:
        if language == "yaml":
            named = re.match(r"# (\S+)\n", text)
            assert named, f"{page.name}: this file does not say its path: {text[:60]}"
            files[named[1]] = text
        elif language == "sh":
            commands += [shlex.split(line) for line in text.splitlines()]
        else:
            code.append((language, text))
    return Recipe(files, commands, code)


@contextmanager
def project_of(recipe: Recipe, folder: Path) -> Iterator[None]:
    """Write the files of a recipe, and stand in their folder."""
    for path, text in recipe.files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    with chdir(folder):
        yield


def run_commands(recipe: Recipe) -> None:
    """Run the commands in this process; each must succeed."""
    for program, *arguments in recipe.commands:
        assert program == "exporter", program
        code = main(arguments)
        assert code == 0, f"exporter {shlex.join(arguments)} ends with {code}"
