"""The tutorial works as it is written, in a running game of Godot."""

from __future__ import annotations

import re
from pathlib import Path

from command_line import run
from engine_harness import Godot
from engine_harness.godot import errors_in
from engine_harness.tutorial import FIRST, SECOND, started


def test_the_tutorial_leads_from_a_clone_to_own_things_in_the_running_game(
    godot: Godot, tmp_path: Path
) -> None:
    with started(godot, tmp_path) as tutorial:
        tutorial.change_seed()
        tutorial.stand_where_a_wall_comes()
        tutorial.use_tiles()
        tutorial.wait_for_floor()
        tutorial.use_scene()
        tutorial.open_chest()
        output = tutorial.game.output
    (result,) = re.findall(r"`(found \d+ gold)`", SECOND)
    assert result in output
    assert errors_in(output) == []


def test_the_output_of_init_is_what_the_tutorial_says(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```\n(starts a game.*?)^```", FIRST, re.S | re.M)
    printed = run("init", tmp_path / "my-game").stdout
    for line in block.splitlines():
        assert line == "..." or line in printed
