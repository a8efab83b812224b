"""Drawing in a tab: hand edits in the draft, their history, their file, and layers made of them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from exporter.model.errors import ExporterError
from exporter.reading.edits import parse_edits
from exporter.studio.stamping import EMPTY, tile_glyphs
from studio_tabs import CAVE, Studio, Tab, places_of

LEVEL = "levels/cave.level.yaml"
EDITS = "levels/cave.edits.yaml"
SEVERAL = """\
size: [32, 24]
seed: 7
layers:
  ground:
    generator: cellular_caves
    role: play
  edge: {generator: outline, of: ground}  # around it
objects:
  - {name: start}
  - {name: chest, count: 3, far_from: start}
visibility: {radius: 6, layer: ground}
"""


def cells_of(header: dict[str, Any], tab: Tab, layer: str = "ground") -> Any:
    """The cells of a layer, in the message that a tab had last."""
    result = next(item for item in header["layers"] if item["name"] == layer)
    return tab.arrays[places_of(header).index(result["cells"]["at"])]


def generated(project: Path) -> exporter.Level:
    return exporter.build_level(exporter.load_level(project / LEVEL))


def walls(level: exporter.Level, count: int) -> list[list[int]]:
    """Some cells of wall, in the order of a walk along the rows."""
    rows, columns = np.nonzero(level.layers["ground"].cells == 1)
    return [[int(x), int(y)] for x, y in zip(columns, rows, strict=True)][:count]


def draw(tab: Tab, cells: list[list[int]], tile: str | None = "floor", **more: Any) -> Any:
    return tab.displayed_level("draw", layer="ground", cells=cells, tile=tile, **more)


def save(tab: Tab) -> None:
    tab.send(do="save")
    tab.wait_for("saved")
    tab.wait_for("draft")


def test_what_is_drawn_is_displayed_and_saved_as_hand_edits(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    level = generated(project)
    cells = walls(level, 3)
    header = draw(tab, cells)
    assert all(cells_of(header, tab)[y, x] == 0 for x, y in cells)
    assert not (project / EDITS).exists()
    save(tab)
    edits = parse_edits((project / EDITS).read_bytes(), EDITS)
    assert [(item.at, item.was, item.now) for item in edits.layers["ground"]] == [
        ((x, y), "wall", "floor") for x, y in cells
    ]
    assert (project / LEVEL).read_text() == CAVE
    built = generated(project)
    assert np.array_equal(built.layers["ground"].cells, cells_of(header, tab))


def test_a_cell_drawn_as_it_was_generated_has_no_edit(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    cells = walls(generated(project), 4)
    draw(tab, cells)
    tab.send(do="draw", layer="ground", cells=cells[:3], tile="wall")
    draft = tab.wait_for("draft")
    assert (draft["edits"], draft["changed"]) == (1, True)
    tab.send(do="restore", layer="ground", cells=cells)
    draft = tab.wait_for("draft")
    assert (draft["edits"], draft["changed"]) == (0, False)
    save_and_no_file(tab, project)


def save_and_no_file(tab: Tab, project: Path) -> None:
    save(tab)
    assert not (project / EDITS).exists()


def test_a_saved_file_goes_with_its_last_edit(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    cells = walls(generated(project), 2)
    draw(tab, cells)
    save(tab)
    draw(tab, cells, "wall")
    save_and_no_file(tab, project)


def test_drawing_and_parameters_have_one_history(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    cells = walls(generated(project), 3)
    for number, cell in enumerate(cells):
        draw(tab, [cell], merge="stroke 1", number=number)
    tab.set(["visibility", "radius"], 5)
    draw(tab, [[1, 1]], None)

    def after(do: str) -> tuple[int, bool]:
        tab.send(do=do)
        draft = tab.wait_for("draft")
        return draft["edits"], "radius: 5" in draft["text"]

    assert after("undo") == (3, True)
    assert after("undo") == (3, False)
    assert after("undo") == (0, False)
    assert after("redo") == (3, False)
    assert after("redo") == (3, True)
    assert after("redo") == (4, True)
    assert after("revert") == (0, False)


def test_the_comments_and_the_order_of_the_file_stay(studio: Studio, project: Path) -> None:
    x, y = walls(generated(project), 1)[0]
    text = (
        f"# ours\nlayers:\n  ground:\n    - {{at: [{x}, {y}], was: wall, now: floor}}  # the gap\n"
    )
    (project / EDITS).write_text(text)
    tab = studio.opened()
    other = walls(generated(project), 2)[1]
    draw(tab, [other])
    save(tab)
    line = f"    - {{at: [{other[0]}, {other[1]}], was: wall, now: floor}}\n"
    assert (project / EDITS).read_text() == text + line
    tab.send(do="undo")
    tab.wait_for("draft")
    save(tab)
    assert (project / EDITS).read_text() == text


def test_an_edit_on_a_cell_that_changed_below_is_reported_and_begins_anew_when_drawn(
    studio: Studio, project: Path
) -> None:
    x, y = walls(generated(project), 1)[0]
    (project / EDITS).write_text(
        f"layers:\n  ground:\n    - {{at: [{x}, {y}], was: tree, now: floor}}\n"
    )
    tab = studio.opened()
    warnings = tab.displayed_level("revert")["warnings"]
    assert warnings[0]["file"].endswith("cave.edits.yaml")
    assert (warnings[0]["line"], warnings[0]["severity"]) == (3, "warning")
    assert draw(tab, [[x, y]])["warnings"] == []


def test_objects_are_moved_added_and_removed(studio: Studio, project: Path) -> None:
    (project / LEVEL).write_text(CAVE.replace("{name: start}", "{name: chest, count: 3}"))
    tab = studio.opened()
    before = generated(project).objects
    header = tab.displayed_level("move", name="chest", ordinal=2, to=[3, 4])
    assert [(item["x"], item["y"]) for item in header["objects"]][1] == (3, 4)
    assert header["edits"]["ordinals"] == {"1": 1, "2": 2, "3": 3}
    tab.displayed_level("remove_object", name="chest", ordinal=3)
    tab.displayed_level("add_object", name="chest", to=[5, 5])
    tab.send(do="add_object", name="chest", to=[5, 5])
    assert "an added chest" in tab.wait_for("refused")["text"]
    header = tab.displayed_level("move", **{"name": "chest", "from": [5, 5], "to": [6, 5]})
    assert [(item["x"], item["y"]) for item in header["objects"]] == [
        (before[0].x, before[0].y),
        (3, 4),
        (6, 5),
    ]
    save(tab)
    assert (project / EDITS).read_text().splitlines()[1:] == [
        "objects:",
        f"  - {{name: chest, ordinal: 2, was: [{before[1].x}, {before[1].y}], now: [3, 4]}}",
        f"  - {{name: chest, ordinal: 3, was: [{before[2].x}, {before[2].y}], remove: true}}",
        "  - {name: chest, add: [6, 5]}",
    ]
    tab.displayed_level("move", name="chest", ordinal=2, to=[before[1].x, before[1].y])
    tab.displayed_level("restore_object", name="chest", ordinal=3)
    tab.displayed_level("remove_object", **{"name": "chest", "from": [6, 5]})
    save_and_no_file(tab, project)


def test_a_pinned_object_stays_at_its_cell_for_every_seed(studio: Studio, project: Path) -> None:
    (project / LEVEL).write_text(CAVE.replace("{name: start}", "{name: chest, count: 3}"))
    tab = studio.opened()
    before = generated(project).objects[1]
    header = tab.displayed_level("pin_object", name="chest", ordinal=2)
    assert header["edits"]["fixed"] == {str(before.id): "pinned"}
    header = tab.displayed_level("change", changes=[{"set": ["seed"], "value": 8}])
    assert [(item["x"], item["y"]) for item in header["objects"]][1] == (before.x, before.y)
    assert header["warnings"] == []
    header = tab.displayed_level("remove_object", name="chest", ordinal=3)
    assert [item["ordinal"] for item in header["edits"]["removed"]] == [3]
    assert tab.displayed_level("restore_object", name="chest", ordinal=2)["edits"]["fixed"] == {}


def test_the_page_learns_which_cells_are_edited_and_what_was_generated_there(
    studio: Studio, project: Path
) -> None:
    tab = studio.opened()
    x, y = walls(generated(project), 1)[0]
    header = draw(tab, [[x, y]])
    edited = header["edits"]["cells"]["ground"]
    at = places_of(header)
    places, was = (tab.arrays[at.index(edited[key]["at"])] for key in ("places", "generated"))
    assert (places.tolist(), was.tolist()) == ([y * 32 + x], [1])


# --- files that change meanwhile ------------------------------------------------------------------


def test_edits_that_somebody_saved_meanwhile_are_not_written_over(
    studio: Studio, project: Path
) -> None:
    tab = studio.opened()
    first, second = walls(generated(project), 2)
    draw(tab, [first])
    theirs = (
        f"layers:\n  ground:\n    - {{at: [{second[0]}, {second[1]}], was: wall, now: floor}}\n"
    )
    (project / EDITS).write_text(theirs)
    tab.send(do="save")
    assert any(line["side"] == "theirs" for line in tab.wait_for("conflict")["lines"])
    assert (project / EDITS).read_text() == theirs
    tab.send(do="adopt", how="mine")
    assert tab.wait_for("draft")["edits"] == 2
    save(tab)
    edits = parse_edits((project / EDITS).read_bytes(), EDITS).layers["ground"]
    assert [list(edit.at) for edit in edits] == [second, first]


def test_a_conflict_of_the_edits_writes_no_spec_either(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    draw(tab, walls(generated(project), 1))
    tab.set(["seed"], 7777)
    (project / EDITS).write_text("# theirs\n")
    tab.send(do="save")
    tab.wait_for("conflict")
    assert (project / LEVEL).read_text() == CAVE


def test_the_spec_can_change_below_what_is_drawn(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    draw(tab, [[1, 1]], None)
    (project / LEVEL).write_text(CAVE.replace("radius: 6", "radius: 4"))
    while (header := tab.wait_for("level"))["sight"]["radius"] != 4:
        pass
    assert header["edits"]["layers"] == {"ground": 1}


def test_the_page_follows_the_file_with_edits(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    x, y = walls(generated(project), 1)[0]
    (project / EDITS).write_text(
        f"layers:\n  ground:\n    - {{at: [{x}, {y}], was: wall, now: floor}}\n"
    )
    while not (header := tab.wait_for("level"))["edits"]["layers"]:
        pass
    assert cells_of(header, tab)[y, x] == 0


def test_a_file_with_faults_is_reported_and_cannot_be_drawn_into(
    studio: Studio, project: Path
) -> None:
    tab = studio.opened()
    (project / EDITS).write_text("layers: 5\n")
    while not (reported := tab.wait_for("problems")["problems"]):
        pass
    tab.send(do="draw", layer="ground", cells=[[1, 1]], tile=None)
    assert tab.wait_for("refused")["text"] == reported[0]["message"]
    assert (project / EDITS).read_text() == "layers: 5\n"


# --- layers of drawings ---------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [CAVE, SEVERAL])
def test_a_layer_created_of_a_drawing_is_the_level_that_was_drawn(
    studio: Studio, project: Path, spec: str
) -> None:
    (project / LEVEL).write_text(spec)
    tab = studio.opened()
    cells = [*walls(generated(project), 40)[::3], [1, 1], [30, 22]]
    draw(tab, cells)
    header = draw(tab, [[16, 12], [17, 12]], "wall")
    drawn = cells_of(header, tab).copy()
    count = header["edits"]["layers"]["ground"]
    edge = cells_of(header, tab, "edge").copy() if spec is SEVERAL else None
    header = tab.displayed_level("stamp", layer="ground")
    assert np.array_equal(cells_of(header, tab, "ground_drawn"), drawn)
    roles = {item["name"]: item["role"] for item in header["layers"]}
    assert (roles["ground"], roles["ground_drawn"]) == ("data", "play")
    assert header["edits"]["layers"] == {}
    if edge is not None:
        assert np.array_equal(cells_of(header, tab, "edge"), edge)
        assert header["sight"]["layer"] == "ground_drawn"
    save(tab)
    assert not (project / EDITS).exists()
    text = (project / LEVEL).read_text()
    assert "art: |2\n" in text
    assert "{generator: outline, of: ground_drawn}  # around it" in text or spec is CAVE
    assert np.array_equal(generated(project).layers["ground_drawn"].cells, drawn)
    tab.send(do="undo")
    draft = tab.wait_for("draft")
    assert (draft["text"], draft["edits"]) == (spec, count)


def test_only_tiles_of_the_layer_and_none_have_a_character() -> None:
    assert len(tile_glyphs([EMPTY], {})[EMPTY]) == 1
    with pytest.raises(ExporterError, match="no tile 'lava'"):
        tile_glyphs(["lava"], {})


def test_a_layer_is_renamed_everywhere(studio: Studio, project: Path) -> None:
    (project / LEVEL).write_text(SEVERAL)
    tab = studio.opened()
    draw(tab, [[1, 1]], None)
    header = tab.displayed_level("rename_layer", layer="ground", name="rock")
    assert header["edits"]["layers"] == {"rock": 1}
    assert header["sight"]["layer"] == "rock"
    for name in ("edge", "no name", ""):
        tab.send(do="rename_layer", layer="rock", name=name)
        assert tab.wait_for("refused")["text"]


# --- attacks --------------------------------------------------------------------------------------


REFUSED: list[dict[str, object]] = [
    {"do": "draw"},
    {"do": "draw", "layer": "ground"},
    {"do": "draw", "layer": "ground", "cells": [], "tile": "floor"},
    {"do": "draw", "layer": "ground", "cells": [[1, 1]]},
    {"do": "draw", "layer": "ground", "cells": [[1, 1]], "tile": ["floor"]},
    {"do": "draw", "layer": "ground", "cells": [[1, 1]], "tile": 5},
    {"do": "draw", "layer": "ground", "cells": [[1, 1]], "tile": "lava"},
    {"do": "draw", "layer": "ground", "cells": [[1, 1, 1]], "tile": "floor"},
    {"do": "draw", "layer": "ground", "cells": [[1.5, 1]], "tile": "floor"},
    {"do": "draw", "layer": "ground", "cells": [[True, 1]], "tile": "floor"},
    {"do": "draw", "layer": "ground", "cells": [[32, 1]], "tile": "floor"},
    {"do": "draw", "layer": "ground", "cells": [[-1, 1]], "tile": "floor"},
    {"do": "draw", "layer": "ground", "cells": [[10**30, 1]], "tile": "floor"},
    {"do": "draw", "layer": "ground", "cells": "all", "tile": "floor"},
    {"do": "draw", "layer": "ground", "cells": [[1, 1]] * 50_001, "tile": "floor"},
    {"do": "draw", "layer": "../ground", "cells": [[1, 1]], "tile": "floor"},
    {"do": "draw", "layer": "__proto__", "cells": [[1, 1]], "tile": "floor"},
    {"do": "draw", "layer": "ground", "cells": [[1, 1]], "tile": "floor", "number": -1},
    {"do": "draw", "layer": "ground", "cells": [[1, 1]], "tile": "floor", "merge": 5},
    {"do": "restore", "layer": "ground", "cells": [[99, 99]]},
    {"do": "move", "name": "start", "ordinal": 1},
    {"do": "move", "name": "start", "ordinal": 1, "to": [99, 1]},
    {"do": "move", "name": "start", "ordinal": 2, "to": [1, 1]},
    {"do": "move", "name": "start", "ordinal": True, "to": [1, 1]},
    {"do": "move", "name": "start", "from": [1, 1], "to": [2, 2]},
    {"do": "move", "name": "dragon", "ordinal": 1, "to": [1, 1]},
    {"do": "add_object", "name": "dragon", "to": [1, 1]},
    {"do": "add_object", "name": "a: {b", "to": [1, 1]},
    {"do": "add_object", "name": "start", "to": [1, -1]},
    {"do": "remove_object", "name": "start", "ordinal": 0},
    {"do": "restore_object", "name": ["start"], "ordinal": 1},
    {"do": "stamp", "layer": "ground"},
    {"do": "stamp", "layer": "nothing"},
    {"do": "stamp"},
    {"do": "rename_layer", "layer": "ground", "name": "x: {}"},
    {"do": "create", "name": ["x"], "preset": "caves"},
]


def test_what_cannot_be_drawn_is_refused_in_words(studio: Studio) -> None:
    tab = studio.opened()
    for message in REFUSED:
        tab.send(**message)
        assert tab.wait_for("refused")["text"], message
    tab.send(do="undo")
    draft = tab.wait_for("draft")
    assert (draft["edits"], draft["changed"], draft["undo"]) == (0, False, 0)


def test_thousands_of_cells_are_drawn_in_a_moment(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    revision = tab.set(["size"], [200, 100])["revision"]
    for stroke in range(10):
        cells = [[x, stroke * 10 + row] for row in range(10) for x in range(200)]
        tab.send(do="draw", layer="ground", cells=cells, tile="wall", merge="one stroke")
    begun = time.process_time()
    header = tab.displayed_level("draw", layer="ground", cells=[[0, 0]], tile="floor")
    # Levels of the strokes before may still be on their way.
    while header["revision"] < revision + 11:
        header = tab.wait_for("level")
    assert time.process_time() - begun < 10
    assert cells_of(header, tab)[0, 0] == 0
    assert cells_of(header, tab)[1:].min() == 1


def test_too_many_edits_are_refused_with_the_limit(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    tab.set(["size"], [300, 300])
    for row in range(0, 300, 100):
        cells = [[x, y] for y in range(row, row + 100) for x in range(300)]
        tab.send(do="draw", layer="ground", cells=cells, tile=None)
    assert "too many" in tab.wait_for("refused")["text"]
