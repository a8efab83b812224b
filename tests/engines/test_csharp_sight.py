"""Fields of view, lines and camera views: Unity's C# under Mono against Python, cell by cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import exporter
from engine_harness import Mono
from engine_harness.folders import CORE
from engine_harness.levels import sight_maps

PROGRAM = Path(__file__).parent / "csharp" / "LookAround.cs"
RULES = ("symmetric", "shadowcast", "raycast")


@pytest.fixture(scope="module")
def looker(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mono.compile([*CORE, PROGRAM], tmp_path_factory.mktemp("looker") / "look.exe")


def ask(mono: Mono, looker: Path, questions: list[str]) -> list[str]:
    return mono.run(looker, stdin="\n".join(questions) + "\n").splitlines()


@pytest.mark.parametrize("rule", RULES)
def test_every_field_of_view_is_pythons(mono: Mono, looker: Path, rule: str) -> None:
    random = np.random.default_rng(3)
    questions, expected = [], []
    for number, opaque in enumerate(sight_maps(80)):
        radius = int(random.integers(1, 15))
        see_walls = rule == "raycast" and number % 2 == 0
        table = exporter.compute_visibility(opaque, radius, rule, see_walls=see_walls)
        height, width = opaque.shape
        cells = "".join(map(str, opaque.astype(int).ravel().tolist()))
        for _ in range(6):
            x, y = int(random.integers(width)), int(random.integers(height))
            how = f"{radius} {RULES.index(rule)} {int(see_walls)}"
            questions.append(f"see {width} {height} {how} {x} {y} {cells}")
            seen = table.visible_from(x, y).astype(int).ravel().tolist()
            expected.append("".join(map(str, seen)))
    assert ask(mono, looker, questions) == expected


def test_lines_are_pythons(mono: Mono, looker: Path) -> None:
    random = np.random.default_rng(5)
    ends = [*random.integers(-30, 30, (200, 4)).tolist(), [2, 3, 2, 3]]
    answers = ask(mono, looker, ["line " + " ".join(map(str, four)) for four in ends])
    for (ax, ay, bx, by), answer in zip(ends, answers, strict=True):
        line = exporter.line((ax, ay), (bx, by))
        assert answer == " ".join(f"{x},{y}" for x, y in line)


def test_camera_views_are_pythons(mono: Mono, looker: Path) -> None:
    views = np.random.default_rng(6).integers(1, 40, (200, 6)).tolist()
    answers = ask(mono, looker, ["view " + " ".join(map(str, six)) for six in views])
    for (x, y, view_width, view_height, width, height), answer in zip(views, answers, strict=True):
        view = exporter.game_view((x, y), (view_width, view_height), (width, height))
        assert answer == f"{view.x} {view.y} {view.width} {view.height}"
