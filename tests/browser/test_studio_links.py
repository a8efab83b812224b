"""Links of the studio in a real Chromium: copied, proposed, applied, and hostile ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from daemon_harness import wait_until
from studio_pages import first_level, opened, set_value, text_of, until
from studio_tabs import CAVE, Studio

LEVEL = "levels/cave.level.yaml"
LEVELS = {"cave": CAVE, "other": "size: [20, 10]\nlayers: {a: {generator: maze}}\n"}
PAGE_OPTIONS = {"permissions": ["clipboard-read", "clipboard-write"]}
REPORTED = "document.querySelector('#linked').textContent"


def change(page: Any, *changes: dict[str, Any]) -> None:
    before = text_of(page)
    for item in changes:
        assert page.evaluate("(one) => levelExporter.change([one])", item) is None
    assert text_of(page) != before


def copied(page: Any) -> str:
    page.keyboard.press("p")
    page.click("#copy-link")
    until(page, "document.querySelector('#share .told').textContent.startsWith('Copied.')")
    address = str(page.evaluate("navigator.clipboard.readText()"))
    assert page.input_value("#share .address") == address
    page.keyboard.press("Escape")
    return address


def tab(page: Any, address: str, faults: list[str]) -> Any:
    """Another tab of the same browser that opens a link."""
    other = page.context.new_page()
    other.on("pageerror", lambda error: faults.append(str(error)))
    other.goto(address)
    return other


def link(studio: Studio, *pairs: tuple[str, str], level: str = LEVEL, view: str = "") -> str:
    parts = [f"link={quote(level)}", *([f"view={view}"] if view else [])]
    parts += [f"{quote(path)}={quote(value)}" for path, value in pairs]
    return f"{studio.origin}/#{'&'.join(parts)}"


def until_loaded(page: Any, expression: str) -> None:
    """Wait for a condition in a page that loads itself again meanwhile."""
    from playwright.sync_api import Error

    def holds() -> bool:
        try:
            return bool(page.evaluate(expression))
        except Error as error:
            if "navigation" not in str(error):
                raise
            return False

    wait_until(holds)


def apply(page: Any) -> None:
    """Apply the link that is proposed."""
    page.click("#apply-link")
    until(page, f"{REPORTED}.startsWith('A link has changed')")


def camera(page: Any) -> Any:
    return page.evaluate("levelExporter.seen()")


def test_a_link_opens_the_draft_in_another_tab(page: Any, studio: Studio, project: Path) -> None:
    set_value(page, "seed", 12)
    set_value(page, "layers.ground.wall_percent", 45)
    set_value(page, "layers.ground.rounds", 3)
    change(
        page,
        {"remove": ["visibility"]},
        {"insert": ["objects", 1], "value": {"name": "chest", "count": 2}},
        {
            "insert": ["layers", "floor"],
            "value": {"generator": "blank", "role": "none"},
            "place": 0,
        },
    )
    page.evaluate("levelExporter.view(7, 5, 33)")
    text, seen, objects = text_of(page), camera(page), page.evaluate("levelExporter.objects()")
    address = copied(page)
    assert studio.token not in address
    assert address.startswith(f"{studio.origin}/#link={LEVEL}&view=")
    assert "&seed=12&" in address
    assert "&layers.ground.wall_percent=45" in address
    faults: list[str] = []
    other = tab(page, address, faults)
    until(other, f'{REPORTED}.startsWith("Someone\'s link changes 6 values")')
    assert text_of(other) == CAVE
    apply(other)
    until(other, "([text]) => levelExporter.text() === text", [text])
    until(
        other, "([seen]) => JSON.stringify(levelExporter.seen()) === JSON.stringify(seen)", [seen]
    )
    assert other.evaluate("levelExporter.objects()") == objects
    assert other.evaluate("location.href") == f"{studio.origin}/"
    reported = other.inner_text("#linked")
    for item in ("seed: 12", "layers.ground.wall_percent: 45", "visibility taken away", "chest"):
        assert item in reported
    other.click("#undo-link")
    until(other, "([text]) => levelExporter.text() === text", [CAVE])
    assert not other.is_visible("#linked")
    assert other.is_disabled("#undo")
    # Neither tab has saved, and the first one is unchanged.
    assert (project / LEVEL).read_text() == CAVE
    assert text_of(page) == text
    assert faults == []


def test_a_link_is_followed_in_the_open_tab_and_opens_its_level(page: Any, studio: Studio) -> None:
    page.goto(link(studio, ("seed", "5"), level="levels/other.level.yaml", view="3,4,20"))
    apply(page)
    until(page, "levelExporter.text().startsWith('size: [20, 10]\\nseed: 5')")
    until(page, "levelExporter.level()?.name === 'other'")
    until(page, "levelExporter.seen().pixels === 20")
    assert page.evaluate("location.href") == f"{studio.origin}/"
    assert page.evaluate("document.querySelector('#levels').selectedOptions[0].text").startswith(
        "other"
    )
    # The same once more changes nothing, and says so.
    page.goto(link(studio, ("seed", "5"), level="levels/other.level.yaml"))
    until(page, f"{REPORTED}.includes('changes nothing')")
    page.focus("#linked button:visible")
    page.keyboard.press("Escape")
    assert not page.is_visible("#linked")
    page.keyboard.press("Control+z")
    until(page, "!levelExporter.text().includes('seed')")


def test_what_is_refused_is_reported_and_the_rest_is_applied(page: Any, studio: Studio) -> None:
    pairs = [("seed", "12"), ("layers.ground.wall_percent", '"<b>much</b>"'), ("no.such", "1")]
    page.goto(link(studio, *pairs))
    until(page, f"{REPORTED}.includes('Not changed:')")
    apply(page)
    until(page, "levelExporter.text().includes('seed: 12')")
    reported = page.inner_text("#linked")
    assert "layers.ground.wall_percent: " in reported
    assert "no.such: " in reported
    assert page.locator("#linked b").count() == 0
    assert text_of(page) == CAVE.replace("seed: 7", "seed: 12")
    assert page.evaluate("levelExporter.problems()") == []


def test_a_link_that_is_looked_at_changes_no_draft(
    page: Any, studio: Studio, project: Path
) -> None:
    set_value(page, "visibility.radius", 5)
    mine = text_of(page)
    page.goto(link(studio, ("seed", "12")))
    page.click("#look-link")
    until(page, "levelExporter.text().includes('seed: 12')")
    assert page.is_disabled("#save")
    assert page.is_disabled("#undo")
    assert "preview of a link" in set_value(page, "seed", 13)
    assert "preview of a link" in page.evaluate("levelExporter.save()")
    page.get_by_role("button", name="Back to my draft").click()
    until(page, "([mine]) => levelExporter.text() === mine", [mine])
    assert not page.is_visible("#linked")
    # The previewed changes can be applied.
    page.goto(link(studio, ("seed", "12")))
    page.click("#look-link")
    until(page, f"{REPORTED}.startsWith('You look at')")
    apply(page)
    until(page, "levelExporter.text().includes('seed: 12')")
    page.click("#undo-link")
    until(page, "([mine]) => levelExporter.text() === mine", [mine])
    assert (project / LEVEL).read_text() == CAVE


# Milliseconds after which a change would be saved by itself, and some more.
UNSAVED = 900


def test_a_link_never_saves_even_with_autosave(page: Any, studio: Studio, project: Path) -> None:
    """The attack: a page elsewhere opens a link in a browser that saves by itself."""
    page.click("#autosave")
    faults: list[str] = []
    # Once while the studio is open, and once when its tab is closed.
    for _ in range(2):
        other = page.context.new_page()
        other.on("pageerror", lambda error: faults.append(str(error)))
        other.set_content(f"<a href='{link(studio, ('seed', '666'), ('objects', '[]'))}'>x</a>")
        other.click("a")
        until_loaded(other, f'{REPORTED}.startsWith("Someone\'s link changes 2 values")')
        assert other.get_attribute("#autosave", "aria-pressed") == "true"
        other.wait_for_timeout(UNSAVED)
        assert (project / LEVEL).read_text() == CAVE
        page.goto("about:blank")
    other.click("#look-link")
    until(other, "levelExporter.text().includes('seed: 666')")
    other.wait_for_timeout(UNSAVED)
    apply(other)
    until(other, "document.querySelector('#autosave').title.includes('paused')")
    other.wait_for_timeout(UNSAVED)
    other.reload()
    until_loaded(other, "window.levelExporter?.text()?.includes('seed: 666')")
    other.wait_for_timeout(UNSAVED)
    assert (project / LEVEL).read_text() == CAVE
    # A person's edit goes on with it.
    set_value(other, "visibility.radius", 5)
    wait_until(lambda: "radius: 5" in (project / LEVEL).read_text())
    assert faults == []


def test_hostile_links_do_no_harm(page: Any, studio: Studio, project: Path) -> None:
    begin = f"link={LEVEL}"
    refused = [
        (f"{begin}&seed=%E0%A4%A", "damaged"),
        (f"{begin}&seed=%FF%FE", "damaged"),
        (f"{begin}&see", "damaged"),
        (f"{begin}&&seed=9", "damaged"),
        (f'{begin}&level="{"x" * 70_000}"', "longer than"),
        ("link=__proto__", "not here"),
        ("link=", "not here"),
        ("link=../../etc/passwd", "not here"),
        ("link=<img src=x onerror=alert(1)>", "not here"),
        (f"{begin}&__proto__=%7B%22x%22:1%7D&constructor.prototype.x=1", "Not changed"),
        (f"{begin}&layers.__proto__=%7B%22x%22:1%7D", "Not changed"),
        (f"{begin}&seed=NaN&size=true&layers=%5B%5D&view=NaN,Infinity,0", "Not changed"),
        (f"{begin}&view=1e9,-1e9,1e300&view=2&toString=1", "Not changed"),
        (f"{begin}&seed=-&layers.ground.generator=%00", "Not changed"),
    ]
    for fragment, words in refused:
        page.evaluate("() => document.querySelector('#linked').replaceChildren()")
        page.evaluate("(fragment) => { location.hash = fragment; }", fragment)
        until(page, f"(words) => {REPORTED}.includes(words)", words)
        assert page.evaluate("location.href") == f"{studio.origin}/"
        assert text_of(page) == CAVE
    assert page.evaluate("({}).x") is None
    assert page.locator("#linked img").count() == 0
    many = "&".join(f"layers.ground.x{n}=1" for n in range(2000))
    page.evaluate("(fragment) => { location.hash = fragment; }", f"{begin}&{many}")
    until(page, "document.querySelector('#state').textContent.includes('allowed: 100')")
    # The page is unchanged.
    set_value(page, "seed", 8)
    assert text_of(page) == CAVE.replace("seed: 7", "seed: 8")
    assert (project / LEVEL).read_text() == CAVE


def test_extreme_cameras_stay_near_the_level(page: Any, studio: Studio) -> None:
    page.goto(link(studio, view="999999,-999999,999999"))
    until(page, f"{REPORTED}.includes('changes nothing')")
    until(page, "levelExporter.seen().pixels === 96")
    seen = camera(page)
    assert (round(seen["x"]), round(seen["y"])) == (32, 0)


def test_hand_edits_are_reported_to_be_missing(page: Any) -> None:
    page.keyboard.press("2")
    page.click("#picture", position={"x": 500, "y": 400})
    until(page, "levelExporter.edits() === 1")
    page.click("#open-share")
    page.click("#copy-link")
    until(page, "document.querySelector('#share .told').textContent.includes('Hand edits')")


def test_without_a_clipboard_the_link_can_be_copied_by_hand(page: Any, studio: Studio) -> None:
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.click("#open-share")
    page.click("#copy-link")
    until(page, "document.querySelector('#share .told').textContent.includes('from the field')")
    assert page.input_value("#share .address").startswith(f"{studio.origin}/#link=")


def test_a_browser_without_the_token_is_reported_what_to_do(browser: Any, studio: Studio) -> None:
    context = browser.new_context()
    page = context.new_page()
    address = link(studio, ("seed", "12"))
    page.goto(address)
    until(page, "document.querySelector('#state').textContent.endsWith('then the link again.')")
    assert page.evaluate("levelExporter.text()") is None
    # The printed address in the same tab, then the link again.
    page.goto(first_level(studio))
    until_loaded(page, "window.levelExporter?.text()?.includes('seed: 7')")
    assert studio.token not in page.evaluate("location.href")
    page.goto(address)
    until_loaded(page, f"{REPORTED}.includes('seed: 12')")
    context.close()


def test_the_token_of_a_later_run_takes_the_position_of_an_earlier_one(
    browser: Any, project: Path
) -> None:
    first = Studio(project)
    context = browser.new_context()
    page = context.new_page()
    try:
        page.goto(first_level(first))
        until_loaded(page, "window.levelExporter?.text()?.includes('seed: 7')")
        page.close()  # it would find the second run, and its token
    finally:
        first.end()
    second = Studio(project, port=first.port)
    try:
        late = context.new_page()
        late.goto(link(second, ("seed", "12")))
        until(late, "document.querySelector('#state').textContent.endsWith('then the link again.')")
        late.goto(first_level(second))
        until_loaded(late, "window.levelExporter?.text()?.includes('seed: 7')")
        linked = context.new_page()
        linked.goto(link(second, ("seed", "12")))
        until_loaded(linked, f"{REPORTED}.includes('seed: 12')")
        # A wrong token in an address is not kept.
        wrong = context.new_page()
        wrong.goto(f"{second.origin}/#{'A' * 43}")
        until(wrong, "document.querySelector('#state').textContent.includes('earlier run')")
        wrong.goto(link(second, ("seed", "13")))
        wrong.reload()
        until_loaded(wrong, f"{REPORTED}.includes('seed: 13')")
    finally:
        context.close()
        second.end()


def test_the_panels_fit_a_narrow_window(browser: Any, studio: Studio) -> None:
    with opened(browser, studio, viewport={"width": 360, "height": 740}) as page:
        pairs = [("seed", "12"), *[(f"{'x' * 300}.{n}", '"' + "y" * 300 + '"') for n in range(12)]]
        page.goto(link(studio, *pairs))
        until(page, f"{REPORTED}.includes('and 4 more')")
        for name in ("#linked", "#share"):
            if name == "#share":
                page.click("#open-share")
            box = page.locator(name).bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 360
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
