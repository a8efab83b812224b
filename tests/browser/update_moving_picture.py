r"""Record the README's moving picture: the studio in Chromium, and a game in Godot that follows it.

    PYTHONPATH=.:tests/browser:tests/engines:tests/harness \
        python tests/browser/update_moving_picture.py

Needs Godot, `xvfb-run` and Chromium (.ci/install-engines gets them) and Playwright. `exporter
watch --serve` runs on a copy of the sample project, and so does its game. A slider is dragged in
the page and the spec saved, until the game shows the new level; and so on, back to the first
value. All frames are what the page and the game showed. How long each is seen is chosen here, so
that the picture does not depend on the speed of the machine; the pointer, which screenshots leave
out, and the titles are drawn on top.
"""

from __future__ import annotations

import io
import json
import shutil
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
LEVEL = "cavern"
SLIDER = "#parameter-layers-ground-wall_percent-slider"
# The values that the slider is dragged to, from one that it has at first.
FIRST = 42
STOPS = (48, 37, FIRST)

# Pixels; the page is a little smaller than in a window, so that both have room.
SCALE = 0.84
PAGE = {"width": 860, "height": 484}
CELL = 7
GAME = (370, 407)
GAP = 8
TITLE = 30
GROUND, TEXT, FAINT, ACCENT = "#1a1b20", "#e6e4df", "#9a9da6", "#e8a13a"
TITLES = ("1  Drag a parameter in the studio", "2  Save: the running game follows")
# An arrow as desktops have it, its tip at (0, 0).
POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))

# Milliseconds: at rest, a value of the slider that is passed, and from saving to the new level.
REST, STEP, FOLLOWING = 1800, 110, 500
BYTES_AT_MOST = 2_000_000

# The hero's cell: in the strip of floor that all values have.
HERO = (31, 19)
WINDOW = """
var window := driver.get_window()
window.content_scale_mode = Window.CONTENT_SCALE_MODE_DISABLED
return driver.has_node("/root/Main/Game")
"""
# The map is known from the start, and the camera shows more of it.
PLACE_HERO = """
var game := driver.get_node("/root/Main/Game")
var camera: Camera2D = game.hero.get_node("Camera")
camera.zoom = Vector2.ONE
camera.position_smoothing_enabled = false
game.fog.known.fill(1)
game.hero.place((Vector2({x}, {y}) + Vector2(0.5, 0.5)) * 16)
return 0
"""
CELLS = """
var ground: TileMapLayer = driver.get_node("/root/Main/Game").level.get_node("ground")
return hash(ground.tile_map_data)
"""
# The fog takes a moment to change.
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
        saved: Whether the spec is saved, or the slider being dragged.
        milliseconds: How long.
    """

    page: Image.Image
    game: Image.Image
    pointer: tuple[float, float]
    saved: bool
    milliseconds: int


def sample(folder: Path) -> Path:
    """Return a copy of the sample project with one level, whose game follows scripts."""
    project = folder / "sample"
    shutil.copytree(ROOT / "sample_project", project, ignore=shutil.ignore_patterns(".*"))
    for spec in project.glob("levels/**/*"):
        if spec.is_file() and spec.name != f"{LEVEL}.level.yaml":
            spec.unlink()
    add_driver(project / "godot")
    settings = project / "godot" / "project.godot"
    text = settings.read_text(encoding="utf-8")
    driver = '[autoload]\n\nDriver="*res://addons/driver/driver.gd"'
    settings.write_text(text.replace("[autoload]\n", driver, 1), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "exporter", "export", str(project)], check=True)
    return project


@contextmanager
def watched(project: Path) -> Iterator[str]:
    """Watch a project and serve its studio; yield the address."""
    command = [sys.executable, "-m", "exporter", "watch", "--serve", "--no-open", "--json"]
    process = subprocess.Popen([*command, str(project)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


class Recorder:
    """Drags, saves, waits for the game, and keeps the frames."""

    def __init__(self, page: Any, game: Driven, folder: Path) -> None:
        self.page = page
        self.game = game
        self.file = folder / "game.png"
        self.frames: list[Frame] = []
        self.pointer = (0.0, 0.0)
        self.displayed_game = self.look_at_game()

    def look_at_game(self) -> Image.Image:
        """Return a picture of the game now."""
        self.game.run(SHOT.format(file=self.file))
        with Image.open(self.file) as picture:
            return picture.convert("RGB")

    def keep(self, milliseconds: int, *, saved: bool) -> None:
        """Keep the current picture as a frame."""
        # Everything the page still does for its last change is done in two frames of the browser.
        self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        page = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        self.frames.append(Frame(page, self.displayed_game, self.pointer, saved, milliseconds))

    def drag(self, start: int, stop: int) -> None:
        """Drag the slider from one value to another, and keep a frame of each."""
        self.move(start)
        self.page.mouse.down()
        step = 1 if stop > start else -1
        for value in range(start + step, stop + step, step):
            self.move(value)
            until(self.page, WRITTEN, value)
            self.keep(STEP, saved=False)
        self.page.mouse.up()

    def move(self, value: int) -> None:
        """Move the mouse to a value of the slider."""
        x, y = self.page.evaluate(THUMB, [SLIDER, value])
        self.page.mouse.move(x, y)
        self.pointer = (x * SCALE, y * SCALE)

    def save(self) -> None:
        """Save, and wait for the game to show the level."""
        before = self.game.run(CELLS)
        self.page.evaluate("levelExporter.save()")
        until(self.page, "document.getElementById('save').disabled")
        self.keep(FOLLOWING, saved=True)
        while self.game.run(CELLS) == before:
            pass
        self.displayed_game = self.look_at_game()
        self.keep(REST, saved=True)


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
  && document.getElementById("state").textContent.startsWith("Built")
"""


def prepare(page: Any, url: str) -> None:
    """Open the level, with its layer's parameters beside it."""
    page.goto(url)
    page.evaluate("levelExporter.ready")
    page.wait_for_selector("#right .row", state="attached")
    select(page, "layers.ground")
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
    project = sample(folder)
    godot.import_project(project / "godot")
    size = f"{GAME[0]}x{GAME[1]}"
    with (
        watched(project) as url,
        driven(godot, project / "godot", "--resolution", size, window=True) as game,
        running_chromium() as browser,
    ):
        game.until(WINDOW, True)
        game.run(PLACE_HERO.format(x=HERO[0], y=HERO[1]))
        page = browser.new_page(viewport=PAGE, device_scale_factor=SCALE, color_scheme="dark")
        prepare(page, url)
        recorder = Recorder(page, game, folder)
        recorder.move(FIRST)
        recorder.keep(REST, saved=False)
        value = FIRST
        for stop in STOPS:
            recorder.drag(value, stop)
            recorder.save()
            value = stop
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
    for left, title, reported in zip(
        (10, page.width + GAP + 10), TITLES, (not frame.saved, frame.saved), strict=True
    ):
        draw.text((left, TITLE / 2), title, ACCENT if reported else FAINT, font, anchor="lm")
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
        quality=90,
        method=6,
        allow_mixed=True,
    )
    size = PICTURE.stat().st_size
    print(f"{pictures[0].size}, {len(frames)} frames, {sum(durations) / 1000} s, {size} bytes")
    if size > BYTES_AT_MOST:
        raise SystemExit("the picture is too large")


if __name__ == "__main__":
    main()
