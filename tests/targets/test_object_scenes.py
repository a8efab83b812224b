"""Objects of the Godot target as scenes of the game, without an engine."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.build.build import build_level
from exporter.build.world import World
from exporter.formats import Artifact
from exporter.formats.godot.import_settings import level_import, merged, own_part
from exporter.formats.godot.uid import godot_uid
from exporter.model.errors import LevelError, ParameterError
from exporter.model.level import Layer, Level, PlacedObject, Tile
from exporter.reading.reader import parse_level
from exporter.targets import TARGETS, Exported, Notice, SharedWork
from exporter.targets._godot_options import ObjectsNode

TILES = (Tile(0, "floor", True, False, "#ffffff"), Tile(1, "wall", False, True, "#000000"))
CHEST = "res://things/chest.tscn"
SCENE = """\
[gd_scene format=3 uid="uid://chest"]
[ext_resource type="Script" path="chest.gd" id="1"]
[node name="Chest" type="Node2D"]
script = ExtResource("1")
"""
FILES = {"things/chest.tscn": SCENE, "things/chest.gd": "@export var gold: int"}


class Files:
    """The files of a game, and which of them were read."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files
        self.requested: list[str] = []

    def read(self, name: str) -> bytes:
        self.requested.append(name)
        if name not in self.files:
            raise ParameterError(f"{name!r} cannot be read (no such file)")
        return self.files[name].encode()

    def has(self, name: str) -> bool:
        return name in self.files


def level(**properties: Any) -> Level:
    ground = Layer("ground", "tiles", np.eye(6, dtype=np.uint8), "test", tiles=TILES)
    objects = (
        PlacedObject(1, "stairs", 1, 0, entry=0),
        PlacedObject(2, "chest", 2, 0, properties, entry=1),
        PlacedObject(3, "chest", 3, 0, properties, entry=1),
    )
    return Level("crypt", 6, 6, layers={"ground": ground}, objects=objects)


def export(
    item: Level, scenes: dict[str, str], files: dict[str, str] | None = None, **options: Any
) -> tuple[Exported, Files]:
    game = Files(FILES if files is None else files)
    target = TARGETS.get("godot")
    chosen = target.options(path="levels", scenes=scenes, **options)
    return target.export(item, chosen, "levels", SharedWork().within(game)), game


def test_scenes_stand_for_tiles_in_levels_without_such_objects() -> None:
    tiles = (*TILES, Tile(2, "chest", False, False, "#0000ff"))
    cells = np.zeros((70, 70), np.uint8)
    cells[1:66, 1:66] = 2
    ground = Layer("ground", "tiles", cells, "test", tiles=tiles)
    plain = Level("crypt", 70, 70, layers={"ground": ground})
    exported, _ = export(plain, {"chest": CHEST})
    assert content(exported, "crypt.tscn").count('groups=["chest"] instance=') == 65 * 65
    (notice,) = exported.warnings
    assert isinstance(notice, Notice)
    assert "replaces 4,225 tiles 'chest'" in notice.message
    exported, _ = export(plain, {"chest": CHEST}, {}, navigation_layers={"chest": 2})
    (notice,) = exported.warnings
    assert isinstance(notice, Notice)
    assert "the tiles 'chest' are drawn until it is there" in notice.message
    assert "navigation_layers = 2" in content(exported, "crypt.tscn")
    placed = replace(plain, objects=(PlacedObject(1, "chest", 1, 1),))
    exported, _ = export(placed, {"chest": CHEST}, navigation_layers={"chest": 2}, agent_radius=600)
    assert content(exported, "crypt.tscn").count('groups=["chest"] instance=') == 1
    ways = [text for text in exported.warnings if isinstance(text, str)]
    assert "over 'chest' is wide enough for `agent_radius: 600`" in ways[1]


def test_scenes_stand_for_tiles_in_parts_of_worlds_without_such_objects() -> None:
    text = b"size: [80, 64]\nchunk: 64\nlayers: {caves: {generator: cellular_caves}}\n"
    objects = b"objects: [{name: wall, place: by_cell, percent: 1}]\n"
    target = TARGETS.get("godot")
    chosen = target.options(path="levels", scenes={"wall": CHEST})
    for spec, walls in ((text, True), (text + objects, False)):
        world = World(parse_level(spec, "wilds.level.yaml"))
        part = world.part(1, 0, world.surveyed())
        shared = SharedWork().within(Files(FILES))
        scene = content(
            target.export_part(part, chosen, "levels", shared), "wilds.world/wilds.1_0.tscn"
        )
        count = np.count_nonzero(~part.walkable()) if walls else len(part.objects)
        assert scene.count('groups=["wall"] instance=') == count, walls


def content(exported: Exported, name: str) -> str:
    (result,) = (file for file in exported.artifacts if file.name == name)
    return result.data.decode()


def test_objects_become_instances_with_everything_that_markers_have() -> None:
    exported, _ = export(level(gold=3.0, mood="grim"), {"chest": CHEST})
    text = content(exported, "crypt.tscn")
    assert f'[ext_resource type="PackedScene" uid="uid://chest" path="{CHEST}" id="2"]' in text
    node = text[text.index('[node name="chest_2"') :]
    assert node == (
        '[node name="chest_2" parent="objects" groups=["chest"] instance=ExtResource("2")]\n'
        "position = Vector2(56, 8)\n"
        "gold = 3\n"
        "metadata/id = 3\n"
        'metadata/object = "chest"\n'
        "metadata/cell = Vector2i(3, 0)\n"
        'metadata/properties = {"gold": 3.0, "mood": "grim"}\n'
        "metadata/gold = 3.0\n"
        'metadata/mood = "grim"\n'
    )
    assert '[node name="stairs" type="Marker2D" parent="objects"' in text
    assert exported.warnings == ()


def test_without_a_scene_for_an_object_nothing_is_read_and_nothing_changes() -> None:
    plain, game = export(level(), {})
    other, other_game = export(level(), {"ghost": "nonsense"})
    assert plain == other
    assert game.requested == other_game.requested == []


def test_files_are_read_once_although_two_files_need_them() -> None:
    _, game = export(level(gold=1), {"chest": CHEST})
    # Once for the bodies of agents, which do not need the script, and once for the objects.
    assert game.requested == ["things/chest.tscn", "things/chest.tscn", "things/chest.gd"]


def test_a_missing_scene_is_reported_at_its_option_and_leaves_markers() -> None:
    exported, _ = export(level(gold="much"), {"chest": "res://a.tscn", "stairs": CHEST})
    text = content(exported, "crypt.tscn")
    assert '[node name="chest_2" type="Marker2D"' in text
    assert '[node name="stairs" parent="objects"' in text
    (notice,) = exported.warnings
    assert isinstance(notice, Notice)
    assert (notice.path, notice.in_spec) == (("scenes", "chest"), False)
    assert "'a.tscn' cannot be read (no such file): the objects 'chest' are mark" in notice.message
    assert 'scenes=PackedStringArray("res://things/chest.tscn")' in content(
        exported, "crypt.lvb.import"
    )


@each_case(
    ("path", "refusal"),
    [
        ("things/chest.tscn", "begin it with res://"),
        ("/etc/passwd", "begin it with res://"),
        ("user://chest.tscn", "begin it with res://"),
        ("uid://chest", "begin it with res://"),
        ("res://../chest.tscn", "without '..'"),
        ("res://things/../chest.tscn", "without '..'"),
        ("res:///etc/chest.tscn", "without '..'"),
        ("res://things//chest.tscn", "without '..'"),
        ("res://./chest.tscn", "without '..'"),
        ("res://c:/chest.tscn", "without '..'"),
        ("res://a\\b.tscn", "without '..'"),
        ("res://", "without '..'"),
        ("res://things/chest.gd", "is not a scene (allowed endings: .tscn, "),
        ("res://things", "is not a scene"),
    ],
)
def test_a_path_out_of_the_game_is_an_error_at_its_option(path: str, refusal: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(refusal)) as caught:
        export(level(), {"chest": path})
    assert not isinstance(caught.value, LevelError)
    assert caught.value.path == ("scenes", "chest")


def scene_with(uid: str, *inside: str) -> str:
    files = [
        f'[ext_resource type="PackedScene" path="{path}" id="{number}"]'
        for number, path in enumerate(inside, 1)
    ]
    nodes = [
        f'[node name="n{number}" parent="." instance=ExtResource("{number}")]'
        for number, _ in enumerate(inside, 1)
    ]
    root = '[node name="Root" type="Node2D"]'
    return "\n".join([f'[gd_scene format=3 uid="{uid}"]', *files, root, *nodes]) + "\n"


@each_case(
    ("lid", "way"),
    [
        (scene_with("uid://lid", "res://levels/crypt.tscn"), "lid.tscn to res://levels/crypt.tscn"),
        (scene_with("uid://lid", "res://levels/crypt.lvb"), "lid.tscn to res://levels/crypt.lvb"),
        (scene_with("uid://lid", CHEST), f"lid.tscn to {CHEST}"),
        (scene_with("uid://lid", "res://lid.tscn"), "lid.tscn to res://lid.tscn"),
    ],
)
def test_a_circle_of_scenes_is_an_error_that_shows_it(lid: str, way: str) -> None:
    files = {
        "things/chest.tscn": scene_with("uid://chest", "res://gone.tscn", "res://lid.tscn"),
        "lid.tscn": lid,
        "levels/crypt.tscn": scene_with(godot_uid("levels", "crypt.tscn")),
    }
    reported = f"'{CHEST}' would contain itself: {CHEST} to res://{way}"
    with pytest.raises(ParameterError, match=re.escape(reported)) as caught:
        export(level(), {"chest": CHEST}, files)
    assert caught.value.path == ("scenes", "chest")


def test_looking_for_circles_ends_soon() -> None:
    """Each scene holds the next one twice, and there are more of them than are looked into."""
    files = {
        f"s{number}.tscn": scene_with(
            f"uid://s{number}", *[f"res://{two}{number + 1}.tscn" for two in ("s", "t")]
        )
        for number in range(300)
    }
    files |= {name.replace("s", "t", 1): text for name, text in files.items()}
    _, game = export(level(), {"chest": "res://s0.tscn"}, files)
    assert 200 < len(game.requested) <= 300


def test_scenes_that_are_used_several_times_are_no_circle() -> None:
    files = {
        "things/chest.tscn": scene_with("uid://chest", "res://lid.tscn", "res://lock.tscn"),
        "lid.tscn": scene_with("uid://lid", "res://lock.tscn"),
        # A scene in a variable or a text is not inside of the other.
        "lock.tscn": scene_with("uid://lock").replace(
            "[node", '[ext_resource type="PackedScene" path="res://lid.tscn" id="1"]\n[node'
        )
        + 'opens = ExtResource("1")\nhint = "instance=ExtResource(\\"1\\")"\n',
    }
    exported, game = export(level(), {"chest": CHEST}, files)
    assert not exported.warnings
    assert game.requested.count("lock.tscn") == 1


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("[gd_resource]", "cannot be used for objects: the first line of the scene is not"),
        ("version https://git-lfs.github.com/spec/v1", "cannot be used for objects"),
        (
            SCENE.replace("uid://chest", godot_uid("levels", "crypt.tscn")),
            "is the scene of this level",
        ),
    ],
)
def test_another_file_is_an_error_at_its_option(text: str, reported: str) -> None:
    with pytest.raises(ParameterError, match=reported) as caught:
        export(level(), {"chest": CHEST}, {"things/chest.tscn": text})
    assert caught.value.path == ("scenes", "chest")


def test_a_property_of_another_type_is_an_error_at_its_position_in_the_spec() -> None:
    with pytest.raises(LevelError) as caught:
        export(level(gold="much"), {"chest": CHEST})
    assert caught.value.path == ("objects", 1, "properties", "gold")
    assert caught.value.message == (
        "'gold' is text, but the variable of this name in res://things/chest.gd is of the type int"
    )
    loose = replace(level(), objects=(PlacedObject(1, "chest", 1, 1, {"gold": "much"}),))
    with pytest.raises(ParameterError) as reported:
        export(loose, {"chest": CHEST})
    assert reported.value.path == ("scenes", "chest")


def test_all_properties_of_another_type_are_reported_once() -> None:
    files = {**FILES, "things/chest.gd": "@export var gold: int\n@export var open: bool"}
    with pytest.raises(LevelError) as caught:
        export(level(gold="much", open=1, mood=2), {"chest": CHEST}, files)
    reported = [caught.value, *caught.value.others]
    assert [error.path[-1] for error in reported] == ["gold", "open"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert [error.path for error in again.others] == [error.path for error in reported[1:]]


def test_a_null_leaves_the_variable_alone() -> None:
    text = content(export(level(gold=None), {"chest": CHEST})[0], "crypt.tscn")
    assert "\ngold" not in text


def test_a_root_without_a_position_and_an_unknown_base_are_reported() -> None:
    files = {
        "things/chest.tscn": SCENE.replace("Node2D", "Node3D"),
        "things/chest.gd": "extends Thing\n@export var gold: int",
    }
    exported, _ = export(level(gold=2, mood="grim"), {"chest": CHEST}, files)
    messages = [notice.message for notice in exported.warnings if isinstance(notice, Notice)]
    assert len(messages) == len(exported.warnings) == 2
    assert messages[0].startswith(f"the root of {CHEST} is a Node3D, which has no position in 2D")
    assert messages[1].endswith("if it has 'mood', these variables are not set")
    node = content(exported, "crypt.tscn").partition('[node name="chest_2"')[2]
    assert "position" not in node
    assert "\ngold = 2\n" in node
    # Without properties that could be meant for it, the base does not matter.
    assert len(export(level(gold=2), {"chest": CHEST}, files)[0].warnings) == 1


BLOB = Artifact("crypt.lvb", "blob", b"")
COMPLETED = b"""[remap]

importer="level_exporter.level"
uid="uid://b1"

[params]

tile_set=""
scenes=%s
"""


def test_the_settings_of_an_import_are_ours_as_far_as_we_write_them() -> None:
    plain = level_import(BLOB, "levels").data
    assert b"params" not in plain
    uid = godot_uid("levels", "crypt.lvb").encode()
    # The editor's additions are no change by a person; other scenes are.
    completed = COMPLETED.replace(b"uid://b1", uid)
    assert own_part(completed % b"PackedStringArray()") == plain
    listed = level_import(BLOB, "levels", (CHEST, "res://a.tscn", CHEST)).data
    scenes = b'PackedStringArray("res://a.tscn", "res://things/chest.tscn")'
    assert own_part(completed % scenes) == listed
    assert own_part(completed % b'PackedStringArray("res://a.tscn")') not in (plain, listed)
    with_scenes = merged(completed % b"PackedStringArray()", listed)
    assert own_part(with_scenes) == listed
    assert b'tile_set=""' in with_scenes


def test_a_scene_may_stand_for_one_kind_of_the_objects_of_a_name() -> None:
    kinds = ("ogre", "rat", None, 7)
    objects = [PlacedObject(n, "monster", n, 0, {"name": kind}) for n, kind in enumerate(kinds, 1)]
    item = replace(level(), objects=(*objects, PlacedObject(9, "a/b", 0, 2)))
    scene = SCENE.replace("uid://chest", "uid://ogre")
    files = {**FILES, "things/ogre.tscn": scene}
    scenes = {"monster/ogre": "res://things/ogre.tscn", "monster": CHEST, "a/b": CHEST}
    text = content(export(item, scenes, files)[0], "crypt.tscn")
    pattern = r'name="(\w+)" parent="objects" groups=\[[^]]*\] instance=ExtResource\("(\w+)"\)'
    instances = re.findall(pattern, text)
    numbers = dict(instances)
    assert list(numbers) == ["monster_1", "monster_2", "monster_3", "monster_4", "a_b"]
    assert numbers["monster_2"] == numbers["monster_3"] == numbers["monster_4"] == numbers["a_b"]
    assert numbers["monster_1"] != numbers["monster_2"]


def test_without_the_scene_of_a_kind_its_objects_have_that_of_their_name() -> None:
    kinds = ("ogre", "rat")
    objects = [PlacedObject(n, "monster", n, 0, {"name": kind}) for n, kind in enumerate(kinds, 1)]
    item = replace(level(), objects=tuple(objects))
    scenes = {"monster/ogre": "res://things/ogre.tscn", "monster": CHEST}
    exported, _ = export(item, scenes)
    (notice,) = (it for it in exported.warnings if isinstance(it, Notice))
    assert notice.path == ("scenes", "monster/ogre")
    assert notice.message.endswith(
        "the objects 'monster/ogre' have the scene of 'monster' until it is there"
    )
    assert content(exported, "crypt.tscn").count(" instance=ExtResource") == 2


LAYERS = """
size: [8, 6]
layers:
  ground: {generator: maze}
  trees: {generator: blank, role: picture, y_sort: true, z_index: 2, godot: {modulate: "#ff0000"}}
"""


def displayed(text: str, **options: Any) -> str:
    chosen = TARGETS.get("godot").options(path="levels", **options)
    result = build_level(parse_level(text.encode(), "crypt.level.yaml"))
    return content(TARGETS.get("godot").export(result, chosen, "levels"), "crypt.tscn")


def test_layers_and_the_root_have_the_properties_that_the_spec_says() -> None:
    ground, trees = displayed(LAYERS).split('name="trees"')
    lines = "y_sort_enabled = true\nz_index = 2\nmodulate = Color(1, 0, 0, 1)\n"
    assert lines in trees
    assert ground.count("y_sort_enabled = true") == 1
    assert "y_sort_enabled" not in displayed(LAYERS.replace("y_sort: true, ", ""))


@each_case(
    ("text", "message"),
    [
        ("{modulat: '#ff0000'}", "did you mean 'modulate'"),
        ("{modulate: red}", "allowed: a colour such as"),
        ("{visible: 1}", "allowed: true or false"),
    ],
)
def test_a_property_that_a_layer_does_not_have_is_an_error(text: str, message: str) -> None:
    with pytest.raises(LevelError, match=message) as caught:
        displayed(LAYERS.replace('{modulate: "#ff0000"}', text))
    assert caught.value.path[:3] == ("layers", "trees", "godot")


def test_a_large_level_says_that_it_does_not_sort() -> None:
    result, _ = export(level(), {}, chunks="always", objects=ObjectsNode(y_sort=True))
    assert any("`y_sort` of objects" in str(warning) for warning in result.warnings)


SLIME = """\
[gd_scene format=3]
[sub_resource type="CircleShape2D" id="body"]
radius = 5.0
[sub_resource type="RectangleShape2D" id="sight"]
size = Vector2(90, 90)
[node name="Slime" type="CharacterBody2D"]
[node name="Shape" type="CollisionShape2D" parent="."]
position = Vector2(0, -2)
shape = SubResource("body")
[node name="Sight" type="Area2D" parent="."]
[node name="Shape" type="CollisionShape2D" parent="Sight"]
shape = SubResource("sight")
[node name="Agent" type="NavigationAgent2D" parent="."]
"""
BIG_SLIME = """\
[gd_scene format=3]
[ext_resource type="PackedScene" path="slime.tscn" id="1"]
[sub_resource type="CapsuleShape2D" id="body"]
radius = 4.0
height = 11.0
[node name="Big" instance=ExtResource("1")]
[node name="Shape" parent="."]
shape = SubResource("body")
"""


@each_case(
    ("files", "scene", "radius"),
    [
        ({"slime.tscn": SLIME}, "slime.tscn", 8),
        ({"slime.tscn": SLIME, "big.tscn": BIG_SLIME}, "big.tscn", 9),
        ({"slime.tscn": SLIME.replace("NavigationAgent2D", "Node2D")}, "slime.tscn", 6),
        ({}, "slime.tscn", 6),
    ],
)
def test_paths_keep_as_far_from_walls_as_the_widest_agent_is(
    files: dict[str, str], scene: str, radius: int
) -> None:
    scenes = {"slime": f"res://{scene}"}
    result = [
        content(export(level(), scenes, files, agent_radius=expected)[0], "crypt.tscn")
        for expected in ("auto", radius)
    ]
    assert result[0] == result[1]


def test_a_body_wider_than_the_written_radius_is_a_warning() -> None:
    files = {"slime.tscn": SLIME}
    for radius, count in ((6, 1), (7, 0)):
        result, _ = export(level(), {"slime": "res://slime.tscn"}, files, agent_radius=radius)
        reported = [warning for warning in result.warnings if "reaches 7 pixels" in str(warning)]
        assert len(reported) == count
