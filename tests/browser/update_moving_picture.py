r"""Record the README's moving picture: the studio in Chromium, and a game in Godot that follows it.

    PYTHONPATH=.:tests/browser:tests/engines:tests/harness \
        python tests/browser/update_moving_picture.py

Needs Godot, `xvfb-run` and Chromium (.ci/install-engines gets them) and Playwright. It begins in an
empty folder: `exporter init` starts a game there, which runs while `exporter serve` has the studio
open. With mouse and keyboard alone the level is picked by its picture, a slider dragged, the best
of a hundred seeds chosen, a room painted and the level exported, until the game shows it. All
frames are what the page and the game showed. How long each is seen is chosen here, so that the
picture does not depend on the speed of the machine; the pointer, which screenshots leave out, and
the titles are drawn on top.
"""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from chromium import running_chromium
from engine_harness import Godot
from engine_harness.driven import Driven, add_driver, driven
from studio_pages import select, until

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "exporter" / "docs" / "images" / "studio-and-game.webp"
LEVEL = "first_cavern"
SLIDER = "#parameter-layers-ground-wall_percent-slider"
# The values between which the slider is dragged.
FIRST, LAST = 42, 47
# Opposite corners of the painted room.
ROOM = ((26, 9), (36, 15))

# Pixels; the page is a little smaller than in a window, so that both have room.
SCALE = 0.84
PAGE = {"width": 860, "height": 484}
CELL = 7
GAME = (370, 407)
GAP = 8
TITLE = 30
GROUND, TEXT, FAINT, ACCENT = "#1a1b20", "#e6e4df", "#9a9da6", "#e8a13a"
TITLES = (
    "1  exporter init in an empty folder, exporter serve: pick the level",
    "2  Drag a slider",
    "3  Choose the best of a hundred",
    "4  Paint over it",
    "5  Export: the running game follows",
)
GAME_TITLE = "The running game"
# An arrow as desktops have it, its tip at (0, 0).
POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))

# Milliseconds: at rest, before a click, and a value of the slider or a cell that is passed.
REST, CLICK, STEP = 1800, 700, 110
BYTES_AT_MOST = 2_000_000

# The hero's cell: in the strip of floor that all values have.
HERO = (31, 19)
WINDOW = """
return driver.has_node("/root/Main/Level/ground")
"""
# The camera shows more of the map.
PLACE_HERO = """
var hero: Node2D = driver.get_node("/root/Main/Hero")
var camera: Camera2D = hero.get_node("Camera")
camera.zoom = Vector2.ONE
hero.position = Vector2({x}.5, {y}.5) * 16
return 0
"""
CELLS = 'return hash(driver.get_node("/root/Main/Level/ground").tile_map_data)'
SHOT = """
await driver.get_tree().create_timer(0.6).timeout
await RenderingServer.frame_post_draw
driver.get_viewport().get_texture().get_image().save_png("{file}")
return 0
"""


@dataclass(frozen=True, slots=True)
class Frame:
    """One scene of the moving picture.

    Attributes:
        page: The studio.
        game: The game beside it.
        pointer: Where the mouse is in the studio.
        title: Which title it has.
        milliseconds: How long.
    """

    page: Image.Image
    game: Image.Image
    pointer: tuple[float, float]
    title: int
    milliseconds: int


def new_game(folder: Path) -> Path:
    """Start a game in an empty folder, which follows scripts."""
    project = folder / "my-game"
    project.mkdir()
    subprocess.run([sys.executable, "-m", "exporter", "init"], check=True, cwd=project)
    add_driver(project)
    settings = project / "project.godot"
    text = settings.read_text(encoding="utf-8")
    driver = '[autoload]\n\nDriver="*res://addons/driver/driver.gd"'
    settings.write_text(text.replace("[autoload]\n", driver, 1), encoding="utf-8")
    return project


@contextmanager
def served(project: Path) -> Iterator[str]:
    """Serve the studio of a project; yield the address."""
    command = [sys.executable, "-m", "exporter", "serve", "--no-open", "--json"]
    process = subprocess.Popen([*command, str(project)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


class Recorder:
    """Acts with mouse and keyboard, and keeps the frames."""

    def __init__(self, page: Any, game: Driven, folder: Path) -> None:
        self.page = page
        self.game = game
        self.file = folder / "game.png"
        self.frames: list[Frame] = []
        self.pointer = (0.0, 0.0)
        self.title = 0
        self.displayed_game = self.look_at_game()

    def look_at_game(self) -> Image.Image:
        """Return a picture of the game now."""
        self.game.run(SHOT.format(file=self.file))
        with Image.open(self.file) as picture:
            return picture.convert("RGB")

    def keep(self, milliseconds: int) -> None:
        """Keep the current picture as a frame."""
        # Everything the page still does for its last change is done in two frames of the browser.
        self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        page = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        self.frames.append(Frame(page, self.displayed_game, self.pointer, self.title, milliseconds))

    def move(self, x: float, y: float) -> None:
        """Move the mouse."""
        self.page.mouse.move(x, y)
        self.pointer = (x * SCALE, y * SCALE)

    def click(self, selector: str) -> None:
        """Click on something, and keep a frame from before."""
        item = self.page.locator(selector).first
        item.scroll_into_view_if_needed()
        box = item.bounding_box()
        self.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.keep(CLICK)
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def pick(self) -> None:
        """Open the level by its card on the start page."""
        pictures = "document.querySelectorAll('.start img.card-picture').length > 30"
        # The only level is open; its picture, and those of the presets, are on the start page.
        self.page.click("#open-start")
        until(self.page, pictures)
        self.keep(REST)
        self.click(f".card:has-text('{LEVEL}')")
        until(self.page, f"levelExporter.level()?.name === '{LEVEL}'")
        self.page.wait_for_selector("#right .row", state="attached")
        prepare(self.page)

    def drag(self) -> None:
        """Drag the slider, and keep a frame of each value."""
        self.title = 1
        self.move(*self.page.evaluate(THUMB, [SLIDER, FIRST]))
        self.keep(CLICK)
        self.page.mouse.down()
        for value in range(FIRST + 1, LAST + 1):
            self.move(*self.page.evaluate(THUMB, [SLIDER, value]))
            until(self.page, WRITTEN, value)
            self.keep(STEP)
        self.page.mouse.up()
        self.keep(REST)

    def choose(self) -> None:
        """Take the level in which the longest way is the longest of a hundred."""
        self.title = 2
        self.click("#open-seeds")
        self.page.get_by_text("100 levels").wait_for(timeout=300_000)
        self.keep(REST)
        self.page.select_option("#seeds-sort", "farthest")
        self.page.locator(".seed").first.click()
        self.keep(REST)
        self.click(".seed-actions .main")
        until(self.page, "document.getElementById('seeds').hidden")
        until(self.page, WRITTEN, LAST)
        self.keep(REST)

    def paint(self) -> None:
        """Paint a room of floor."""
        self.title = 3
        self.click("#tool-rectangle")
        self.click(".palette button:has(canvas)")
        (left, top), (right, bottom) = ROOM
        for step in range(right - left + 1):
            row = top + (bottom - top) * step // (right - left)
            self.move(*self.page.evaluate(CELL_AT, [left + step, row]))
            if not step:
                self.page.mouse.down()
            self.keep(STEP)
        self.page.mouse.up()
        until(self.page, "!document.getElementById('save').disabled")
        until(self.page, f"levelExporter.cell('ground', {left}, {top}) === 0")
        self.keep(REST)

    def export(self) -> None:
        """Export, and wait for the game to show the level."""
        self.title = 4
        before = self.game.run(CELLS)
        self.click("#export")
        until(self.page, "document.querySelectorAll('#export-panel td').length > 0")
        while self.game.run(CELLS) == before:
            pass
        self.displayed_game = self.look_at_game()
        self.keep(2 * REST)


# A thumb's middle is half its width inside of the slider's ends.
THUMB = """
([slider, value]) => {
  const input = document.querySelector(slider);
  const box = input.getBoundingClientRect();
  const thumb = 16;
  const share = (value - Number(input.min)) / (Number(input.max) - Number(input.min));
  return [box.left + thumb / 2 + share * (box.width - thumb), box.top + box.height / 2];
}
"""
# The level that is shown is that of the draft.
WRITTEN = """
(value) => levelExporter.text().includes(`wall_percent: ${value}`)
  && document.getElementById("built").textContent.startsWith("Built")
"""
CELL_AT = """
([x, y]) => {
  const box = document.getElementById("picture").getBoundingClientRect();
  const seen = levelExporter.seen();
  const side = seen.pixels;
  const [middle, centre] = [box.left + box.width / 2, box.top + box.height / 2];
  return [middle + (x + 0.5 - seen.x) * side, centre + (y + 0.5 - seen.y) * side];
}
"""


def prepare(page: Any) -> None:
    """Show all of the level, with its layer's parameters beside it."""
    select(page, "layers.ground")
    if not page.locator("#left.folded").count():
        page.click("#toggle-left")
    page.locator("#right-edge").focus()
    page.keyboard.press("Home")
    columns, rows = 64, 40
    width, height = page.evaluate(
        "() => { const one = document.getElementById('picture'); return [one.width, one.height]; }"
    )
    left, top = (columns - width / CELL) / 2, (rows - height / CELL) / 2
    page.evaluate("([x, y, zoom]) => levelExporter.view(x, y, zoom)", [left, top, CELL])
    page.evaluate("document.activeElement.blur()")


def record(godot: Godot, folder: Path) -> list[Frame]:
    """Return all frames."""
    project = new_game(folder)
    godot.import_project(project, first_start=True)
    size = f"{GAME[0]}x{GAME[1]}"
    with (
        served(project) as url,
        driven(godot, project, "--resolution", size, window=True) as game,
        running_chromium() as browser,
    ):
        game.until(WINDOW, True)
        game.run(PLACE_HERO.format(x=HERO[0], y=HERO[1]))
        page = browser.new_page(viewport=PAGE, device_scale_factor=SCALE, color_scheme="dark")
        page.goto(url)
        recorder = Recorder(page, game, folder)
        recorder.pick()
        recorder.drag()
        recorder.choose()
        recorder.paint()
        recorder.export()
        page.close()
        return recorder.frames


def composed(frame: Frame) -> Image.Image:
    """Return a frame as it is seen: page and game below their titles, and the pointer."""
    page, game = frame.page.copy(), frame.game
    x, y = frame.pointer
    ImageDraw.Draw(page).polygon([(x + dx, y + dy) for dx, dy in POINTER], "white", "black")
    size = (page.width + GAP + game.width, TITLE + max(page.height, game.height))
    picture = Image.new("RGB", size, GROUND)
    picture.paste(page, (0, TITLE))
    picture.paste(game, (page.width + GAP, TITLE))
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(size=15)
    draw.text((10, TITLE / 2), TITLES[frame.title], ACCENT, font, anchor="lm")
    follows = frame.title == len(TITLES) - 1
    left = page.width + GAP + 10
    draw.text((left, TITLE / 2), GAME_TITLE, ACCENT if follows else FAINT, font, anchor="lm")
    return picture


def main() -> None:
    r"""Record and save the picture."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "home").mkdir()
        godot = Godot.find(folder / "home")
        if godot is None:
            raise SystemExit("godot is needed (.ci/install-engines)")
        frames = record(godot, folder)
    pictures = [composed(frame) for frame in frames]
    durations = [frame.milliseconds for frame in frames]
    pictures[0].save(
        PICTURE,
        save_all=True,
        append_images=pictures[1:],
        duration=durations,
        loop=0,
        quality=85,
        method=6,
        allow_mixed=True,
    )
    size = PICTURE.stat().st_size
    print(f"{pictures[0].size}, {len(frames)} frames, {sum(durations) / 1000} s, {size} bytes")
    if size > BYTES_AT_MOST:
        raise SystemExit("the picture is too large")


if __name__ == "__main__":
    main()
