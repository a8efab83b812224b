"""Links: changes of a draft as texts, and following them; nothing in them can do harm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exporter.project.level_files import LevelFiles
from exporter.reading.changes import Change, Insert, Move, Remove, SetValue
from exporter.reading.yaml_reader import read_document
from exporter.studio.drafts import Draft
from exporter.studio.links import MAXIMUM_REFUSED, follow_pairs, link_pairs, pair_of
from exporter.studio.stored_drafts import MAXIMUM_WITH_STEPS, StoredDrafts
from studio_tabs import CAVE, Studio, Tab

FILE = "levels/cave.level.yaml"


def draft_of(project: Path, *changes: Change, text: str = CAVE) -> Draft:
    (project / FILE).write_text(text)
    draft = Draft.of(text.encode())
    return draft.change(changes, FILE) if changes else draft


def followed(project: Path, pairs: list[tuple[str, str]], text: str = CAVE) -> Any:
    level = LevelFiles(project).all()[0]
    return follow_pairs(draft_of(project, text=text), pairs, level)


def data(draft: Draft) -> Any:
    return read_document(draft.content, FILE).data


CHANGES: list[tuple[Change, ...]] = [
    (SetValue(("seed",), 12),),
    (SetValue(("seed",), "a ö\u2028=&%#@1"),),
    (SetValue(("layers", "ground", "wall_percent"), 45),),
    (Remove(("layers", "ground", "wall_percent")),),
    (SetValue(("layers", "ground", "rounds"), 2),),
    (SetValue(("layers", "ground", "role"), "play"), SetValue(("level",), "my-name")),
    (Insert(("layers", "hills"), {"generator": "heightmap"}, 0),),
    (Insert(("layers", "my-layer"), {"generator": "blank"}, 1),),
    (Insert(("objects", 1), {"name": "chest", "count": 3}),),
    (Insert(("objects", 0), {"name": "exit", "far_from": "start"}), SetValue(("seed",), 1)),
    (Remove(("objects",)), Remove(("visibility",))),
    (Move(("seed",), 0),),
]


def test_a_link_leads_from_the_file_to_the_draft(project: Path) -> None:
    for changes in CHANGES:
        draft = draft_of(project, *changes)
        result = followed(project, link_pairs(draft, FILE))
        assert list(data(result.draft).items()) == list(data(draft).items()), changes
        assert len(result.draft.done) == 1, changes
        assert result.draft.undo().content == CAVE.encode(), changes


def test_a_link_reads_as_what_it_changes(project: Path) -> None:
    draft = draft_of(
        project,
        SetValue(("layers", "ground", "wall_percent"), 45),
        Insert(("objects", 1), {"name": "chest"}),
        Remove(("visibility",)),
    )
    assert link_pairs(draft, FILE) == [
        ("seed", "7"),
        ("visibility", ""),
        ("layers.ground.wall_percent", "45"),
        ("objects[1]@1", '{"name":"chest"}'),
    ]


def test_nothing_is_changed_where_the_file_is_so_already(project: Path) -> None:
    result = followed(project, [("seed", "7"), ("layers.ground.wall_percent", "40")])
    assert result.draft.content == CAVE.encode()
    assert (result.draft.done, result.changed, result.refused) == ((), (), ())


REFUSED = [
    ("layers.ground.wall_percent", '"much"'),
    ("layers.ground.wall_percent", "NaN"),
    ("layers.ground.wall_percent", "1e999"),
    ("layers.ground.wall_percent", "9" * 5000),
    ("layers.ground.wall_percent", "4x"),
    ("layers.ground.wall_percent", "[" * 5000),
    ("layers.ground.wall_percent", "[" * 40 + "]" * 40),
    ("layers.ground.no_such", "1"),
    ("layers.ground.seed.x", "1"),
    ("layers.none", ""),
    ("layers.none@0", ""),
    ("seed@99", ""),
    ("objects[7]", '{"name": "x"}'),
    ("objects[7]@7", '{"name": "x"}'),
    ("objects[99999999999999]", "1"),
    ("", "1"),
    (".seed", "1"),
    ("seed.", "1"),
    ("layers ground", "1"),
    ("a" * 1000, "1"),
    (".".join("a" * 40), "1"),
    ('["\\ud800"]', "1"),
    ('["a', "1"),
    ("@1", "1"),
    ("__proto__", '{"polluted": true}'),
    ("constructor.prototype.polluted", "true"),
    ("layers.__proto__", '{"polluted": true}'),
    ("size", "[100000000, 2]"),
    ("level", '"\\u0000"'),
    ("level", '"\\ud800"'),
]


def test_what_cannot_be_is_refused_and_the_rest_is_created(project: Path) -> None:
    for path, value in REFUSED:
        result = followed(project, [("seed", "12"), (path, value), ("visibility.radius", "5")])
        assert [item for item, why in result.refused if why] == [path]
        assert result.changed == (("seed", "12"), ("visibility.radius", "5")), path
        assert len(result.draft.done) == 1, path
        assert result.draft.undo().content == CAVE.encode(), path


def test_parts_that_need_each_other_are_created_together(project: Path) -> None:
    pairs = [
        ("layers.ground.only_in", '"hall"'),
        ("layers.hall@0", '{"generator":"blank"}'),
    ]
    alone = followed(project, pairs[:1])
    assert [path for path, _ in alone.refused] == ["layers.ground.only_in"]
    assert followed(project, pairs).refused == ()


def test_faults_that_the_draft_has_already_refuse_nothing(project: Path) -> None:
    text = CAVE.replace("radius: 6", "radius: many")
    result = followed(project, [("seed", "12")], text)
    assert result.refused == ()
    assert data(result.draft)["seed"] == 12


def test_many_refused_pairs_are_not_all_attempted(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []
    change = Draft.change
    monkeypatch.setattr(Draft, "change", lambda self, *rest: tries.append(1) or change(self, *rest))
    result = followed(project, [(f"layers.ground.wrong{n}", "1") for n in range(60)])
    assert len(result.refused) == 60
    assert "not tried" in result.refused[-1][1]
    assert len(tries) < 4 * MAXIMUM_REFUSED


def test_too_many_changes_are_no_link(project: Path) -> None:
    objects = [SetValue(("objects",), [{"name": f"o{n}"} for n in range(2)])]
    draft = draft_of(project, *objects)
    many = draft.change([Insert(("objects", n), {"name": f"n{n}"}) for n in range(2, 110)], FILE)
    with pytest.raises(Exception, match="at most 100 changes"):
        link_pairs(many, FILE)


def test_pairs_of_paths_that_look_like_others_differ() -> None:
    paths: list[tuple[str | int, ...]] = [
        ("a", "b"), ("a.b",), ("a", 0), ("a", "0"), ("a[0]",), ("a@1",), ('a"]["b',), ("a", ""),
    ]  # fmt: skip
    assert len({pair_of(SetValue(path, 1)) for path in paths}) == len(paths)


# --- served -----------------------------------------------------------------------------------


def follow(tab: Tab, pairs: Any, level: str | None = None) -> None:
    tab.send(do="follow", level=level or tab.levels[FILE], pairs=pairs)


def test_a_link_of_one_tab_is_followed_in_another(studio: Studio, project: Path) -> None:
    item, other = studio.opened(), studio.opened()
    item.set(["layers", "ground", "wall_percent"], 45)
    assert item.set(["seed"], 12)["seed"] == 12
    item.send(do="link")
    link = item.wait_for("link")
    assert (link["level"], link["edits"]) == (FILE, False)
    follow(other, link["pairs"])
    result = other.wait_for("followed")
    assert (result["state"], len(result["changed"]), result["refused"]) == ("offered", 2, [])
    other.send(do="decide", how="apply")
    result = other.wait_for("followed")
    assert (result["state"], len(result["changed"]), result["undo"]) == ("applied", 2, 1)
    assert other.wait_for("level")["seed"] == 12
    # Nothing is saved.
    assert (project / FILE).read_text() == CAVE
    assert other.displayed_level("undo")["seed"] == 7


def draft_after(tab: Tab, do: str, **fields: Any) -> Any:
    tab.send(do=do, **fields)
    return tab.wait_for("draft")


def test_a_proposed_link_leaves_the_draft_as_it_is(studio: Studio) -> None:
    tab = studio.opened()
    follow(tab, [["seed", "12"]])
    assert tab.wait_for("followed")["state"] == "offered"
    draft = draft_after(tab, "open", level=tab.levels[FILE])
    assert (draft["text"], draft["changed"], draft["linked"]) == (CAVE, False, False)


def test_a_link_that_is_looked_at_can_be_neither_changed_nor_saved(
    studio: Studio, project: Path
) -> None:
    tab = studio.opened()
    tab.set(["visibility", "radius"], 5)
    follow(tab, [["seed", "12"]])
    draft = draft_after(tab, "decide", how="look")
    assert "seed: 12" in draft["text"]
    assert (draft["looking"], draft["changed"], draft["undo"]) == (True, False, 0)
    expected: list[dict[str, Any]] = [
        {"do": "change", "changes": [{"set": ["seed"], "value": 13}]},
        {"do": "draw", "layer": "ground", "cells": [[3, 3]], "tile": "floor", "number": 1},
        {"do": "rename_layer", "layer": "ground", "name": "floor"},
        {"do": "adopt", "how": "mine"},
        *({"do": do} for do in ("save", "undo", "redo", "revert")),
    ]
    for message in expected:
        tab.send(**message)
        assert "preview of a link" in tab.wait_for("refused")["text"], message
    assert (project / FILE).read_text() == CAVE
    draft = draft_after(tab, "decide", how="drop")
    assert draft["text"] == CAVE.replace("radius: 6", "radius: 5")
    assert (draft["looking"], draft["changed"], draft["undo"]) == (False, True, 1)


def test_looking_at_a_link_ends_with_whatever_shows_another_draft(
    studio: Studio, project: Path
) -> None:
    (project / "levels/other.level.yaml").write_text(CAVE)
    studio.files.look()
    tab = studio.opened()
    for ends in ("level", "file", "tab", "link"):
        follow(tab, [["seed", "12"]])
        tab.send(do="decide", how="look")
        # A tab that came back has one more draft before.
        while not tab.wait_for("draft")["looking"]:
            pass
        if ends == "level":
            tab.displayed_level("open", level=tab.levels["levels/other.level.yaml"])
            draft = draft_after(tab, "open", level=tab.levels[FILE])
        elif ends == "file":
            (project / FILE).write_text(CAVE + "# theirs\n")
            draft = tab.wait_for("draft")
            while "# theirs" not in draft["text"]:
                draft = tab.wait_for("draft")
        elif ends == "tab":
            tab = studio.tab_again(tab)
            draft = draft_after(tab, "open", level=tab.levels[FILE])
        else:
            follow(tab, [["seed", "13"]])
            draft = tab.wait_for("draft")
        assert (draft["looking"], draft["changed"]) == (False, False), ends
        assert "seed: 7" in draft["text"], ends


def test_what_saves_by_itself_waits_for_a_person_after_a_link(
    studio: Studio, project: Path
) -> None:
    tab = studio.opened()
    follow(tab, [["seed", "12"]])
    draft = draft_after(tab, "decide", how="apply")
    assert draft["linked"]
    tab.send(do="save", revision=draft["revision"])
    draft = draft_after(tab, "open", level=tab.levels[FILE])
    assert (draft["changed"], (project / FILE).read_text()) == (True, CAVE)
    # Taken back and made again it is the link's still; an edit is a person's.
    assert not draft_after(tab, "undo")["linked"]
    assert draft_after(tab, "redo")["linked"]
    draft = draft_after(tab, "change", changes=[{"set": ["visibility", "radius"], "value": 5}])
    assert not draft["linked"]
    tab.send(do="save", revision=draft["revision"])
    tab.wait_for("saved")
    assert "seed: 12" in (project / FILE).read_text()


def test_drafts_of_links_stay_known_as_such(project: Path) -> None:
    """Also on another text of the file, and among more levels than steps are kept of."""
    level = LevelFiles(project).all()[0]
    linked = followed(project, [("seed", "12")]).draft
    assert linked.linked
    assert linked.rebased(CAVE.replace("40", "41").encode(), FILE).linked
    assert replace(linked, settled=None).rebased(CAVE.encode(), FILE).linked
    remaining = StoredDrafts()
    for number in range(MAXIMUM_WITH_STEPS + 1):
        remaining.keep(replace(level, id=str(number)), linked)
    draft = remaining.take("0")
    assert draft is not None
    assert draft.linked
    assert not linked.saved(None).linked


def test_hand_edits_that_are_not_saved_are_reported(studio: Studio) -> None:
    tab = studio.opened()
    tab.displayed_level("draw", layer="ground", cells=[[3, 3]], tile="floor", number=1)
    tab.send(do="link")
    assert tab.wait_for("link")["edits"] is True


def test_pairs_of_another_shape_are_refused(studio: Studio) -> None:
    tab = studio.opened()
    shapes = [
        None,
        {},
        "seed",
        [["seed"]],
        [["seed", 1]],
        [[1, "1"]],
        ["ab"],
        [["seed", "1"]] * 101,
    ]
    for pairs in shapes:
        follow(tab, pairs)
        assert tab.wait_for("refused")["text"]
    assert tab.set(["seed"], 8)["seed"] == 8


def test_a_link_does_not_change_another_level(studio: Studio) -> None:
    tab = studio.opened()
    follow(tab, [["seed", "12"]], "another")
    assert (
        tab.displayed_level("change", changes=[{"set": ["visibility", "radius"], "value": 5}])[
            "seed"
        ]
        == 7
    )


def test_reported_texts_are_short(studio: Studio) -> None:
    tab = studio.opened()
    follow(tab, [["x" * 100_000, "1"], ["name", '"' + "y" * 100_000 + '"']])
    result = tab.wait_for("followed")
    assert all(
        len(text) < 300 for item in result["refused"] for text in (item["path"], item["text"])
    )
