"""Whatever changes in a spec, a warm build equals a fresh one: no key can forget a field.

Every field of every dataclass of a spec is changed, one by one, and the level is built with the
cache of the level before. Parameters of generators of other packages are covered in the same way:
nothing here lists fields by hand.
"""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from inspect import get_annotations
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import hand_tiled
from cases import each_case
from exporter.blob import read_blob
from exporter.export.level_builder import LevelBuilder
from exporter.export.tasks import Task, TaskResult
from exporter.generators import GENERATORS
from exporter.measures import metrics
from exporter.model.level import Level
from exporter.model.tables.table import TableParameters
from exporter.model.tileset import TilesetOptions
from exporter.placement.parameters import ObjectParameters
from exporter.placement.spawn_parameters import Spawn
from exporter.project.project import Project
from exporter.project.settings_file import parse_project
from exporter.puzzles import PUZZLES
from exporter.reading.level_keys import LayerOptions, LevelDocument, VisibilityParameters
from exporter.reading.limit_keys import LevelRequirements
from exporter.targets import TARGETS, Exported, SharedWork
from exporter.targets.shared_files import blob_files
from ldtk_projects import Entity as LdtkEntity
from ldtk_projects import EntityDefinition
from ldtk_projects import Layer as LdtkLayer
from ldtk_projects import Level as LdtkLevel
from ldtk_projects import Project as LdtkProject
from variations import fields_of, variations

SPEC = "levels/probe.level.yaml"
# So many values are tried for each field, and so many of them that build.
CANDIDATES = 4
ATTEMPTED = 1

BASE: dict[str, Any] = {
    "size": [18, 14],
    "seed": 7,
    "layers": {
        "ground": {"generator": "cellular_caves", "wall_percent": 35, "connect": "guaranteed"},
        "other": {"generator": "cellular_caves", "wall_percent": 30},
    },
    "visibility": {"layer": "ground", "radius": 4},
    "objects": [
        {"name": "start", "layer": "ground"},
        {"name": "lamp", "layer": "ground", "count": 2, "required": False},
    ],
}
# The same with rooms.
ROOMS: dict[str, Any] = BASE | {
    "layers": {
        "ground": {"generator": "bsp_rooms", "min_room_size": [3, 3]},
        "other": {"generator": "cellular_caves", "wall_percent": 30, "role": "data"},
    },
    "objects": [
        {"name": "start", "layer": "ground", "in_rooms": True},
        {"name": "lamp", "layer": "ground", "count": 2, "in_rooms": True},
    ],
}
# Layers that some generators cannot do without.
BEFORE: dict[str, dict[str, Any]] = {
    "doors": {"built": {"generator": "bsp_rooms", "depth": 2, "min_room_size": [3, 3]}}
}
ART = "####\n#..#\n#..#\n####\n"
# Required parameters of generators.
NEEDED: dict[str, dict[str, Any]] = {
    "autotile": {"of": "ground"},
    "bands": {
        "of": "hills",
        "by": "moisture",
        "steps": [
            {"below": 0.4, "tile": "water"},
            {"steps": [{"below": 0.5, "tile": "sand"}, {"tile": "grass"}]},
        ],
    },
    "flow": {"of": "hills", "sea_level": 0.2, "wide_from_percent": 20, "min_lake_cells": 1},
    "doors": {"of": "built"},
    "between": {"start": ["start"], "goal": ["lamp"]},
    "from_image": {"image": "map.png"},
    "from_ldtk": {"file": "rooms.ldtk", "at": [0, 0]},
    "from_tiled": {"file": "village.tmj", "at": [0, 0]},
    "goal_flow": {"objects": ["lamp"]},
    "light": {"objects": ["lamp"]},
    "mask": {"of": "ground", "by": "other"},
    "outline": {"of": "ground"},
    "prefabs": {"prefabs": [{"art": ART}]},
    "room_lattice": {"columns": 3, "rows": 2, "rooms": 4},
    "shade": {"of": "hills"},
    "slope": {"of": "hills"},
    "road": {"of": "ground", "between": ["start", "lamp"]},
    "stamp": {"of": "ground", "art": ART, "at": [[2, 2]]},
    "steps_from": {"objects": ["lamp"]},
    "subtract": {"of": "ground", "minus": ["other"]},
    "union": {"layers": ["ground", "other"]},
    "wave_function_collapse": {"sample": ART, "attempts": 3},
}
PARAMETERS = {name: GENERATORS.get(name).parameters for name in GENERATORS.names()}
OPTIONS = {name: TARGETS.get(name).options for name in TARGETS.names()}
# Generators that need heights, and the heights.
OF_HEIGHTS = {"bands", "flow", "shade", "slope"}
HEIGHTS = {
    "hills": {"generator": "heightmap", "feature_size": 6},
    "moisture": {"generator": "heightmap", "size": [9, 9], "feature_size": 4},
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    levels = tmp_path / "levels"
    levels.mkdir()
    (tmp_path / ".exporter").mkdir()  # without it nothing is cached
    pixels = np.random.default_rng(5).integers(0, 2, (14, 18), np.uint8) * 255
    for name, shift in (("map.png", 0), ("art.png", 1), ("sample.png", 2), ("other.png", 3)):
        Image.fromarray(np.roll(pixels, shift, 1)).save(levels / name)
    Image.fromarray(pixels[:8, :16]).resize((32, 16)).save(levels / "tiles.png")
    noise = np.random.default_rng(6).integers(0, 256, (16, 128, 3), np.uint8)
    Image.fromarray(noise).save(levels / "terrain.png")
    cells = (pixels // 255).tolist()
    drawn = LdtkLevel("Hall", {"Walls": cells, "Things": [LdtkEntity("Chest", (40, 40))]})
    layers = [LdtkLayer("Things", "Entities"), LdtkLayer("Walls", values={1: "wall"})]
    chest = EntityDefinition("Chest")
    rooms = LdtkProject([drawn], layers, entities=[chest], name="rooms")
    (levels / "rooms.ldtk").write_bytes(rooms.content())
    chest_of_tiled = {"name": "chest", "x": 40, "y": 40, "point": True}
    layers_of_tiled = (
        hand_tiled.layer("Walls", (pixels // 255).astype(np.uint32) + 1),
        hand_tiled.things("Things", chest_of_tiled),
    )
    tiles = hand_tiled.tileset({0: {"type": "floor"}, 1: {"type": "wall"}})
    (levels / "walls.tsj").write_bytes(hand_tiled.tileset_file(tiles))
    entry = {"firstgid": 1, "source": "walls.tsj"}
    (levels / "village.tmj").write_bytes(hand_tiled.drawn(*layers_of_tiled, tilesets=[entry]))
    settings = "targets:\n  godot: {path: g, blob: fast}\n  tiled: {path: t, blob: false}\n"
    return parse_project(settings.encode(), "exporter.yaml", tmp_path)


def build(
    project: Project, document: dict[str, Any], *, fresh: bool, save: bool = True
) -> TaskResult:
    """Build a level with all its targets, with or without the cache."""
    content = json.dumps(document).encode()
    builder = LevelBuilder(Task(project, SPEC, content, "", "identity", fresh))
    built = builder.run()
    if save and not fresh:
        builder.save()
    assert not built.traceback, built.traceback
    return built


def is_warm(project: Project) -> bool:
    """Whether the cache holds anything: a cold one would make every comparison vain."""
    return any(path.is_file() for path in (project.state / "cache").rglob("*"))


def summary(built: TaskResult) -> Any:
    """Return all reported facts of a built level, and the hash of every file."""
    files = [(file.path, file.kind, file.layer, file.sha256, file.once) for file in built.files]
    return files, built.layers, built.warnings, built.problems, built.inputs


def changed(document: dict[str, Any], path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    other = copy.deepcopy(document)
    position: Any = other
    for step in path[:-1]:
        position = position[step]
    position[path[-1]] = value
    return other


def check_fields(
    project: Project,
    document: dict[str, Any],
    path: tuple[str | int, ...],
    fields: list[tuple[str, Any, Any]],
    most_without_effect: float = 0.75,
) -> None:
    """Change every field of the mapping at `path`, and compare a warm build with a fresh one."""
    base = build(project, document, fresh=False)
    assert not base.problems, base.problems
    assert is_warm(project)
    position: Any = document
    for step in path:
        position = position[step]
    without_effect = []
    for name, hint, default in fields:
        differs = 0
        built = 0
        for value in islice(variations(hint, position.get(name, default)), CANDIDATES):
            other = changed(document, (*path, name), value)
            fresh = build(project, other, fresh=True)
            if summary(fresh) != summary(base):  # else nothing stale could be seen
                warm = build(project, other, fresh=False, save=False)
                assert summary(warm) == summary(fresh), (path, name, value)
            built += not fresh.problems
            differs += not fresh.problems and summary(fresh)[0] != summary(base)[0]
            if built >= ATTEMPTED and differs:
                break
        if not differs:
            without_effect.append(name)
    # A test that changed nothing could not fail; some fields do nothing in so small a level.
    assert len(without_effect) <= max(1, most_without_effect * len(fields)), without_effect


def own_fields(name: str, kinds: dict[str, type[Any]]) -> list[tuple[str, Any, Any]]:
    """Return the fields to try with one of some kinds: those it shares only with the first."""
    kind = kinds[name]
    earlier = [item for other, item in kinds.items() if other < name]

    def owner(field: str) -> type[Any]:
        return next(item for item in reversed(kind.__mro__) if field in get_annotations(item))

    return [
        field
        for field in fields_of(kind)
        if owner(field[0]) is kind or not any(issubclass(item, owner(field[0])) for item in earlier)
    ]


def only_the_blob(level: Level, options: Any, _folder: str, shared: SharedWork) -> Exported:
    """Export everything a level holds, at least cost."""
    return Exported(tuple(blob_files(level, options, shared)))


@each_case("generator", GENERATORS.names())
def test_a_parameter_of_a_generator(
    project: Project, monkeypatch: pytest.MonkeyPatch, generator: str
) -> None:
    unity = replace(TARGETS.get("unity"), artifacts=only_the_blob)
    monkeypatch.setattr(TARGETS, "get", lambda name: unity)
    settings = b"targets: {unity: {path: u, blob: fast}}"
    project = parse_project(settings, "exporter.yaml", project.root)
    document = copy.deepcopy(BASE)
    if generator in OF_HEIGHTS:
        document["layers"] |= copy.deepcopy(HEIGHTS)
    document["layers"] |= BEFORE.get(generator, {})
    document["layers"]["probe"] = {"generator": generator, **NEEDED.get(generator, {})}
    # Most generators do without sight, objects and the ground, and are built sooner then.
    small = {key: document[key] for key in ("size", "seed", "layers")}
    small["layers"] = {name: item for name, item in small["layers"].items() if name != "ground"}
    if not build(project, small, fresh=True).problems:
        document = small
    check_fields(project, document, ("layers", "probe"), own_fields(generator, PARAMETERS))


def test_an_option_of_a_layer(project: Project) -> None:
    document = changed(BASE, ("layers", "probe"), {"generator": "island_maze"})
    check_fields(project, document, ("layers", "probe"), fields_of(LayerOptions))


def test_an_option_of_a_layer_that_objects_sight_and_limits_follow(project: Project) -> None:
    objects = [{**item, "required": False} for item in BASE["objects"]]
    document = BASE | {
        "visibility": {"radius": 4},
        "objects": [{key: item[key] for key in item if key != "layer"} for item in objects],
        "require": {"max_floor": 1},
    }
    check_fields(project, document, ("layers", "other"), fields_of(LayerOptions))


def test_a_replaced_layer(project: Project) -> None:
    """A role may come from a layer further down, which the layer itself does not read."""
    base = build(project, BASE, fresh=False)
    union = {"generator": "union", "layers": ["other"]}
    document = changed(BASE, ("layers", "probe"), union)
    warm, fresh = build(project, document, fresh=False), build(project, document, fresh=True)
    assert summary(warm) == summary(fresh)

    def role(built: TaskResult) -> str:
        blob = next(file.data for file in built.files if file.path.endswith(".lvb"))
        assert blob is not None
        return read_blob(blob).layers["other"].role

    assert (role(base), role(warm), role(fresh)) == ("play", "data", "data")


def test_the_visibility(project: Project) -> None:
    document = changed(BASE, ("layers", "seen"), {"generator": "exposure"})
    check_fields(project, document, ("visibility",), fields_of(VisibilityParameters))


def test_an_object(project: Project) -> None:
    document = changed(BASE, ("layers", "shine"), {"generator": "light", "objects": ["lamp"]})
    check_fields(project, document, ("objects", 1), fields_of(ObjectParameters))


def test_an_object_among_rooms(project: Project) -> None:
    """Counts in rooms follow the rooms, their connections and the named objects."""
    objects = [
        ROOMS["objects"][0],
        {"name": "lamp", "layer": "ground", "far_from": "start", "min_rooms": 1,
         "near": "start", "max_rooms": 4, "required": False},
    ]  # fmt: skip
    document = ROOMS | {"objects": objects}
    fields = [item for item in fields_of(ObjectParameters) if re.search("room|near|far", item[0])]
    check_fields(project, document, ("objects", 1), fields)
    build(project, document, fresh=False)
    changes: list[tuple[tuple[str | int, ...], Any]] = [
        (("seed",), 8),
        (("size",), [19, 14]),
        (("layers", "ground", "min_room_size"), [4, 3]),
        (("objects", 0, "at"), [1, 1]),
        (("objects", 0, "count"), 3),
    ]
    for path, value in changes:
        other = changed(document, path, value)
        warm, fresh = build(project, other, fresh=False), build(project, other, fresh=True)
        assert summary(warm) == summary(fresh), path


def test_the_start_of_a_required_distance(project: Project) -> None:
    require = {"min_distance": 999, "start": "start"}
    document = ROOMS | {"require": require}
    reported = set()
    changes: list[tuple[tuple[str | int, ...], Any]] = [
        (("seed",), 7),
        (("seed",), 8),
        (("require", "start"), "lamp"),
        (("require", "start"), None),
        (("objects", 0, "count"), 3),
        (("layers", "other", "role"), "play"),
    ]
    for path, value in changes:
        other = changed(document, path, value)
        warm, fresh = build(project, other, fresh=False), build(project, other, fresh=True)
        assert warm.problems == fresh.problems
        reported.update(problem.message for problem in warm.problems)
    assert len(reported) == len(changes)


def test_a_spawn(project: Project) -> None:
    document = copy.deepcopy(BASE)
    columns = {"name": "text", "danger": "integer", "weight": "integer", "hp": "integer"}
    rows = [["rat", 1, 3, 2], ["bat", 2, 1, 1]]
    document["tables"] = {"monsters": {"columns": columns, "rows": rows}}
    document["tables"]["lamp"] = {"columns": columns, "rows": rows[:1]}
    document["objects"] = [
        *BASE["objects"],
        {
            "name": "monster",
            "layer": "ground",
            "required": False,
            "spawn": {"table": "monsters", "budget": [2, 6], "along": ["start", "lamp"], "per": 30},
        },
    ]
    check_fields(project, document, ("objects", 2, "spawn"), fields_of(Spawn))
    check_fields(project, document, ("tables", "monsters"), fields_of(TableParameters))


def test_a_table(project: Project) -> None:
    table = {"columns": {"name": "text", "hp": "integer"}, "rows": [["rat", 3], ["bat", 1]]}
    document = changed(BASE, ("tables",), {"monsters": table})
    check_fields(project, document, ("tables", "monsters"), fields_of(TableParameters))


@pytest.mark.parametrize("kind", PUZZLES.names())
def test_a_puzzle(project: Project, kind: str) -> None:
    document = changed(BASE, ("puzzles",), {"vault": {"kind": kind}})
    check_fields(project, document, ("puzzles", "vault"), fields_of(PUZZLES.get(kind).parameters))


def test_the_tileset(project: Project) -> None:
    tileset = {"image": "tiles.png", "tile_size": 8, "tiles": {"floor": 1, "wall": 2}}
    document = changed(BASE, ("tileset",), tileset)
    check_fields(
        project, document, ("tileset",), fields_of(TilesetOptions), most_without_effect=0.8
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("autotile", {"wall": "edges"}),
        ("transitions", []),
        ("tiles", {"floor": 1, "wall": list(range(2, 17))}),
    ],
)
def test_tiles_over_others(project: Project, name: str, value: Any) -> None:
    tileset = {
        "image": "terrain.png",
        "tile_size": 8,
        "tiles": {"floor": 1, "wall": 16},
        "autotile": {"wall": "corners"},
        "transitions": [["floor", "wall"]],
    }
    document = changed(BASE, ("tileset",), tileset)
    base = build(project, document, fresh=False)
    assert not base.problems, base.problems
    other = changed(document, ("tileset", name), value)
    warm, fresh = build(project, other, fresh=False), build(project, other, fresh=True)
    assert not fresh.problems, fresh.problems
    assert summary(warm) == summary(fresh) != summary(base)


def test_what_is_required(project: Project) -> None:
    document = changed(BASE, ("require",), {"max_floor": 1})
    base = build(project, document, fresh=False)
    assert not base.problems
    failed = 0
    for name, hint, default in fields_of(LevelRequirements):
        for value in variations(hint, default):
            other = changed(document, ("require", name), value)
            fresh = build(project, other, fresh=True)
            warm = build(project, other, fresh=False, save=False)
            assert summary(warm) == summary(fresh), (name, value)
            failed += bool(fresh.problems)
    assert failed


@pytest.mark.parametrize("base", [BASE, ROOMS], ids=["caves", "rooms"])
def test_the_metrics_that_are_required(project: Project, base: dict[str, Any]) -> None:
    """The figures of a warm build are those of a fresh one, whatever they are computed from."""
    names = [name for name, item in metrics().items() if item.plain]
    names += ["objects.start", "distance.start.lamp", "reachable.5"]
    lacking = {"critical_path", "critical_path_doors", "critical_path_share", "detours"}
    lacking |= {name for name in names if name.startswith("mission_")}
    if base is BASE:
        lacking |= {"rooms", "room_degree", "room_loops", "dead_end_rooms"}
    else:
        names.append("critical_path_doors.start.lamp")
    loose = {name: {"at_least": 0} for name in names if name not in lacking}
    tight = {name: {"equals": 0.123} for name in loose}
    changes: list[tuple[tuple[str | int, ...], Any]] = [
        (("seed",), 8),
        (("size",), [19, 14]),
        (("visibility", "radius"), 2),
        (("visibility", "algorithm"), "raycast"),
        (("layers", "other", "role"), "data"),
        (("objects", 1, "count"), 1),
    ]
    reported = set()
    assert not build(project, changed(base, ("require",), loose), fresh=False).problems
    for path, value in changes:
        other = changed(base, path, value)
        assert not build(project, changed(other, ("require",), loose), fresh=False).problems
        other = changed(other, ("require",), tight)
        warm, fresh = build(project, other, fresh=False), build(project, other, fresh=True)
        assert warm.problems == fresh.problems
        assert len(warm.problems) >= len(tight) - 2
        reported.add(tuple(problem.message for problem in warm.problems))
    assert len(reported) >= len(changes) - 1


def test_a_budget_is_checked_whatever_is_remembered(project: Project) -> None:
    built = build(project, BASE, fresh=False)
    total = sum(file.size for file in built.files)
    (blob,) = [file.size for file in built.files if file.kind == "blob"]
    remaining = changed(BASE, ("budget",), {"blob": blob, "outputs": total})
    assert not build(project, remaining, fresh=False).problems
    for key, size in (("blob", blob), ("outputs", total)):
        tight = changed(remaining, ("budget", key), size - 1)
        (problem,) = build(project, tight, fresh=False).problems
        assert f"(budget: {size - 1} bytes)" in problem.message


def test_the_level_itself(project: Project) -> None:
    document = {**BASE, "properties": {"music": "drip.ogg"}}
    check_fields(project, document, (), fields_of(LevelDocument))


@each_case("name", TARGETS.names())
def test_an_option_of_a_target(tmp_path: Path, name: str) -> None:
    (tmp_path / "levels").mkdir()
    (tmp_path / ".exporter").mkdir()
    document = {**BASE, "tables": {"loot": {"columns": {"name": "text"}, "rows": [["cup"]]}}}
    document["layers"] = {"ground": BASE["layers"]["ground"], "relief": {"generator": "heightmap"}}

    def project(options: dict[str, Any]) -> Project:
        text = json.dumps({"targets": {name: {"path": "out", **options}}})
        return parse_project(text.encode(), "exporter.yaml", tmp_path)

    fingerprints = {project({}).fingerprint}
    base = build(project({}), document, fresh=False)
    assert not base.problems
    for field, hint, default in own_fields(name, OPTIONS):
        if field == "plugin":
            continue  # concerns the project, not the levels
        built = False
        for value in islice(variations(hint, default), 4):
            try:
                other = project({field: value})
            except Exception:  # a value that the target refuses
                continue
            if not built:
                fresh = build(other, document, fresh=True)
                if summary(fresh) != summary(base):
                    warm = build(other, document, fresh=False, save=False)
                    assert summary(warm) == summary(fresh), (field, value)
                built = True
            assert other.fingerprint not in fingerprints, (field, value)
            fingerprints.add(other.fingerprint)


@pytest.mark.parametrize(
    ("file", "layer"),
    [
        ("map.png", {"generator": "from_image", "image": "map.png"}),
        ("map.png", {"generator": "heightmap", "from_image": "map.png"}),
        ("piece.txt", {"generator": "prefabs", "prefabs": [{"file": "piece.txt"}]}),
        ("rooms.ldtk", {"generator": "from_ldtk", "file": "rooms.ldtk", "fill": "floor"}),
        ("village.tmj", {"generator": "from_tiled", "file": "village.tmj"}),
        ("walls.tsj", {"generator": "from_tiled", "file": "village.tmj"}),
    ],
)
def test_the_content_of_a_file(project: Project, file: str, layer: dict[str, Any]) -> None:
    levels = project.root / "levels"
    (levels / "piece.txt").write_text(ART)
    document = changed(BASE, ("layers", "probe"), layer)
    first = build(project, document, fresh=False)
    assert not first.problems
    if file == "piece.txt":
        (levels / file).write_text(ART.replace("#..#", "#.##", 1))
    else:
        (levels / file).write_bytes((levels / "other.png").read_bytes())
    warm, fresh = build(project, document, fresh=False), build(project, document, fresh=True)
    assert summary(warm) == summary(fresh) != summary(first)
