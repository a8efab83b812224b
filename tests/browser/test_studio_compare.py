"""Comparing in the studio, in a real Chromium: drawing, counts, and keys."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import exporter
from exporter.explore.comparison import compare_levels
from exporter.explore.comparison.picture import changed_cells
from level_differences import diff
from studio_comparisons import check_swiped, compare_with_seed, comparison_state, shots
from studio_pages import HALL, opened, set_value, until
from studio_tabs import Studio

LEVEL = "levels/hall.level.yaml"
LEVELS = {"hall": HALL}


def test_left_of_the_divider_is_a_and_right_of_it_b(page: Any) -> None:
    check_swiped(page)
    page.press("#divider", "Home")
    # It is drawn with the next frame.
    edge = "document.getElementById('stage').getBoundingClientRect().left"
    until(page, f"document.elementFromPoint({edge} + 6, 340)?.closest('#divider')")
    box = page.locator("#divider").bounding_box()
    stage = page.locator("#stage").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + 300)
    page.mouse.down()
    page.mouse.move(stage["x"] + stage["width"] * 0.25, box["y"] + 300)
    page.mouse.up()
    assert abs(comparison_state(page)["position"] - 0.25) < 0.01
    divider = page.locator("#divider")
    assert divider.get_attribute("role") == "slider"
    assert divider.get_attribute("aria-valuenow") == "25"
    assert divider.get_attribute("aria-valuetext").startswith("25 %: left of it A, seed 4")


def test_a_finger_moves_the_divider(browser: Any, studio: Studio) -> None:
    options = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    with opened(browser, studio, **options) as page:
        # The level's warning is there, and leaves the picture free.
        assert page.is_visible("#problems summary")
        compare_with_seed(page, 4)
        page.wait_for_selector("#divider")
        until(page, "Boolean(document.elementFromPoint(180, 240)?.closest('#divider'))")
        client = page.context.new_cdp_session(page)
        for kind, points in (
            ("touchStart", [{"x": 180, "y": 240}]),
            ("touchMove", [{"x": 120, "y": 240}]),
            ("touchMove", [{"x": 90, "y": 240}]),
            ("touchEnd", []),
        ):
            client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        until(page, "Math.abs(levelExporter.comparison().position - 0.25) < 0.02")
        # Nothing is wider than the screen.
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_counts_are_those_of_the_command(page: Any, project: Path) -> None:
    compare_with_seed(page, 4)
    result = comparison_state(page)["difference"]
    metrics = [word for name in result["metrics"] for word in ("--metric", name)]
    document = diff(f"{project / LEVEL}@4", project / LEVEL, *metrics)
    for side in ("was", "now"):
        del document[side]["source"]
    outputs = document.pop("outputs")
    assert result == document
    page.click("#compare-files")
    until(page, "levelExporter.comparison().outputs !== null")
    assert comparison_state(page)["outputs"] == outputs
    count = len(outputs["changed"])
    text = page.inner_text("#compare-outputs-summary")
    assert text.startswith(f"{count} of the exported files differ (")
    assert page.locator("#compare-outputs tbody tr").count() == count
    [layer] = document["layers"]["changed"]
    moved = sum(item["moved"] for item in document["objects"]["changed"])
    summary = page.inner_text("#compare-summary")
    assert summary.startswith(f"seed 4: base: {layer['cells']['changed']} cells; objects: ")
    assert f"{moved} moved" in summary
    page.click("#compare-open")
    entries = page.locator("#compare-list .entry").all_inner_texts()
    objects = document["objects"]
    lists = ("added", "removed", "changed")
    assert len(entries) == 1 + sum(len(objects[key]) for key in lists)
    assert f"{layer['cells']['changed']} of 1200 changed" in entries[0]


def test_changed_cells_are_framed_and_no_others(page: Any, project: Path) -> None:
    set_value(page, "objects", [])
    compare_with_seed(page, 4)
    page.click("#compare-blink")
    marks = shots(page)[1][:, :480]
    yellow = (marks[..., :3] == (240, 228, 66)).all(axis=2)
    framed = yellow.reshape(30, 12, 40, 12).any(axis=(1, 3))
    spec = exporter.load_level(project / LEVEL)
    was, now = (exporter.build_level(replace(spec, seed=seed, objects=())) for seed in (4, 3))
    changed = changed_cells(compare_levels(was, now, []))
    wide = np.pad(changed, 1)
    inner = wide[:-2, 1:-1] & wide[2:, 1:-1] & wide[1:-1, :-2] & wide[1:-1, 2:]
    assert np.array_equal(framed, changed & ~inner)
    assert framed.any()
    page.click("#compare-marks")
    marks = shots(page)[1][:, :480]
    assert not (marks[..., :3] == (240, 228, 66)).all(axis=2).any()


def test_a_difference_is_framed(page: Any) -> None:
    compare_with_seed(page, 4)
    page.click("#compare-open")
    entry = page.locator("#compare-list .entry", has_text="stairs_up")
    before = page.screenshot()
    entry.focus()
    page.keyboard.press("Enter")
    assert page.screenshot() != before


def test_b_shows_a_while_it_is_held_and_lazy(page: Any) -> None:
    compare_with_seed(page, 4)
    page.click("#compare-blink")
    page.click("#compare-marks")
    plain = shots(page)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 10_000)
    page.keyboard.down("a")
    page.clock.run_for(20)
    assert comparison_state(page)["blinking"]
    assert page.inner_text(".showing") == "A: seed 4"
    page.clock.run_for(1000)
    assert comparison_state(page)["blinking"]
    page.keyboard.up("a")
    assert not comparison_state(page)["blinking"]
    # However fast the key is pressed, A appears twice a second at most.
    seen, before = 0, False
    for _ in range(20):
        page.keyboard.down("a")
        page.clock.run_for(20)
        now = comparison_state(page)["blinking"]
        seen += now and not before
        page.keyboard.up("a")
        page.clock.run_for(20)
        before = comparison_state(page)["blinking"]
    assert 1 <= seen <= 2
    # By turns.
    page.click("#compare-play")
    turns = []
    for _ in range(15):
        page.clock.run_for(200)
        turns.append(comparison_state(page)["blinking"])
    changes = sum(a != b for a, b in pairwise(turns))
    assert 2 <= changes <= 6
    page.click("#compare-play")
    page.clock.run_for(100)
    assert not comparison_state(page)["blinking"]
    page.clock.resume()
    for now_shot, item in zip(shots(page), plain, strict=True):
        assert np.array_equal(now_shot, item)
    page.close()  # it would keep the clock


def test_with_less_motion_nothing_blinks_by_itself(browser: Any, studio: Studio) -> None:
    with opened(browser, studio, reduced_motion="reduce") as page:
        compare_with_seed(page, 4)
        page.click("#compare-blink")
        assert page.locator("#compare-play").is_disabled()
        page.keyboard.down("a")
        until(page, "levelExporter.comparison().blinking")
        page.keyboard.up("a")
        assert not comparison_state(page)["blinking"]
        # So does the button.
        box = page.locator("#compare-hold").bounding_box()
        page.mouse.move(box["x"] + 5, box["y"] + 5)
        page.mouse.down()
        until(page, "levelExporter.comparison().blinking")
        page.mouse.up()
        assert not comparison_state(page)["blinking"]


def test_every_change_is_compared_anew_and_saving_makes_it_equal(page: Any) -> None:
    page.keyboard.press("c")
    until(page, "levelExporter.comparison().difference?.equal === true")
    assert page.inner_text("#compare-summary") == "saved file: no difference"
    page.click("#picture", position={"x": 5, "y": 300})
    set_value(page, "seed", 9)
    until(page, "levelExporter.comparison().difference.equal === false")
    assert comparison_state(page)["difference"]["was"]["seed"] == 3
    page.click("#compare-open")
    lines = page.locator("#compare-list pre").inner_text()
    assert "- seed: 3" in lines
    assert "+ seed: 9" in lines
    page.keyboard.press("Control+s")
    until(page, "levelExporter.comparison().difference.equal")


def test_what_is_preserved_is_a(page: Any) -> None:
    page.click("#open-compare")
    set_value(page, "seed", 12)
    page.click("#compare-keep")
    until(page, "levelExporter.comparison().label.includes('as kept')")
    set_value(page, "layers.base.max_room_size", [8, 8])
    until(page, "levelExporter.comparison().difference?.equal === false")
    assert comparison_state(page)["difference"]["was"]["seed"] == 12


def test_a_level_of_another_size_and_one_without_git(page: Any, project: Path) -> None:
    (project / "levels" / "small.level.yaml").write_text(HALL.replace("[40, 30]", "[26, 34]"))
    until(page, "document.querySelectorAll('#levels option').length === 2")
    page.click("#open-compare")
    page.select_option("#compare-with", label="levels/small.level.yaml")
    until(page, "levelExporter.comparison().level?.width === 26")
    page.click("#compare-open")
    assert "compared are the 26 x 30 that both have" in page.inner_text("#compare-list")
    page.press("#divider", "End")
    shots(page)
    page.select_option("#compare-with", "revision")
    until(page, "levelExporter.comparison().problem !== null")
    assert "there is no committed version" in page.inner_text("#compare-summary.bad")
    assert page.locator("#divider").is_hidden()


def test_the_keyboard_is_enough(page: Any) -> None:
    page.keyboard.press("c")
    until(page, "levelExporter.comparison().difference !== null")
    assert page.evaluate("document.activeElement.id") == "compare-with"
    page.keyboard.press("Escape")
    assert not comparison_state(page)["open"]
    page.wait_for_selector("#divider", state="hidden")  # with the next frame
    assert page.evaluate("document.activeElement.id") == "picture"
    page.keyboard.press("?")
    keys = page.inner_text("#help")
    assert "compare with the saved file" in keys
    assert "hold: A" in keys


def test_a_seed_of_the_sheet_is_compared_in_the_picture(page: Any) -> None:
    page.keyboard.press("d")
    page.wait_for_selector(".seed")
    page.locator(".seed").nth(2).click()
    page.click("text=In the picture")
    until(page, "levelExporter.comparison().label.startsWith('seed ')")
    assert page.locator("#seeds").is_hidden()


def test_outputs_are_counted_while_their_fold_is_open(page: Any) -> None:
    compare_with_seed(page, 4)
    sent = page.evaluate_handle(
        """() => {
          const sent = [];
          const { send } = WebSocket.prototype;
          WebSocket.prototype.send = function (text) {
            sent.push(JSON.parse(text));
            send.call(this, text);
          };
          return sent;
        }"""
    )
    requested = "(sent) => sent.filter((one) => one.do === 'outputs' && !one.stop).length"
    set_value(page, "seed", 5)
    page.wait_for_timeout(600)
    assert page.evaluate(requested, sent) == 0
    page.click("#compare-files")
    until(page, "levelExporter.comparison().outputs !== null")
    before = comparison_state(page)["outputs"]
    set_value(page, "size", [44, 30])
    until(page, f"levelExporter.comparison().outputs?.now.bytes > {before['now']['bytes']}")
    page.click("#compare-files")
    assert page.locator("#compare-outputs").is_hidden()
    requested_then = page.evaluate(requested, sent)
    set_value(page, "seed", 6)
    page.wait_for_timeout(600)
    assert page.evaluate(requested, sent) == requested_then
