"""What a tab's start page gets: lists with pictures, and new levels of presets and pictures."""

from __future__ import annotations

import asyncio
import base64
import io
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

import exporter
from exporter.studio import galleries
from exporter.studio.tasks import BuildTask
from exporter.studio.views import CardView
from studio_tabs import CAVE, Studio, Tab

LEVEL = "levels/cave.level.yaml"
OTHERS = {"broken": "size: [", "large": CAVE.replace("[32, 24]", "[900, 700]")}


def gallery(tab: Tab, of: str) -> tuple[list[dict[str, Any]], dict[str, tuple[int, int]]]:
    """The cards of a list, and the size of each picture; (0, 0) without one."""
    tab.send(do="gallery", of=of)
    cards = tab.wait_for("gallery")["cards"]
    sizes = {}
    for _ in [card for card in cards if card["group"] != "Draw"]:
        header = tab.wait_for("card")
        content = tab.arrays[0].tobytes()
        sizes[header["name"]] = Image.open(io.BytesIO(content)).size if content else (0, 0)
    return cards, sizes


def test_levels_are_listed_by_their_last_change_each_with_a_small_picture(
    studio: Studio, project: Path
) -> None:
    for name, text in OTHERS.items():
        (project / "levels" / f"{name}.level.yaml").write_text(text)
    studio.files.look()
    for age, name in enumerate(("large", "cave", "broken")):
        os.utime(project / "levels" / f"{name}.level.yaml", (1000 - age, 1000 - age))
    tab = studio.tab()
    cards, sizes = gallery(tab, "level")
    names = [card["summary"].removeprefix("levels/").partition(".")[0] for card in cards]
    assert names == ["large", "cave", "broken"]
    assert cards[0]["changed"] == 1000
    assert [sizes[card["name"]] for card in cards] == [(300, 233), (256, 192), (0, 0)]


def test_every_preset_and_every_generator_has_a_sentence_and_a_picture(studio: Studio) -> None:
    tab = studio.tab()
    for of in ("preset", "layer"):
        cards, sizes = gallery(tab, of)
        assert all(card["summary"] for card in cards)
        assert min(sizes.values()) > (90, 60)
    assert {card["group"] for card in cards} == {"Start from", "Shape", "Join", "Measure", "Draw"}
    again = studio.tab()
    assert gallery(again, "layer") == (cards, sizes)


def test_a_card_shows_a_picture_that_its_level_reads_as_it_is_now(
    studio: Studio, project: Path
) -> None:
    layers = "layers:\n  ground: {generator: from_image, image: art.png"
    for name, text in (
        ("drawn", f"size: [8, 8]\n{layers}}}\n"),
        ("world", f"size: [1100, 1000]\nchunk: 512\n{layers}, fit: stretch}}\n"),
    ):
        (project / "levels" / f"{name}.level.yaml").write_text(text)
    studio.files.look()
    tab, shown = studio.tab(), []
    for side in (0, 8, 16):
        if side:
            Image.new("RGB", (side, side), (side, 90, 40)).save(project / "levels" / "art.png")
        _, sizes = gallery(tab, "level")
        names = (f"levels/{name}.level.yaml" for name in ("drawn", "world"))
        shown.append([sizes[tab.levels[name]][0] > 0 for name in names])
    # A picture of another size does not fit.
    assert shown == [[False, False], [True, True], [False, True]]


def test_cards_beyond_the_limit_have_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    async def picture(_owner: str, task: BuildTask) -> bytes:
        assert isinstance(task.view, CardView)
        return task.view.name.encode()

    monkeypatch.setattr(galleries, "_MOST_PICTURES", 2)
    put: list[str] = []
    box = SimpleNamespace(put=lambda kind, _message: put.append(kind))
    session: Any = SimpleNamespace(id="tab", builds=SimpleNamespace(box=box))
    cards: Any = SimpleNamespace(picture=picture)
    tasks = [BuildTask(b"", name, Path(), None, view=CardView("level", name, "")) for name in "abc"]
    asyncio.run(galleries.GalleryActions(session, cards)._draw(tasks, None))
    assert put == ["card level a", "card level b"]


def picture(side: int = 8, colors: int = 3) -> str:
    """A picture of a few colours, as the page sends it."""
    pixels = np.zeros((side, side, 3), np.uint8)
    pixels[:, :, 1] = np.arange(side * side).reshape(side, side) % colors * 12
    content = io.BytesIO()
    Image.fromarray(pixels).save(content, "PNG")
    return base64.b64encode(content.getvalue()).decode()


def test_a_level_begins_with_a_picture(studio: Studio, project: Path) -> None:
    tab = studio.tab()
    tab.send(do="create", name="sketch", preset="picture", picture=picture())
    assert tab.wait_for("created")["level"]
    level = exporter.build_level(exporter.load_level(project / "levels" / "sketch.level.yaml"))
    assert len({tile.name for tile in level.layers["ground"].tiles}) == 3
    (project / "levels" / "taken.png").write_bytes(b"mine")
    for name, content in (
        ("taken", picture()),
        ("many", picture(colors=20)),
        ("huge", picture(300)),
        ("text", base64.b64encode(b"no picture").decode()),
        ("bad", "***"),
    ):
        tab.send(do="create", name=name, preset="picture", picture=content)
        assert tab.wait_for("refused")["text"]
        assert not (project / "levels" / f"{name}.level.yaml").exists()
    assert (project / "levels" / "taken.png").read_bytes() == b"mine"


def test_a_level_is_created_of_a_preset_and_never_over_a_file(
    studio: Studio, project: Path
) -> None:
    tab = studio.opened()
    tab.send(do="create", name="home", preset="island")
    level = tab.wait_for("created")["level"]
    assert tab.displayed_level("open", level=level)["name"] == "home"
    text = (project / "levels" / "home.level.yaml").read_text()
    for name in ("home", "HOME", "cave", "../outside", "a/b", "", "con.", "x" * 300):
        tab.send(do="create", name=name, preset="caves")
        assert tab.wait_for("refused")["text"]
    tab.send(do="create", name="other", preset="../../etc/passwd")
    assert tab.wait_for("refused")["text"]
    assert (project / "levels" / "home.level.yaml").read_text() == text
    assert sorted(path.name for path in project.rglob("*.yaml")) == [
        "cave.level.yaml",
        "exporter.yaml",
        "home.level.yaml",
    ]


def test_an_empty_project_can_be_begun(project: Path, serve: Callable[..., Studio]) -> None:
    (project / LEVEL).unlink()
    tab = serve(project).tab()
    assert tab.levels == {}
    tab.send(do="create", name="first", preset="caves-large")
    assert tab.wait_for("created")["level"]


def test_a_lone_spec_makes_no_others(project: Path, serve: Callable[..., Studio]) -> None:
    tab = serve(project / LEVEL).tab()
    tab.send(do="create", name="first", preset="caves-large")
    assert "project" in tab.wait_for("refused")["text"]
