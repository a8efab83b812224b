"""The contact sheet of seeds in a real Chromium: sort, filter, star, compare, use; sweeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import exporter
from daemon_harness import wait_until
from studio_pages import opened, select, text_of
from studio_tabs import CAVE, Studio

LEVEL = "levels/cave.level.yaml"
SEARCHING = CAVE.replace("seed: 7 ", "seed: {search: 40, best: farthest} ")


CROWDED = """\
size: [60, 40]
seed: 3
layers:
  base: {generator: rooms_and_corridors, rooms: 4}
"""


def status(page: Any) -> str:
    return str(page.inner_text(".seed-status"))


def look(page: Any, **fields: str) -> None:
    """Fill fields in, and wait for the sheet they make."""
    for name, value in fields.items():
        page.fill(f"#seeds-{name.replace('_', '-')}", value)
    page.press("#seeds-where", "Enter")
    finished(page)


def finished(page: Any) -> None:
    wait_until(lambda: status(page).endswith(" s"))


def seeds(page: Any) -> list[int]:
    result = page.evaluate(
        "Array.from(document.querySelectorAll('.seed'), one => one.dataset.seed)"
    )
    return [int(item) for item in result]


def sheet(page: Any) -> None:
    page.focus("#picture")
    page.keyboard.press("d")
    finished(page)


def test_a_key_opens_a_sheet_of_seeds_with_their_pictures(page: Any, project: Path) -> None:
    sheet(page)
    assert status(page).startswith("100 levels")
    result = exporter.find_seeds(exporter.load_level(project / LEVEL), 100, budget=100)
    assert seeds(page) == [item.seed for item in result]
    # A picture has the colours of rock and floor.
    colors = page.evaluate(
        """() => {
            const canvas = document.querySelector(".seed canvas");
            const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return [canvas.width, canvas.height, new Set(new Uint32Array(pixels.data.buffer)).size];
        }"""
    )
    assert colors[:2] == [32, 24]
    assert colors[2] >= 3
    page.keyboard.press("Escape")
    assert not page.is_visible("#seeds")
    assert page.evaluate("document.activeElement.id") == "picture"
    sheet(page)
    offered = page.locator("#seeds-sort option").all_inner_texts()
    assert "floor" in offered
    # A cave has no rooms, and so no walk through them.
    assert "critical_path_doors" not in offered
    assert "critical_path_doors" in page.get_attribute("#seeds-sort", "title")
    page.select_option("#seeds-sort", "floor")
    look(page, count="20")
    assert page.input_value("#seeds-sort") == "floor"
    page.evaluate("levelExporter.set('visibility.radius', 5)")
    wait_until(lambda: "earlier text" in status(page))


def test_a_wrong_filter_has_a_caret_and_a_right_one_filters_and_sorts(
    page: Any, project: Path
) -> None:
    sheet(page)
    page.fill("#seeds-where", "floor > 0.4 and farthes >= 80")
    page.press("#seeds-where", "Enter")
    page.wait_for_selector("#seeds-where[aria-invalid]")
    message, line, caret = page.text_content("#seeds-where-why").splitlines()
    assert message == "unknown metric 'farthes' (did you mean 'farthest'?)"
    assert line[caret.index("^") : len(caret)] == "farthes"
    assert page.evaluate("document.activeElement.id") == "seeds-where"
    where = "farthest >= 45 and dead_ends <= 4"
    look(page, where=where, count="60")
    assert page.locator("#seeds-where[aria-invalid]").count() == 0
    spec = exporter.load_level(project / LEVEL)
    result = exporter.find_seeds(spec, 60, where, budget=60, sort="-floor")
    page.select_option("#seeds-sort", "floor")
    assert seeds(page) == [item.seed for item in result]
    page.click("[aria-label='greatest first']")
    again = exporter.find_seeds(spec, 60, where, budget=60, sort="floor")
    assert seeds(page) == [item.seed for item in again]
    page.select_option("#seeds-show", "all")
    assert len(seeds(page)) == 60
    assert page.locator(".seed.miss").count() == 60 - len(result.levels)


def test_the_keyboard_moves_stars_compares_and_uses(page: Any) -> None:
    sheet(page)
    displayed = seeds(page)
    page.locator(".seed").first.focus()
    columns = page.evaluate(
        """getComputedStyle(document.querySelector(".seed-grid"))
           .gridTemplateColumns.split(" ").length"""
    )
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    expected = displayed[columns + 1]
    assert page.evaluate("document.activeElement.dataset.seed") == str(expected)
    page.keyboard.press("s")
    page.keyboard.press("c")
    page.keyboard.press("End")
    assert page.locator(".seed-details canvas").count() == 2
    head, *rows = page.locator(".figures tr").all_inner_texts()
    assert "difference" in head
    assert any(row.startswith("farthest") for row in rows)
    page.select_option("#seeds-show", "starred")
    assert seeds(page) == [expected]
    page.locator(".seed").first.focus()
    before = text_of(page)
    page.keyboard.press("Enter")
    wait_until(lambda: f"seed: {expected} " in text_of(page))
    assert text_of(page) == before.replace("seed: 7 ", f"seed: {expected} ")
    assert not page.is_visible("#seeds")
    page.keyboard.press("Control+z")
    wait_until(lambda: text_of(page) == before)


def test_a_sweep_is_a_grid_and_its_levels_can_be_used(page: Any) -> None:
    sheet(page)
    page.get_by_role("button", name="Sweep").click()
    page.fill("#seeds-across-steps", "3")
    look(page, across="ground.wall_percent=40..46", down="ground.rounds=1..2")
    assert seeds(page) == [7] * 6
    axis = page.locator(".axis").all_inner_texts()
    assert axis[1:4] == ["40", "43", "46"]
    assert axis[4:] == ["1", "2"]
    page.locator(".seed").nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_until(lambda: "wall_percent: 43" in text_of(page))
    assert text_of(page) == CAVE.replace("40}", "43, rounds: 2}")
    # Both are one step.
    page.keyboard.press("Control+z")
    wait_until(lambda: text_of(page) == CAVE)


def test_the_seed_that_was_detected_is_displayed_and_used(
    browser: Any, studio: Studio, project: Path
) -> None:
    (project / LEVEL).write_text(SEARCHING)
    seed = exporter.build_level(exporter.load_level(project / LEVEL)).seed
    with opened(browser, studio) as page:
        check_detected(page, str(seed))


def check_detected(page: Any, seed: str) -> None:
    select(page, "layers.ground")

    def searched_seed() -> str:
        return str(page.inner_text("#found-seed"))

    assert searched_seed() == seed
    # A slider that moves keeps the seed; when it is let go another one is searched for.
    page.evaluate(
        """() => {
            const slider = document.querySelector("#parameter-layers-ground-wall_percent")
                .parentElement.querySelector("[type=range]");
            slider.focus();
            slider.value = 47;
            slider.dispatchEvent(new Event("input", {bubbles: true}));
        }"""
    )
    wait_until(lambda: searched_seed() == f"{seed} (kept while you drag)")
    page.evaluate("""document.activeElement.dispatchEvent(new Event("change", {bubbles: true}))""")
    wait_until(lambda: searched_seed().isdigit() and searched_seed() != seed)
    other = searched_seed()
    assert "seed: {search: 40, best: farthest} " in text_of(page)
    page.locator(".found button").click()
    wait_until(lambda: f"seed: {other} " in text_of(page))
    wait_until(lambda: not page.is_visible(".found"))


def test_a_seed_is_searched_again_after_a_drag_with_the_mouse(
    browser: Any, studio: Studio, project: Path
) -> None:
    (project / LEVEL).write_text(SEARCHING)
    with opened(browser, studio) as page:
        check_dragged(page)


def check_dragged(page: Any) -> None:
    select(page, "layers.ground")
    box = page.locator("#parameter-layers-ground-wall_percent-slider").bounding_box()
    level = box["y"] + box["height"] / 2
    before = text_of(page)
    page.mouse.move(box["x"] + box["width"] * 0.5, level)
    page.mouse.down()
    for share in (0.5, 0.55, 0.6):
        page.mouse.move(box["x"] + box["width"] * share, level)
        wait_until(lambda: "kept while you drag" in page.inner_text("#found-seed"))
    page.mouse.up()
    wait_until(lambda: page.inner_text("#found-seed").isdigit())
    assert text_of(page) != before


def test_a_narrow_window_has_room_for_all(browser: Any, studio: Studio, project: Path) -> None:
    with opened(browser, studio, viewport={"width": 360, "height": 700}) as page:
        page.click("#open-seeds")
        finished(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.locator(".seed").nth(1).click()
        assert page.is_visible(".seed-actions")


def test_levels_that_fall_short_are_marked_reported_and_left_out(
    browser: Any, studio: Studio, project: Path
) -> None:
    (project / LEVEL).write_text(CROWDED)
    with opened(browser, studio) as page:
        sheet(page)
        marked = page.locator(".seed.incomplete").count()
        assert 0 < marked < 100
        assert status(page).split(", ")[1] == f"{marked} not complete"
        assert (
            page.locator(".seed.incomplete")
            .first.get_attribute("aria-label")
            .endswith(": not complete")
        )
        page.locator(".seed.incomplete").first.click()
        reported = page.inner_text(".seed-details figcaption")
        assert "not complete" in reported
        assert "of 4 rooms are built" in reported
        page.select_option("#seeds-show", "complete")
        assert len(seeds(page)) == 100 - marked
        assert page.locator(".seed.incomplete").count() == 0
        look(page, where="floor > 0.2")
        page.select_option("#seeds-show", "complete")
        assert page.locator(".seed.miss").count() == 0


def test_stars_stay_for_other_seeds_and_come_back_with_their_level(
    page: Any, project: Path
) -> None:
    (project / "levels" / "other.level.yaml").write_text(CAVE)
    wait_until(lambda: page.locator("#levels option").count() == 2)
    sheet(page)
    chosen = [page.locator(".seed").nth(position).get_attribute("data-seed") for position in (1, 3)]
    for position in (1, 3):
        page.locator(".seed").nth(position).click()
        page.keyboard.press("s")
    page.keyboard.press("Escape")
    page.select_option("#levels", label="other")
    wait_until(lambda: page.evaluate("levelExporter.level()?.name") == "other")
    sheet(page)
    page.select_option("#seeds-show", "starred")
    assert seeds(page) == []
    page.select_option("#seeds-show", "all")
    page.keyboard.press("Escape")
    page.select_option("#levels", label="cave")
    wait_until(lambda: page.evaluate("levelExporter.level()?.name") == "cave")
    sheet(page)
    page.select_option("#seeds-show", "starred")
    assert sorted(map(str, seeds(page))) == sorted(map(str, chosen))
    page.select_option("#seeds-show", "all")
    first = seeds(page)[0]
    page.get_by_role("button", name="Next seeds").click()
    wait_until(lambda: first not in seeds(page) and status(page).endswith(" s"))
    page.select_option("#seeds-show", "starred")
    assert sorted(map(str, seeds(page))) == sorted(map(str, chosen))
