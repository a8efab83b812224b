"""`exporter preview --watch` in this process: changes while a picture is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.cli.preview_watch import watch
from exporter.cli.previewed import Subject
from exporter.console.problems import ProblemPrinter
from exporter.console.styles import PLAIN

CAVE = "size: [12, 10]\nseed: 3\nlayers:\n  ground: {generator: cellular_caves}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.level.yaml").write_text(CAVE)
    (tmp_path / "b.level.yaml").write_text(CAVE.replace("seed: 3", "seed: 4"))
    return tmp_path


def test_a_file_that_changes_while_it_is_drawn_is_drawn_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "a.level.yaml"
    subject = Subject("a", path, None)
    drawn = []

    def draw(item: Subject) -> int:
        item.files["spec"] = path
        drawn.append(path.read_text())
        if len(drawn) == 1:
            path.write_text("changed meanwhile")
        return 0

    looks = iter(range(3))

    def wait(_seconds: float) -> None:
        if next(looks) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("exporter.cli.preview_watch.time.sleep", wait)
    assert watch([subject], draw, lambda: ProblemPrinter(PLAIN)) == 0
    assert drawn == [CAVE, "changed meanwhile"]
