"""Contact sheets and heat maps."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import exporter
from cases import each_case
from exporter.explore.archive import PARTS, niche_of
from exporter.explore.ranges import Survey, common_ranges, compared, counts, heat_map, survey
from exporter.explore.search import LevelMatch, search_for
from exporter.explore.sheets import (
    SheetPicture,
    is_our_sheet,
    sheet_html,
    sheet_png,
    small_picture,
)
from exporter.explore.varying import parse_varied
from exporter.formats.images.letters import letter_mask, text_width
from small_specs import caves


def pictures(count: int) -> list[SheetPicture]:
    picture = small_picture(exporter.build_level(caves()))
    return [
        SheetPicture(LevelMatch(n, {"ground.connect": False}, {"floor": n / 7}), picture)
        for n in range(count)
    ]


def occurrences(picture: np.ndarray, pixels: np.ndarray) -> int:
    """Return how often a larger picture contains a picture."""
    whole, part = (
        item.astype(np.uint32) @ np.array([65536, 256, 1], np.uint32) for item in (pixels, picture)
    )
    height, width = part.shape
    rows, columns = whole.shape[0] - height + 1, whole.shape[1] - width + 1
    fits = np.ones((rows, columns), bool)
    for y, x in np.random.default_rng(1).integers(0, (height, width), (20, 2)).tolist():
        fits &= whole[y : y + rows, x : x + columns] == part[y, x]
    return sum(
        np.array_equal(whole[y : y + height, x : x + width], part)
        for y, x in np.argwhere(fits).tolist()
    )


@each_case("count", [1, 2, 7, 20])
def test_a_sheet_has_every_picture_and_its_words(count: int) -> None:
    data = sheet_png(pictures(count))
    assert count > 2 or data == sheet_png(pictures(count))
    pixels = np.array(Image.open(io.BytesIO(data)).convert("RGB"))
    picture = pictures(1)[0].picture
    assert occurrences(picture, pixels) == count
    ink = letter_mask("seed 0").repeat(2, axis=0).repeat(2, axis=1)
    light = (pixels == (226, 222, 210)).all(axis=2)
    places = np.argwhere(light)
    top, left = places.min(axis=0)
    assert np.array_equal(light[top : top + 10, left : left + ink.shape[1]], ink)


def test_large_levels_are_created_small() -> None:
    level = exporter.Level("big", 700, 300)
    assert max(small_picture(level).shape[:2]) <= 240
    assert small_picture(exporter.Level("long", 8192, 1)).shape[:2] <= (240, 240)


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_a_page_needs_nothing_else_and_escapes_what_it_shows() -> None:
    picture = pictures(1)[0].picture
    hostile = "<script>alert('x')</script>"
    level = SheetPicture(LevelMatch(1, {"a.b": hostile}, {"objects.'<b>'": 1}), picture)
    data = sheet_html(hostile, [level, level])
    page = Page()
    page.feed(data.decode())
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert [tag for tag, _ in page.tags].count("tr") == 3
    assert "b" not in [tag for tag, _ in page.tags]
    sources = [attributes["src"] for tag, attributes in page.tags if "src" in attributes]
    assert len(sources) == 2
    assert all(source and source.startswith("data:image/png;base64,") for source in sources)
    assert not re.search(r"https?://", data.decode())


def test_every_figure_lies_below_the_heading_of_its_name() -> None:
    text = sheet_html("levels", pictures(2)).decode()
    page = Page()
    page.feed(text)
    cells = [(tag, attributes) for tag, attributes in page.tags if tag in ("th", "td")]
    assert [tag for tag, _ in cells] == ["th"] * 4 + ["td"] * 8
    names = [attributes.get("data-name") for _, attributes in cells[4:]]
    assert names == [None, "seed", "ground.connect", "floor"] * 2
    # A click on a heading sorts by the values in the cells below it: all but the pictures.
    headings = re.findall(r"<th>(?:<button>(.*?)</button>)?</th>", text)
    assert headings == ["", "seed", "ground.connect", "floor"]


def test_a_sheet_that_somebody_changed_is_not_ours() -> None:
    for data in (sheet_html("levels", pictures(2)), sheet_png(pictures(2))):
        assert is_our_sheet(data)
        assert not is_our_sheet(data + b" ")
        assert not is_our_sheet(data.replace(b"s", b"S", 1))
    assert not is_our_sheet(b"")
    assert not is_our_sheet(b"<!doctype html>\n")


def test_letters_differ_from_each_other() -> None:
    known = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ._-=:%/',+()<>"
    masks = {letter: letter_mask(letter).tobytes() for letter in known}
    # A zero and an O, a five and an S may look alike, yet here they do not.
    assert len(set(masks.values())) == len(known)
    assert letter_mask("ab").shape == (5, text_width("ab")) == (5, 7)


points = st.lists(
    st.tuples(st.integers(0, 40).map(float), st.integers(0, 9).map(float)), min_size=1, max_size=60
)


@given(points)
def test_a_heat_map_counts_each_level_in_its_niche(places: list[tuple[float, float]]) -> None:
    array = np.array(places)
    ranges = tuple((float(array[:, a].min()), float(array[:, a].max())) for a in (0, 1))
    expected = np.zeros((PARTS, PARTS), np.int64)
    for position in places:
        x, y = niche_of(position, ranges)
        expected[y, x] += 1
    assert np.array_equal(counts(array, ranges), expected)


def survey_of(places: list[tuple[float, float]], title: str = "one") -> Survey:
    return Survey(title, ("floor", "farthest"), np.array(places).reshape(-1, 2), 9, 0, "")


def test_equal_specs_overlap_whole_and_distant_ones_not_at_all() -> None:
    item = survey_of([(0.0, 0.0), (1.0, 1.0), (1.0, 1.0)])
    other = survey_of([(5.0, 5.0)])
    assert compared(item, item).overlap == 1
    assert compared(item, other).document() == {"niches": [2, 1], "shared": 0, "overlap": 0}
    half = survey_of([(0.0, 0.0), (5.0, 5.0)])
    assert compared(half, other).document() == {"niches": [2, 1], "shared": 1, "overlap": 0.5}


def test_a_map_without_a_level_is_dark() -> None:
    nothing = survey_of([])
    assert common_ranges([nothing]) == ((0, 0), (0, 0))
    assert is_our_sheet(heat_map([nothing]))


def test_the_greatest_values_lie_at_the_upper_right() -> None:
    data = heat_map([survey_of([(0.0, 0.0), (1.0, 1.0)] + [(1.0, 1.0)] * 8)])
    pixels = np.array(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)
    area = pixels[30 : 30 + 320, 8 : 8 + 320]
    assert area[5, 315].sum() > area[315, 5].sum() > area[5, 5].sum()
    assert tuple(area[315, 315]) == tuple(area[5, 5])


def test_a_survey_measures_the_whole_budget() -> None:
    varied = [parse_varied("ground.wall_percent=30..55", caves())]
    search = search_for(caves(), varied=varied, spread=["farthest", "floor"], budget=50)
    result = survey(search, "caves")
    by_search = exporter.find_seeds(
        caves(), count=50, budget=50, vary={"ground.wall_percent": (30, 55)},
        where="floor >= 0 and farthest >= 0",
    )  # fmt: skip
    assert result.places.tolist() == [
        [item.metrics["farthest"], item.metrics["floor"]] for item in by_search
    ]
    assert (result.tried, result.failed) == (50, 0)
