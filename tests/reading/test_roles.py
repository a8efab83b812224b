"""Roles of layers: the defaults, and which written ones are refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, get_args, get_type_hints

import numpy as np

from cases import each_case
from exporter.build.build import build_level
from exporter.generators import GENERATORS
from exporter.model.level import HeightRange, Layer
from exporter.model.level_values import LayerRole
from exporter.model.parameters import Refers
from exporter.reading.reader import parse_level
from exporter.reading.roles import finished_role, layer_roles
from spec_problems import problems_in

PAGE = Path(__file__).resolve().parents[2] / "exporter" / "docs" / "explanation" / "roles.md"
# A new generator needs an entry here with the role of its layers.
USUAL: dict[str, LayerRole] = {
    "ambush": "data",
    "autotile": "data",
    "bands": "play",
    "between": "data",
    "blank": "play",
    "bsp_rooms": "play",
    "cellular_caves": "play",
    "choke_visibility": "data",
    "cover": "data",
    "doors": "play",
    "drunkard": "play",
    "exposure": "data",
    "flow": "play",
    "from_image": "play",
    "from_ldtk": "play",
    "from_tiled": "play",
    "goal_flow": "data",
    "heightmap": "play",  # its heights are data, as all heights are
    "irregular_rooms": "play",
    "island_maze": "play",
    "light": "data",
    "mask": "play",
    "maze": "play",
    "outline": "play",
    "prefabs": "play",
    "road": "picture",
    "room_lattice": "play",
    "rooms_and_corridors": "play",
    "shade": "picture",
    "slope": "data",
    "stamp": "play",
    "steps_from": "data",
    "subtract": "play",
    "union": "play",
    "visited_caves": "play",
    "voronoi": "play",
    "watch_posts": "data",
    "wave_function_collapse": "play",
}
REPLACED = {
    ("doors", "of"),
    ("mask", "of"),
    ("prefabs", "of"),
    ("stamp", "of"),
    ("subtract", "minus"),
    ("subtract", "of"),
    ("union", "layers"),
}
ART = '"###\\n#.#\\n###"'


def roles(layers: str) -> dict[str, LayerRole]:
    spec = parse_level(f"size: [9, 9]\nlayers:\n{layers}".encode(), "probe.level.yaml")
    return layer_roles(spec.layers)


def refused(text: str) -> list[str]:
    return problems_in(lambda: build_level(parse_level(text.encode(), "probe.level.yaml")))


def replacing(hint: object) -> bool:
    """Whether an annotation says that the layer it names is replaced."""
    inside = [*get_args(hint), *getattr(hint, "__metadata__", ())]
    return any(isinstance(item, Refers) and item.replaced for item in inside) or any(
        replacing(item) for item in inside if not isinstance(item, Refers)
    )


def test_every_generator_has_a_role_that_somebody_decided() -> None:
    assert {name: GENERATORS.get(name).role for name in GENERATORS.built_in()} == USUAL


ROADS = (
    "  land: {generator: blank}\n"
    "  road: {generator: road, of: land, rooms: all%s}\n"
    "  all: {generator: stamp, of: land, from_layer: %s}\n"
)


@each_case(
    ("written", "copied", "role"),
    [
        ("", "land", "picture"),
        ("", "road", "data"),
        (", role: picture", "road", "picture"),
        (", role: play", "land", "play"),
    ],
)
def test_a_picture_by_default_is_data_where_its_tiles_are_copied(
    written: str, copied: str, role: LayerRole
) -> None:
    assert roles(ROADS % (written, copied))["road"] == role
    # A layer played on before it was copied still is.
    assert roles(ROADS.replace("of: land, from", "of: road, from") % ("", "land"))["land"] == "play"


def test_what_replaces_a_layer_is_said_by_its_parameter() -> None:
    result = {
        (name, field)
        for name in GENERATORS.built_in()
        for field, hint in get_type_hints(
            GENERATORS.get(name).parameters, include_extras=True
        ).items()
        if replacing(hint)
    }
    assert result == REPLACED
    assert not replacing(Annotated[str, Refers("layer", same_size=True)])


@each_case(
    ("user", "role"),
    [
        ("{generator: union, layers: [caves, other]}", "data"),
        ("{generator: union, layers: [other, caves]}", "data"),
        ("{generator: subtract, of: caves, minus: [other]}", "data"),
        ("{generator: subtract, of: other, minus: [caves]}", "data"),
        ("{generator: mask, of: caves, by: other}", "data"),
        ("{generator: mask, of: other, by: caves}", "play"),
        (f"{{generator: stamp, of: caves, art: {ART}}}", "data"),
        ("{generator: stamp, of: other, from_layer: caves}", "play"),
        (f"{{generator: prefabs, of: caves, prefabs: [{{art: {ART}}}]}}", "data"),
        ("{generator: outline, of: caves}", "play"),
        ("{generator: autotile, of: caves}", "play"),
        ("{generator: cellular_caves, from_layer: caves}", "play"),
        ("{generator: heightmap, from_layer: caves}", "play"),
        ("{generator: union, layers: [caves, other], role: none}", "data"),
    ],
)
def test_a_replaced_layer_is_data(user: str, role: str) -> None:
    caves = "  caves: {generator: drunkard}\n  other: {generator: maze}\n"
    assert roles(f"{caves}  user: {user}\n")["caves"] == role
    for written in get_args(LayerRole):
        named = caves.replace("{generator: drunkard", f"{{generator: drunkard, role: {written}")
        assert roles(f"{named}  user: {user}\n")["caves"] == written


def test_the_roles_of_the_page_are_as_it_says() -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    level = build_level(parse_level(text.encode(), "page.level.yaml"))
    assert {name: layer.role for name, layer in level.layers.items()} == {
        "draft": "none",
        "caves": "data",
        "halls": "data",
        "ground": "play",
        "edges": "picture",
        "open": "data",
    }
    assert level.visibility_layer == "ground"
    assert np.array_equal(level.walkable(), level.layers["ground"].walkable)


def test_the_page_lists_what_measures_and_what_replaces() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in (name for name, role in USUAL.items() if role == "data"):
        assert f"`{name}`" in text
    for name, _ in REPLACED:
        assert f"`{name}`" in text


@each_case("role", ["play", "picture"])
@each_case(
    ("layer", "why"),
    [
        ("{generator: heightmap, role: %s}", "a layer of heights cannot be"),
        ("{generator: heightmap, size: [17, 17], role: %s}", "a layer of heights cannot be"),
        ("{generator: maze, size: [17, 17], role: %s}", "a layer of 17 x 17 cells cannot be"),
        # Whether it holds heights is only known when it is made.
        ("{generator: exposure, role: %s}", "a layer of heights cannot be"),
    ],
)
def test_what_is_no_tiles_of_the_level_cannot_be_seen(layer: str, why: str, role: str) -> None:
    text = (
        f"size: [9, 9]\nlayers:\n  g: {{generator: maze}}\n  a: {layer % role}\nvisibility: {{}}\n"
    )
    (message,) = refused(text)
    column = text.splitlines()[3].index("role: ") + 7
    assert message.startswith(f"4:{column}: {why} '{role}'")
    assert "write `data` or `none`" in message


@each_case("role", ["data", "none"])
@each_case(
    "layer",
    [
        "{generator: heightmap, role: %s}",
        "{generator: maze, size: [17, 17], role: %s}",
        "{generator: exposure, role: %s}",
        "{generator: exposure, levels: 3, role: %s}",
    ],
)
def test_other_roles_are_for_every_layer(layer: str, role: str) -> None:
    text = (
        f"size: [9, 9]\nlayers:\n  g: {{generator: maze}}\n  a: {layer % role}\nvisibility: {{}}\n"
    )
    level = build_level(parse_level(text.encode(), "probe.level.yaml"))
    assert level.layers["a"].role == role


def test_a_layer_with_the_size_of_the_level_may_say_so_and_be_seen() -> None:
    text = "size: [9, 9]\nlayers: {a: {generator: maze, size: [9, 9], role: play}}\n"
    level = build_level(parse_level(text.encode(), "probe.level.yaml"))
    assert level.layers["a"].role == "play"


def test_a_wrong_size_blames_no_role() -> None:
    text = "size: [9, x]\nlayers: {a: {generator: maze, size: [9, 9], role: play}}\n"
    (message,) = refused(text)
    assert message.startswith("1:11: ")


@each_case("role", get_args(LayerRole))
def test_heights_and_other_sizes_are_never_seen(role: LayerRole) -> None:
    cells = np.zeros((3, 3), np.uint16)
    heights = Layer("h", "heights", cells, "x", heights=HeightRange())
    fine = Layer("f", "tiles", cells, "x", grid_aligned=False)
    tiles = Layer("t", "tiles", cells, "x")
    seen = role in ("play", "picture")
    assert finished_role(heights, role) == finished_role(fine, role)
    assert finished_role(heights, role) == ("data" if seen else role)
    assert finished_role(tiles, role) == role


@each_case(
    ("more", "line"),
    [
        ("objects: [{name: a}]\n", "5:11: the level has no `play` layer for objects"),
        ("require: {connected: true}\n", "5:10: the level has no `play` layer, so"),
        ("visibility: {radius: 3}\n", "5:13: the level has no `play` layer for visibility"),
    ],
)
@each_case("role", ["picture", "data", "none"])
def test_a_missing_play_layer_is_reported_at_its_line(more: str, line: str, role: str) -> None:
    layers = f"  a: {{generator: maze, role: {role}}}\n  h: {{generator: heightmap}}\n"
    (message,) = refused(f"size: [9, 9]\nlayers:\n{layers}{more}")
    assert message.startswith(line)


def test_a_named_layer_needs_no_play_layer() -> None:
    text = (
        "size: [9, 9]\nlayers: {a: {generator: maze, role: none}}\nvisibility: {layer: a}\n"
        "objects: [{name: key, layer: a, on_tile: floor}]\n"
    )
    level = build_level(parse_level(text.encode(), "probe.level.yaml"))
    assert level.visibility_layer == "a"
    assert level.objects
