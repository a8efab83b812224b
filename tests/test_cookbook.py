"""The recipes work as they are written: files, commands, code and pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from cases import each_case
from cookbook import FOLDER, PAGES, PICTURES, project_of, read_recipe, run_commands


@each_case("page", PAGES)
def test_a_recipe_works(page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = read_recipe(page)
    assert recipe.files
    assert recipe.commands
    with project_of(recipe, tmp_path):
        run_commands(recipe)
        for language, text in recipe.code:
            if language == "python":
                exec(compile(text, str(page), "exec"), {})
    output = capsys.readouterr()
    assert "warning" not in output.err
    drawn = Image.open(tmp_path / f"{page.stem}.png").convert("RGB")
    remaining = Image.open(PICTURES / f"{page.stem}.png").convert("RGB")
    assert drawn.size == remaining.size
    assert drawn.tobytes() == remaining.tobytes(), (
        "draw it again: PYTHONPATH=.:tests/harness python tests/golden/update_cookbook.py"
    )


@each_case("page", PAGES)
def test_recipe_code_equals_tested_code(page: Path) -> None:
    """Phaser, LuaJIT and a C# compiler run the examples of the pages on their formats."""
    tested = "".join(
        (FOLDER.parent / name).read_text(encoding="utf-8")
        for name in ("tiled.md", "love.md", "unity.md")
    )
    for language, text in read_recipe(page).code:
        if language != "python":
            assert f"```{language}\n{text}```" in tested


def test_the_index_lists_every_recipe() -> None:
    listed = re.findall(r"\]\((\S+)\.md\)", (FOLDER / "index.md").read_text(encoding="utf-8"))
    names = [page.stem for page in PAGES]
    assert sorted(listed) == names
    assert sorted(picture.stem for picture in PICTURES.iterdir()) == names
