"""Painted cells of an exported map become hand edits, and the map is ours again."""

from __future__ import annotations

import base64
import gzip
import json
import random
import shutil
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from exporter.export import import_edits
from exporter.export.edit_lists import EditChoice, ListedCell, drop_edits, list_edits
from exporter.export.export import export_project
from exporter.export.import_edits import ImportOptions, import_painted
from exporter.export.settings import Settings
from exporter.reading import edits as reading_edits
from exporter.reading.edits import parse_edits
from silent_reporter import SilentReporter
from stored_project import RetainedProject

SPEC = """\
size: [24, 16]
seed: {seed}
layers:
  ground: {{generator: cellular_caves, connect: guaranteed}}
objects:
  - {{name: chest, count: 3, spacing: 3}}
"""
Document = dict[str, Any]


class Game:
    """A project with one level and one Tiled target."""

    def __init__(self, root: Path, options: str = "", *, make: bool = True) -> None:
        self.root = root
        self.spec = root / "levels/cavern.level.yaml"
        self.edits = root / "levels/cavern.edits.yaml"
        self.map = root / "t/cavern.tmj"
        if make:
            self.spec.parent.mkdir(parents=True)
            self.change_spec(3)
            (root / "exporter.yaml").write_text(f"targets:\n  tiled: {{path: t{options}}}\n")

    def change_spec(self, seed: int) -> None:
        self.spec.write_text(SPEC.format(seed=seed))

    def export(self) -> Any:
        (result,) = export_project(self.root, Settings(jobs=1), SilentReporter())
        assert not result.problems, result.problems
        return result

    def document(self) -> Document:
        document: Document = json.loads(self.map.read_text())
        return document

    def paint(self, change: Callable[[Document], None]) -> Document:
        document = self.document()
        change(document)
        self.map.write_text(json.dumps(document))
        return document

    def take(self, **how: Any) -> Any:
        (used,) = import_painted(self.root, ImportOptions(**how))
        return used

    def gids(self, document: Document | None = None) -> np.ndarray:
        document = document or self.document()
        return np.array(document["layers"][0]["data"]).reshape(16, 24)

    def picture(self, document: Document | None = None) -> list[list[str | None]]:
        """The kinds of tiles that a map shows; which of its pictures a tile has does not count."""
        tiles = json.loads((self.root / "t/cavern.tileset.tsj").read_text())["tiles"]
        names = {tile["id"] + 1: tile["type"] for tile in tiles}
        return [[names.get(int(item)) for item in row] for row in self.gids(document)]

    def kinds(self, *, edited: bool = True) -> list[list[str | None]]:
        spec = exporter.load_level(self.spec)
        level = exporter.build_level(spec if edited else replace(spec, edits=None))
        names = {tile.id: tile.name for tile in level.layers["ground"].tiles}
        return [[names[int(item)] for item in row] for row in level.layers["ground"].cells]


@pytest.fixture(scope="module")
def retained_game(tmp_path_factory: pytest.TempPathFactory) -> RetainedProject:
    return RetainedProject(tmp_path_factory.mktemp("kept"), lambda root: Game(root).export())


@pytest.fixture
def game(retained_game: RetainedProject) -> Game:
    """Return an exported game."""
    return Game(retained_game.restore(), make=False)


def set_cells(cells: dict[tuple[int, int], int]) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        data = document["layers"][0]["data"]
        for (x, y), gid in cells.items():
            data[y * document["width"] + x] = gid

    return change


def gid_of(game: Game, kind: str) -> int:
    for row, gids in zip(game.kinds(), game.gids(), strict=True):
        for name, gid in zip(row, gids, strict=True):
            if name == kind:
                return int(gid)
    raise AssertionError(kind)


def opposite(kind: str | None) -> str:
    return "floor" if kind == "wall" else "wall"


def test_painted_cells_are_accepted_and_the_map_equals_what_was_painted(game: Game) -> None:
    kinds = game.kinds()
    numbers = {kind: gid_of(game, kind) for kind in ("wall", "floor")}
    cells = {at: numbers[opposite(kinds[at[1]][at[0]])] for at in [(5, 5), (6, 9), (0, 0)]}
    cells[7, 7] = 0
    painted = game.paint(set_cells(cells))
    assert game.export().preserved == ("t/cavern.tmj",)
    used = game.take()
    assert (used.cells, used.objects, used.preserved, used.problems) == (4, 0, (), ())
    assert used.maps == ("t/cavern.tmj",)
    edits = parse_edits(game.edits.read_bytes(), "x").layers["ground"]
    assert {(edit.at, edit.was, edit.now) for edit in edits} == {
        ((5, 5), kinds[5][5], opposite(kinds[5][5])),
        ((6, 9), kinds[9][6], opposite(kinds[9][6])),
        ((0, 0), kinds[0][0], opposite(kinds[0][0])),
        ((7, 7), kinds[7][7], None),
    }
    result = game.export()
    assert result.preserved == ()
    assert "t/cavern.tmj" in result.written
    assert game.picture() == game.picture(painted)
    assert import_painted(game.root, ImportOptions()) == []


def test_objects_that_were_moved_removed_and_added_are_accepted(game: Game) -> None:
    def change(document: Document) -> None:
        things = document["layers"][-1]["objects"]
        things[0]["x"] += 16
        del things[1]
        things.append({"id": 90, "name": "chest", "point": True, "x": 100.0, "y": 50.0})
        things.append({"id": 91, "type": "sign", "x": 0, "y": 0, "width": 16, "height": 16})

    before = [
        (item["x"] // 16, item["y"] // 16) for item in game.document()["layers"][-1]["objects"]
    ]
    game.paint(change)
    used = game.take()
    assert (used.cells, used.objects, used.preserved) == (0, 4, ())
    game.export()
    level = exporter.build_level(exporter.load_level(game.spec))
    assert [(item.id, item.name, item.x, item.y) for item in level.objects] == [
        (1, "chest", before[0][0] + 1, before[0][1]),
        (3, "chest", *before[2]),
        (4, "chest", 6, 3),
        (5, "sign", 0, 0),
    ]

    def change_again(document: Document) -> None:
        things = {item["id"]: item for item in document["layers"][-1]["objects"]}
        things[1]["x"] -= 16  # back to where it was placed
        things[3]["y"] += 16
        things[4]["x"] += 16
        document["layers"][-1]["objects"] = [things[1], things[3], things[4]]

    game.paint(change_again)
    game.take()
    objects = {item.target: item for item in parse_edits(game.edits.read_bytes(), "x").objects}
    assert set(objects) == {("chest", 2, None), ("chest", 3, None), ("chest", 0, (7, 3))}
    assert objects["chest", 3, None].now == (before[2][0], before[2][1] + 1)


def test_a_cell_that_is_painted_back_has_no_edit_any_more(game: Game) -> None:
    before = int(game.gids()[5, 5])
    other = gid_of(game, opposite(game.kinds()[5][5]))
    game.paint(set_cells({(5, 5): other, (6, 5): gid_of(game, opposite(game.kinds()[5][6]))}))
    game.take()
    game.export()
    game.paint(set_cells({(5, 5): before}))
    assert game.take().cells == 1
    edits = parse_edits(game.edits.read_bytes(), "x").layers["ground"]
    assert [edit.at for edit in edits] == [(6, 5)]


def test_a_map_that_was_painted_before_the_spec_changed_is_compared_with_what_was_written(
    game: Game,
) -> None:
    """A change caused by the spec is no stroke of a person."""
    kind = game.kinds()[5][5]
    game.paint(set_cells({(5, 5): gid_of(game, opposite(kind))}))
    game.change_spec(8)
    assert game.export().preserved == ("t/cavern.tmj",)
    base = game.kinds()
    used = game.take()
    assert used.cells == 1
    game.export()
    expected = [list(row) for row in base]
    expected[5][5] = opposite(kind)
    assert game.kinds() == expected


def test_what_the_map_was_is_not_known_any_more(game: Game) -> None:
    kind = game.kinds()[5][5]
    painted = game.paint(set_cells({(5, 5): gid_of(game, opposite(kind))}))
    game.change_spec(8)
    for file in (game.root / ".exporter/cache").rglob("*"):
        if file.is_file():
            file.unlink()
    used = game.take()
    assert "exporter edits take --whole" in used.problems[0].message
    assert not game.edits.exists()
    assert game.take(whole=True).cells > 20
    assert game.export().preserved == ()
    assert game.picture() == game.picture(painted)


def test_a_project_that_was_copied_with_its_state_takes_as_well(tmp_path: Path) -> None:
    game = Game(tmp_path / "first")
    game.export()
    game.paint(set_cells({(3, 3): gid_of(game, "wall"), (4, 3): gid_of(game, "floor")}))
    shutil.copytree(game.root, tmp_path / "second")
    (result,) = import_painted(tmp_path / "second", ImportOptions())
    assert result.cells > 0
    assert (tmp_path / "second/levels/cavern.edits.yaml").exists()
    # Nothing is left to take.
    assert import_painted(tmp_path / "second", ImportOptions()) == []


def test_a_clone_without_a_state_folder_takes_as_well(game: Game) -> None:
    kind = game.kinds()[5][5]
    painted = game.paint(set_cells({(5, 5): gid_of(game, opposite(kind))}))
    shutil.rmtree(game.root / ".exporter")
    assert game.take().cells == 1
    assert game.export().preserved == ()
    assert game.picture() == game.picture(painted)


def add_layer(document: Document) -> None:
    document["layers"].append({"id": 50, "name": "notes", "type": "objectgroup", "objects": []})


def add_property(document: Document) -> None:
    document["properties"].append({"name": "music", "type": "string", "value": "calm"})


def change_object(document: Document) -> None:
    document["layers"][-1]["objects"][0]["properties"] = [
        {"name": "gold", "type": "int", "value": 5}
    ]


def turn_a_tile(document: Document) -> None:
    document["layers"][0]["data"][0] |= 1 << 31


def use_a_foreign_tile(document: Document) -> None:
    document["tilesets"].append({"firstgid": 5000, "source": "mine.tsj"})
    document["layers"][0]["data"][0] = 5007


def rename_the_layer(document: Document) -> None:
    document["layers"][0]["name"] = "floor"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (add_layer, "the layer 'notes' is new"),
        (add_property, "property music is new"),
        (change_object, "properties or the shape of chest (object 1) are changed"),
        (turn_a_tile, "1 tiles of the layer 'ground' are turned"),
        (use_a_foreign_tile, "tile 7 of mine.tsj is not a tile of the level in 1 cells"),
        (rename_the_layer, "the layer 'ground' is missing"),
    ],
)
def test_what_is_no_hand_edit_is_reported_and_keeps_the_map_while_cells_are_accepted(
    game: Game, change: Callable[[Document], None], words: str
) -> None:
    kind = game.kinds()[5][5]
    cells = set_cells({(5, 5): gid_of(game, opposite(kind))})
    game.paint(lambda document: (cells(document), change(document))[0])
    text = game.map.read_text()
    used = game.take()
    assert used.maps == ()
    ((path, dropped),) = used.preserved
    assert path == "t/cavern.tmj"
    assert any(words in item for item in dropped), dropped
    assert used.cells == (0 if change is rename_the_layer else 1)
    assert game.export().preserved == ("t/cavern.tmj",)
    assert game.map.read_text() == text


def test_a_resized_map_is_refused_with_both_sizes(game: Game) -> None:
    def change(document: Document) -> None:
        document["width"] = document["layers"][0]["width"] = 12
        document["height"] = document["layers"][0]["height"] = 32

    game.paint(change)
    (problem,) = game.take().problems
    assert "from 24 x 16 to 12 x 32 cells" in problem.message
    assert problem.file.endswith("cavern.tmj")
    assert not game.edits.exists()


@pytest.mark.parametrize("compression", ["", "zlib", "gzip"])
@pytest.mark.parametrize("chunks", [False, True])
def test_every_encoding_that_tiled_writes_is_read(
    game: Game, compression: str, chunks: bool
) -> None:
    pack = {"": bytes, "zlib": zlib.compress, "gzip": gzip.compress}[compression]
    kind = game.kinds()[5][5]
    cells = set_cells({(5, 5): gid_of(game, opposite(kind))})

    def change(document: Document) -> None:
        cells(document)
        layer = document["layers"][0]
        grid = np.array(layer.pop("data"), "<u4").reshape(16, 24)
        layer |= {"encoding": "base64", "compression": compression}
        if not chunks:
            layer["data"] = base64.b64encode(pack(grid.tobytes())).decode()
            return
        document["infinite"] = True
        layer["chunks"] = [
            {
                "x": x,
                "y": 0,
                "width": 16,
                "height": 16,
                "data": base64.b64encode(
                    pack(np.pad(grid, ((0, 0), (0, 8)))[:, x : x + 16].tobytes())
                ).decode(),
            }
            for x in (0, 16)
        ]

    game.paint(change)
    assert game.take().cells == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"type": "map"}',
        "[" * 100_000,
        '{"type": "map", "width": 1e9, "height": 2, "tilewidth": 16, "tileheight": 16}',
        '{"type": "map", "width": 99999, "height": 99999, "tilewidth": 1, "tileheight": 1}',
    ],
)
def test_a_broken_map_is_reported_and_stays(game: Game, text: str) -> None:
    game.map.write_text(text)
    (problem,) = game.take().problems
    assert "painted cells cannot be imported" in problem.message
    assert game.map.read_text() == text


def test_a_decompression_bomb_is_not_unpacked(game: Game) -> None:
    def change(document: Document) -> None:
        layer = document["layers"][0]
        layer |= {"encoding": "base64", "compression": "zlib"}
        layer["data"] = base64.b64encode(zlib.compress(bytes(50_000_000), 9)).decode()

    game.paint(change)
    (problem,) = game.take().problems
    assert "wrong number of cells (needed: 384" in problem.message


def test_a_dry_run_writes_nothing(game: Game) -> None:
    game.paint(set_cells({(5, 5): gid_of(game, opposite(game.kinds()[5][5]))}))
    before = {p: p.read_bytes() for p in game.root.rglob("*") if p.is_file()}
    assert game.take(dry_run=True).cells == 1
    assert {p: p.read_bytes() for p in game.root.rglob("*") if p.is_file()} == before


def test_a_crash_between_the_edits_and_the_note_loses_nothing(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted = game.paint(set_cells({(5, 5): gid_of(game, opposite(game.kinds()[5][5]))}))

    def crash(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(import_edits.EditImporter, "_give_back", crash)
        with pytest.raises(KeyboardInterrupt):
            game.take()
    text = game.edits.read_bytes()
    assert game.export().preserved == ("t/cavern.tmj",)  # nothing is written over the painted cells
    assert game.picture() == game.picture(painted)
    assert game.take().maps == ("t/cavern.tmj",)
    assert game.edits.read_bytes() == text
    assert game.export().preserved == ()
    assert game.picture() == game.picture(painted)


def test_what_is_painted_after_importing_is_not_written_over(game: Game) -> None:
    game.paint(set_cells({(5, 5): gid_of(game, opposite(game.kinds()[5][5]))}))
    game.take()
    later = game.paint(set_cells({(9, 9): 0}))
    assert game.export().preserved == ("t/cavern.tmj",)
    assert game.take().cells == 1
    game.export()
    assert game.picture() == game.picture(later)


def test_accepting_settles_conflicts_and_changes_no_cell(game: Game) -> None:
    game.edits.write_text("layers:\n  ground:\n    - {at: [5, 5], was: lava, now: null}  # why\n")
    game.export()
    kinds = game.kinds()
    (listed,) = list_edits(game.root)
    assert listed.report()["cells"][0]["state"] == "conflict"
    assert game.take(accept=True).accepted == 1
    assert "# why" in game.edits.read_text()
    assert game.kinds() == kinds
    (listed,) = list_edits(game.root)
    assert listed.report()["cells"][0]["state"] == "applied"
    assert game.export().warnings == ()


def test_dropping_removes_what_was_chosen_and_keeps_the_previous_file(game: Game) -> None:
    text = (
        "layers:\n  ground:\n    - {at: [5, 5], was: lava, now: null}\n"
        "    - {at: [0, 0], was: wall, now: floor}\n  grund:\n"
        "    - {at: [5, 5], was: wall, now: floor}\nobjects:\n  - {name: chest, add: [5, 5]}\n"
    )

    def dropped(**choice: Any) -> list[str]:
        game.edits.write_text(text)
        (level,) = drop_edits(game.root, EditChoice(**choice))
        return [
            *(f"{cell.layer} {cell.edit.at}" for cell in level.cells),
            *("o" for _ in level.objects),
        ]

    assert dropped(conflicts=True) == ["ground (5, 5)"]
    assert dropped(layers=("grund",)) == ["grund (5, 5)"]
    assert "grund" not in game.edits.read_text()
    assert (game.root / "levels/cavern.edits.yaml.bak").read_text() == text
    assert dropped(cells=((5, 5),)) == ["ground (5, 5)", "grund (5, 5)", "o"]
    assert dropped() == ["ground (5, 5)", "ground (0, 0)", "grund (5, 5)", "o"]
    assert not game.edits.exists()


def test_random_strokes_over_many_changes_are_all_preserved(game: Game) -> None:
    """Against a model: a person paints, another changes the seed, the person paints again."""
    choose = random.Random(4)
    numbers = {"wall": gid_of(game, "wall"), "floor": gid_of(game, "floor")}
    expected: dict[tuple[int, int], str] = {}
    dropped = 0
    for seed in range(6):
        game.change_spec(seed)
        game.export()
        kinds = game.kinds()
        strokes = {}
        for _ in range(20):
            at = choose.randrange(24), choose.randrange(16)
            strokes[at] = opposite(kinds[at[1]][at[0]])
        game.paint(set_cells({at: numbers[kind] for at, kind in strokes.items()}))
        expected |= strokes
        if choose.random() < 0.5:
            game.change_spec(seed + 100)
            game.export()
        else:  # a cell painted back to its generated tile is no edit any more
            base = game.kinds(edited=False)
            back = [at for at, kind in strokes.items() if base[at[1]][at[0]] == kind]
            dropped += len(back)
            for at in back:
                del expected[at]
        game.take()
        game.export()
        after = game.kinds()
        assert {at: after[at[1]][at[0]] for at in expected} == expected
        edits = {item.at for item in parse_edits(game.edits.read_bytes(), "x").layers["ground"]}
        assert edits == set(expected)
    assert dropped


def test_a_target_with_automatic_edits_takes_before_it_builds(tmp_path: Path) -> None:
    game = Game(tmp_path, ", edits: auto")
    game.export()
    painted = game.paint(set_cells({(5, 5): gid_of(game, opposite(game.kinds()[5][5]))}))
    game.spec.write_text(game.spec.read_text() + "properties: {mood: dark}\n")
    result = game.export()
    assert result.preserved == ()
    assert len(parse_edits(game.edits.read_bytes(), "x").layers["ground"]) == 1
    assert game.picture() == game.picture(painted)


def test_automatic_edits_leave_a_map_with_more_than_edits_as_it_is(tmp_path: Path) -> None:
    game = Game(tmp_path, ", edits: auto")
    game.export()
    cells = set_cells({(5, 5): gid_of(game, opposite(game.kinds()[5][5]))})
    game.paint(lambda document: (cells(document), add_layer(document))[0])
    text = game.map.read_text()
    reporter = SilentReporter()
    (result,) = export_project(game.root, Settings(jobs=1), reporter)
    assert result.preserved == ("t/cavern.tmj",)
    assert game.map.read_text() == text
    assert len(parse_edits(game.edits.read_bytes(), "x").layers["ground"]) == 1


def test_a_dry_run_and_overwriting_take_nothing(tmp_path: Path) -> None:
    game = Game(tmp_path, ", edits: auto")
    game.export()
    game.paint(set_cells({(5, 5): gid_of(game, opposite(game.kinds()[5][5]))}))
    export_project(game.root, Settings(jobs=1, dry_run=True), SilentReporter())
    assert not game.edits.exists()
    export_project(game.root, Settings(jobs=1, overwrite=True), SilentReporter())
    assert not game.edits.exists()


def test_more_than_can_be_read_again_is_refused_and_nothing_is_given_up(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_edits, "MAXIMUM_EDITS", 2)
    other = gid_of(game, "wall")
    kinds = game.kinds()
    floors = [at for at in np.ndindex(16, 24) if kinds[at[0]][at[1]] == "floor"][:3]
    game.paint(set_cells({(x, y): other for y, x in floors}))
    painted = game.map.read_bytes()
    used = game.take()
    assert (used.maps, used.written, used.cells) == ((), False, 0)
    assert "3 hand edits are too many" in used.problems[0].message
    assert not game.edits.exists()
    assert game.export().preserved == ("t/cavern.tmj",)
    assert game.map.read_bytes() == painted


@pytest.mark.parametrize(("x", "y"), [(-32, 0), (0, -32), (24 * 16, 0), (0, 16 * 16)])
def test_an_object_outside_of_the_map_is_reported_and_all_else_is_accepted(
    game: Game, x: int, y: int
) -> None:
    def change(document: Document) -> None:
        things = document["layers"][-1]["objects"]
        things[0]["x"], things[0]["y"] = x, y
        things.append({"id": 90, "name": "sign", "point": True, "x": x - 1, "y": y})
        things.append({"id": 91, "name": "sign", "point": True, "x": 100, "y": 50})

    name = game.document()["layers"][-1]["objects"][0]["id"]
    changed = game.paint(change)
    ((path, dropped),) = game.take().preserved
    assert path == "t/cavern.tmj"
    assert dropped[0] == f"chest (object {name}) is outside the map"
    assert len(dropped) == 2 - ((x, y) == (24 * 16, 0))
    result = parse_edits(game.edits.read_bytes(), "x").objects
    assert ("sign", (6, 3)) in {(item.name, item.add) for item in result}
    assert all(item.add is not None for item in result)
    assert game.export().preserved == ("t/cavern.tmj",)
    assert game.document() == changed


def test_dropped_edits_are_not_sought_among_each_other(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Comparing each with each takes minutes where a whole map was painted."""
    kinds = game.kinds()
    numbers = {kind: gid_of(game, kind) for kind in ("wall", "floor")}
    cells = [(5, 5), (6, 9), (0, 0), (7, 7)]
    game.paint(set_cells({(x, y): numbers[opposite(kinds[y][x])] for x, y in cells}))
    game.take()
    compared = []
    monkeypatch.setattr(ListedCell, "__eq__", lambda *pair: compared.append(pair))
    (dropped,) = drop_edits(game.root, EditChoice(cells=((5, 5), (7, 7))))
    assert not compared
    assert {cell.edit.at for cell in dropped.cells} == {(5, 5), (7, 7)}
    left = parse_edits(game.edits.read_bytes(), "x").layers["ground"]
    assert {item.at for item in left} == {(6, 9), (0, 0)}


def test_two_added_objects_of_one_name_in_one_cell_are_reported(game: Game) -> None:
    def change(document: Document) -> None:
        for number in (90, 91):
            thing = {"id": number, "name": "sign", "point": True, "x": 100, "y": 50}
            document["layers"][-1]["objects"].append(thing)

    changed = game.paint(change)
    used = game.take()
    ((_, dropped),) = used.preserved
    assert dropped == (
        "two objects 'sign' were added in [6, 3] (move one of them to another cell)",
    )
    assert used.objects == 1
    assert game.export().preserved == ("t/cavern.tmj",)
    assert game.document() == changed


def test_an_added_object_that_is_dragged_onto_another_one_is_reported_and_stays(game: Game) -> None:
    def add(document: Document) -> None:
        for number, x in ((90, 100), (91, 180)):
            thing = {"id": number, "name": "sign", "point": True, "x": x, "y": 50}
            document["layers"][-1]["objects"].append(thing)

    def drag(document: Document) -> None:
        first, second = (
            item for item in document["layers"][-1]["objects"] if item["name"] == "sign"
        )
        second["x"] = first["x"]

    game.paint(add)
    assert game.take().objects == 2
    game.export()
    before = game.edits.read_text()
    game.paint(drag)
    ((_, dropped),) = game.take().preserved
    assert dropped == (
        "two objects 'sign' were added in [6, 3] (move one of them to another cell)",
    )
    assert game.edits.read_text() == before


def test_a_renamed_layer_is_reported_once(game: Game) -> None:
    def rename(document: Document) -> None:
        document["layers"][0]["name"] = "Ground"

    game.paint(rename)
    ((_, dropped),) = game.take().preserved
    assert dropped == ("the layer 'ground' is missing and 'Ground' is new (rename it back)",)


def test_a_bug_met_in_one_level_fails_it_alone_with_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(tmp_path, ", edits: auto")
    other = game.spec.with_name("other.level.yaml")
    other.write_text("size: [4, 4]\nlayers: {ground: {generator: blank}}\n")
    settings = Settings(jobs=1)
    export_project(game.root, settings, SilentReporter())
    game.paint(set_cells({(5, 5): gid_of(game, "wall")}))
    other.write_text("size: [5, 4]\nlayers: {ground: {generator: blank}}\n")

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("odd")

    monkeypatch.setattr(import_edits.EditImporter, "_merge_all", broken)
    cavern, second = export_project(game.root, settings, SilentReporter())
    assert (cavern.status, second.status) == ("failed", "built")
    assert "the exporter itself failed (ZeroDivisionError: odd)" in cavern.problems[0].message
    assert "in broken" in cavern.traceback
    (used,) = import_painted(game.root, ImportOptions())
    assert used.problems == cavern.problems
    monkeypatch.undo()
    cavern, second = export_project(game.root, settings, SilentReporter())
    assert (cavern.status, second.status) == ("built", "unchanged")
