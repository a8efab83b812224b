"""The sample game in real Godot, from a fresh clone: played by keys, compared with its levels."""

from __future__ import annotations

import base64
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import exporter
from engine_harness import Godot
from engine_harness.godot import WARNING_LINE, errors_in
from engine_harness.playable import random_pairs
from engine_harness.sample import SAMPLE, Exported
from exporter.model.level import Level

PLAY = Path(__file__).parent / "engine_harness" / "play_sample.gd"
WALK = PLAY.with_name("walk_sample.gd")
GAME = SAMPLE / "godot"
TILE = 16
# The hero is a disc of this radius, a little below the middle of the picture.
RADIUS, BELOW = 5, 2
STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
WALKS = ["right", "up", "left", "down", "left", "up", "right", "down"]
UNSEEN, REMEMBERED, LIT = 0, 110, 255

Mask = NDArray[np.bool_]
Cell = tuple[int, int]


@pytest.fixture(scope="module")
def levels(sample: Exported) -> dict[str, Level]:
    return {level.name: level for _, level in sample.levels}


@pytest.fixture(scope="module")
def played(godot: Godot, sample_game: Path, levels: dict[str, Level]) -> dict[str, Any]:
    chest, start, direction = beside_a_chest(levels["cavern"])
    keep = levels["keep"]
    guard, hero = in_sight(keep)
    question = {
        "walks": WALKS,
        "chest": {"at": chest, "from": start, "direction": direction},
        "patrol_steps": 600,
        "hero_places": [[x, y] for y, x in np.argwhere(walkable_of(keep))[::29].tolist()],
        "guard_position": guard,
        "beside_guard": hero,
    }
    answer: dict[str, Any] = godot.query(sample_game, PLAY, question, allow_warnings=False)
    return answer


def walkable_of(level: Level) -> Mask:
    return level.layers["ground"].walkable


def places(level: Level, name: str) -> list[Cell]:
    return [(thing.x, thing.y) for thing in level.objects if thing.name == name]


def beside_a_chest(level: Level) -> tuple[Cell, Cell, str]:
    """A chest, a cell two steps from it, and the way from there."""
    walkable = walkable_of(level)
    for x, y in places(level, "chest"):
        for direction, (dx, dy) in STEPS.items():
            if walkable[y - dy, x - dx] and walkable[y - 2 * dy, x - 2 * dx]:
                return (x, y), (x - 2 * dx, y - 2 * dy), direction
    raise AssertionError("no chest can be walked to")


def in_sight(level: Level) -> tuple[Cell, Cell]:
    """Two cells in a row, four apart, with floor all around both and between them."""
    walkable = walkable_of(level)
    for y in range(1, level.height - 1):
        for x in range(1, level.width - 6):
            if walkable[y - 1 : y + 2, x - 1 : x + 6].all():
                return (x, y), (x + 4, y)
    raise AssertionError("the rooms are too small")


def grid(text: str, level: Level) -> NDArray[np.uint8]:
    return np.frombuffer(base64.b64decode(text), np.uint8).reshape(level.height, level.width)


def sight(level: Level, cell: list[int]) -> Mask:
    assert level.visibility is not None
    return level.visibility.visible_from(*cell)


def test_it_runs_without_an_error_or_a_warning(godot: Godot, sample_game: Path) -> None:
    output = godot.run(["--path", str(sample_game), "--quit-after", "120"])
    assert errors_in(output) == []
    assert WARNING_LINE.findall(output) == []


def test_opening_it_changes_no_file_of_the_clone(sample_game: Path) -> None:
    for file in committed_files():
        assert (sample_game / file.relative_to(GAME)).read_bytes() == file.read_bytes(), file.name
    known = {file.relative_to(GAME) for file in committed_files()}
    new = {file.relative_to(sample_game) for file in sample_game.iterdir() if file.is_file()}
    assert new <= known


def committed_files() -> Iterator[Path]:
    for file in sorted(GAME.iterdir()):
        if file.is_file():
            yield file


def test_arrows_and_letters_walk_until_a_wall_stops_the_hero(
    played: dict[str, Any], levels: dict[str, Level]
) -> None:
    walkable = walkable_of(levels["cavern"])
    moved = set()
    for walk in played["walks"]:
        dx, dy = STEPS[walk["direction"]]
        before, after = walk["from"]["position"], walk["to"]["position"]
        if before != after:
            moved.add(walk["direction"])
        for x, y in walk["cells"]:
            assert walkable[y, x]
        # The front of the disc touches the wall, or a corner of it.
        front = (after[0] + dx * (RADIUS + 0.5), after[1] + BELOW + dy * (RADIUS + 0.5))
        reach = np.arange(-RADIUS, RADIUS + 1)
        touched = [
            walkable[int(front[1] + dx * side) // TILE, int(front[0] + dy * side) // TILE]
            for side in reach
        ]
        assert not all(touched), walk["direction"]
        assert (after[0] - before[0]) * dx >= 0
        assert (after[1] - before[1]) * dy >= 0
    assert moved == set(STEPS)


def test_the_fog_is_the_exported_table(played: dict[str, Any], levels: dict[str, Level]) -> None:
    states = [played["start"]] + [walk["to"] for walk in played["walks"]]
    states += [played["stairs"][when] for when in ("down", "up", "down_again")]
    assert len({tuple(state["cell"]) for state in states}) > 5
    for state in states:
        level = levels[state["level"]]
        seen = sight(level, state["cell"])
        known = grid(state["known"], level) == 1
        np.testing.assert_array_equal(grid(state["lit"], level) == 1, seen)
        assert not (seen & ~known).any()
        shades = np.where(seen, LIT, np.where(known, REMEMBERED, UNSEEN))
        np.testing.assert_array_equal(grid(state["shades"], level), shades)


def test_what_was_seen_on_the_way_is_remembered(
    played: dict[str, Any], levels: dict[str, Level]
) -> None:
    level = levels["cavern"]
    expected = sight(level, played["start"]["cell"])
    for walk in played["walks"]:
        for cell in walk["cells"]:
            expected = expected | sight(level, cell)
        np.testing.assert_array_equal(grid(walk["to"]["known"], level) == 1, expected)


def test_the_minimap_is_the_bitmap_with_the_hero_on_it(played: dict[str, Any]) -> None:
    for state in (played["start"], played["stairs"]["down"]):
        assert state["minimap"] == f"res://levels/{state['level']}.ground.png"
        assert state["dot"] == [3 * position - 1 for position in state["cell"]]


def test_a_chest_opens_when_it_is_touched(played: dict[str, Any]) -> None:
    chest = played["chest"]
    assert chest["before"] == {"open": False, "gold": 0, "frame": 4}
    assert chest["after"] == {"open": True, "gold": 10, "frame": 5}
    assert chest["open"] == 1


def test_properties_of_the_spec_set_variables_of_chests(
    played: dict[str, Any], levels: dict[str, Level]
) -> None:
    assert played["stairs"]["chest_gold"] == [25] * len(places(levels["keep"], "chest"))


def test_stairs_lead_to_the_next_level_and_back(
    played: dict[str, Any], levels: dict[str, Level]
) -> None:
    stairs = played["stairs"]
    for when, name, at in (
        ("down", "keep", "stairs_up"),
        ("up", "cavern", "stairs_down"),
        ("down_again", "keep", "stairs_up"),
    ):
        assert stairs[when]["level"] == name
        assert [tuple(stairs[when]["cell"])] == places(levels[name], at)
        assert stairs[when]["purse"] == f"{name.capitalize()}   10 gold"
    assert stairs["shown"] == 1
    assert stairs["open_chests"] == 1
    before, after = (
        grid(text, levels["cavern"]) for text in (stairs["known"], stairs["up"]["known"])
    )
    assert (after >= before).all()


def test_paths_of_a_level_that_was_left_do_not_lead_through_others(played: dict[str, Any]) -> None:
    assert played["left_paths"] is False


def test_the_cellar_is_deeper_than_the_last_level(played: dict[str, Any], sample: Exported) -> None:
    cellar = played["cellar"]
    assert [state["level"] for state in cellar] == ["cellar 1", "cellar 2", "cellar 1"]
    assert cellar[0]["index"] == cellar[2]["index"] != cellar[1]["index"]
    path = sample.folder / "godot" / "levels" / "cellar.lvp"
    with exporter.open_pack(path) as pack:
        assert len(pack) == 200
        for state, at in zip(cellar, ("stairs_up", "stairs_up", "stairs_down"), strict=True):
            level = pack[state["index"]]
            assert [tuple(state["cell"])] == places(level, at)
            assert state["chests"] == [40] * len(places(level, "chest"))
            assert state["guards"] == len(places(level, "guard"))
            np.testing.assert_array_equal(
                grid(state["lit"], level) == 1, sight(level, state["cell"])
            )


def test_guards_keep_to_where_they_see_most(
    played: dict[str, Any], levels: dict[str, Level]
) -> None:
    level = levels["keep"]
    exposure = level.layers["exposure"].cells
    floor = exposure[walkable_of(level)]
    for patrol, start in zip(played["guards"]["patrols"], places(level, "guard"), strict=True):
        there = np.array([exposure[y, x] for x, y in patrol])
        assert all(walkable_of(level)[y, x] for x, y in patrol)
        assert len({tuple(cell) for cell in patrol}) > 10
        assert there.max() > exposure[start[1], start[0]]
        assert there.mean() > floor.mean()


def test_guards_notice_the_hero_where_the_table_says(
    played: dict[str, Any], levels: dict[str, Level]
) -> None:
    noticed = 0
    for glance in played["guards"]["sights"]:
        x, y = glance["hero"]
        assert glance["sees"] == glance["shown"] == sight(levels["keep"], glance["guard"])[y, x]
        noticed += glance["sees"]
    assert 0 < noticed < len(played["guards"]["sights"])


def test_a_guard_runs_after_the_hero_and_sends_them_back(
    played: dict[str, Any], levels: dict[str, Level]
) -> None:
    guards = played["guards"]
    assert guards["near"] < guards["far"] - 10
    assert [tuple(guards["caught"]["cell"])] == places(levels["keep"], "stairs_up")


def test_walkers_with_an_agent_arrive(
    godot: Godot, sample_game: Path, levels: dict[str, Level]
) -> None:
    ways = {
        name: random_pairs(levels[name].walkable(), 40).reshape(-1, 2, 2).tolist()
        for name in ("keep", "outpost")
    }
    walked = godot.query(sample_game, WALK, {"levels": ways, "body": "res://guard.tscn"})
    assert walked == {name: {"walks": 40, "lost": []} for name in ways}


def test_unseen_is_black_remembered_dim_and_lit_bright(
    godot: Godot, sample_game: Path, levels: dict[str, Level]
) -> None:
    level = levels["cavern"]
    answer = godot.query(sample_game, LOOK, {"from": places(level, "chest")[5]}, window=(640, 400))
    picture = np.frombuffer(base64.b64decode(answer["picture"]), np.uint8)
    picture = picture.reshape(400, 640, 3).astype(int)
    shades = grid(answer["shades"], level)
    left, top = (round(edge) for edge in answer["corner"])
    side = int(answer["side"])
    brightness: dict[int, list[float]] = {UNSEEN: [], REMEMBERED: [], LIT: []}
    for y, x in np.argwhere(walkable_of(level) | (shades == UNSEEN)).tolist():
        alike = (shades[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2] == shades[y, x]).all()
        row, column = top + y * side, left + x * side
        box = picture[max(row, 0) : row + side, max(column, 0) : column + side]
        # Nothing of the screen's own is below these.
        if alike and row > 100 and column > 100 and box.shape == (side, side, 3):
            brightness[int(shades[y, x])].append(float(box.mean()))
    assert all(len(result) > 5 for result in brightness.values())
    assert max(brightness[UNSEEN]) == 0
    assert 0 < np.mean(brightness[REMEMBERED]) < np.mean(brightness[LIT]) / 2


LOOK = """
func query(arguments: Dictionary) -> Dictionary:
	var tree: SceneTree = Engine.get_main_loop()
	var main: Node = (load("res://main.tscn") as PackedScene).instantiate()
	tree.root.add_child(main)
	await tree.process_frame
	await tree.process_frame
	var game: Game = main.get_node("Game")
	var camera: Camera2D = game.hero.get_node("Camera")
	camera.position_smoothing_enabled = false
	camera.zoom = Vector2.ONE
	game.hero.place((Vector2(arguments["from"][0], arguments["from"][1]) + Vector2(0.5, 0.5)) * 16)
	await tree.create_timer(0.4).timeout
	await RenderingServer.frame_post_draw
	var picture := tree.root.get_texture().get_image()
	picture.convert(Image.FORMAT_RGB8)
	var on_screen := tree.root.get_final_transform() * game.get_global_transform_with_canvas()
	return {
		"picture": Marshalls.raw_to_base64(picture.get_data()),
		"shades": Marshalls.raw_to_base64((game.fog.get("_view") as Image).get_data()),
		"corner": [on_screen.origin.x, on_screen.origin.y],
		"side": roundi(on_screen.get_scale().x * 16),
	}
"""


def test_models_of_the_levels_are_walked_in_first_person(
    godot: Godot, sample_game: Path, levels: dict[str, Level]
) -> None:
    chest, start, direction = beside_a_chest(levels["cavern"])
    x, y = STEPS[direction]
    turn = float(np.arctan2(-x, -y))  # without a turn one looks up the plan
    question = {"chest": chest, "from": start, "turn": turn}
    answer = godot.query(sample_game, FIRST_PERSON, question, allow_warnings=False)
    assert answer["opened"] == {"level": "cavern", "gold": 10, "frames": [5]}
    (up,), (down,) = places(levels["keep"], "stairs_up"), places(levels["cavern"], "stairs_down")
    assert answer["down"] == ["keep", *up]
    assert answer["up"] == ["cavern", *down]
    assert answer["remembered"] == [5]
    # Along a wall all the way, and never in it.
    walked = {tuple(cell) for cell in answer["walked"]}
    assert len(walked) > 1
    assert all(walkable_of(levels["cavern"])[y, x] for x, y in walked)


FIRST_PERSON = """
var tree: SceneTree = Engine.get_main_loop()
var game: FirstPerson


func query(arguments: Dictionary) -> Dictionary:
	game = (load("res://first_person.tscn") as PackedScene).instantiate()
	tree.root.add_child(game)
	await steps(2)
	var answer := {}
	game.hero.position = Vector3(arguments["from"][0] + 0.5, 0.0, arguments["from"][1] + 0.5)
	game.hero.rotation.y = arguments["turn"]
	await hold(KEY_W, 30)
	answer["opened"] = {"level": here()[0], "gold": game.gold, "frames": frames(arguments["chest"])}
	answer["walked"] = await hold(KEY_UP, 150)
	for thing: Node3D in game.things():
		if thing.get_meta("extras")["name"] == "stairs_down":
			game.hero.position = thing.position
	await hold(KEY_SPACE, 2)
	answer["down"] = here()
	await hold(KEY_SPACE, 2)
	answer["up"] = here()
	answer["remembered"] = frames(arguments["chest"])
	game.free()
	return answer


# The pictures of what lies in a cell.
func frames(cell: Array) -> Array:
	var found := game.things().filter(
		func(thing: Node3D) -> bool: return thing.get_meta("extras")["cell"] == cell
	)
	return found.map(func(thing: Node3D) -> int: return thing.get_node("Picture").get("frame"))


func here() -> Array:
	var level := FirstPerson.LEVELS[game.number]
	return [level, floori(game.hero.position.x), floori(game.hero.position.z)]


# The cells that are passed while a key is held.
func hold(key: Key, count: int) -> Array:
	var passed := {}
	for pressed: bool in [true, false]:
		var event := InputEventKey.new()
		event.physical_keycode = key
		event.keycode = key
		event.pressed = pressed
		Input.parse_input_event(event)
		Input.flush_buffered_events()
		for step in count if pressed else 2:
			await tree.physics_frame
			passed[here().slice(1)] = true
	return passed.keys()


func steps(count: int) -> void:
	for step in count:
		await tree.physics_frame
"""


def test_it_is_short_typed_and_one_scene_for_each_idea() -> None:
    scripts = sorted(GAME.glob("*.gd"))
    lines = [line.strip() for script in scripts for line in script.read_text("utf-8").splitlines()]
    assert len([line for line in lines if line and not line.startswith("#")]) < 500
    settings = (GAME / "project.godot").read_text("utf-8")
    assert re.search(r"^gdscript/warnings/untyped_declaration=2$", settings, re.M)
    used = {
        name
        for scene in GAME.glob("*.tscn")
        for name in re.findall(r'"res://(\w+\.gd)"', scene.read_text("utf-8"))
    }
    assert used == {script.name for script in scripts}


@pytest.mark.parametrize("stays", [True, False], ids=["on floor", "in a wall"])
def test_a_level_that_is_exported_again_is_swapped_under_the_hero(
    godot: Godot, sample_game: Path, sample: Exported, tmp_path: Path, stays: bool
) -> None:
    folder = tmp_path / "sample_project"
    shutil.copytree(sample.folder, folder)
    spec = folder / "levels" / "cavern.level.yaml"
    text = spec.read_text("utf-8").replace("seed: 2013", "seed: 2014")
    old = exporter.build_level(exporter.load_level(spec))
    newer = tmp_path / spec.name
    newer.write_text(text, "utf-8")
    level = exporter.build_level(exporter.load_level(newer))
    y, x = np.argwhere(walkable_of(old) & (walkable_of(level) == stays))[50].tolist()
    question = {
        "at": [x, y],
        "spec": str(spec),
        "text": text,
        "command": sys.executable,
        "arguments": ["-m", "exporter", "export", str(folder)],
    }
    swapped = godot.query(folder / sample_game.name, SWAP, question)
    assert swapped["before"]["cell"] == [x, y]
    if stays:
        assert swapped["after"]["position"] == swapped["before"]["position"]
    else:
        assert [tuple(swapped["after"]["cell"])] == places(level, "stairs_up")
    assert swapped["after"]["lit"] != swapped["before"]["lit"]
    seen = sight(level, swapped["after"]["cell"])
    np.testing.assert_array_equal(grid(swapped["after"]["lit"], level) == 1, seen)
    assert sorted(map(tuple, swapped["chests"])) == sorted(places(level, "chest"))


SWAP = """
func query(arguments: Dictionary) -> Dictionary:
	var tree: SceneTree = Engine.get_main_loop()
	var main: Node = (load("res://main.tscn") as PackedScene).instantiate()
	tree.root.add_child(main)
	for frame in 4:
		await tree.physics_frame
	var game: Game = main.get_node("Game")
	game.hero.place((Vector2(arguments["at"][0], arguments["at"][1]) + Vector2(0.5, 0.5)) * 16)
	var before := state(game)
	var file := FileAccess.open(arguments["spec"], FileAccess.WRITE)
	file.store_string(arguments["text"])
	file.close()
	var blob := game.blob
	OS.execute(arguments["command"], arguments["arguments"])
	for frame in 600:
		await tree.physics_frame
		if game.blob != blob:
			break
	for frame in 4:
		await tree.physics_frame
	var chests := game.level.find_children("*", "Chest", true, false).map(
		func(one: Chest) -> Array: return [int(one.position.x / 16), int(one.position.y / 16)]
	)
	return {"before": before, "after": state(game), "chests": chests}


func state(game: Game) -> Dictionary:
	return {
		"position": [game.hero.position.x, game.hero.position.y],
		"cell": [game.hero.cell.x, game.hero.cell.y],
		"lit": Marshalls.raw_to_base64(game.fog.lit),
	}
"""
