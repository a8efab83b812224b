"""The programs on the page for Python games run: they show the level, walls stop the player."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import exporter
from exporter.cli.main import main
from page_snippets import ROOT

PAGE = (ROOT / "exporter" / "docs" / "how-to" / "python-games.md").read_text(encoding="utf-8")
# Each holds a key for a while, saves a picture, prints where the player is in cells, and ends.
DRIVERS = {
    "pygame-ce": """
import collections, pygame
frames, flip = 0, pygame.display.flip
pygame.key.get_pressed = lambda: collections.defaultdict(bool, {pygame.KEY: True})
pygame.time.Clock = lambda: type("Clock", (), {"tick": lambda self, rate: 50})()
def count():
    global frames
    frames += 1
    flip()
    if frames == 200:
        pygame.image.save(pygame.display.get_surface(), "shown.png")
        pygame.event.post(pygame.event.Event(pygame.QUIT))
pygame.display.flip = count
exec(compile(PROGRAM, "page", "exec"), globals())
print(int(player.x), int(player.y))
""",
    "arcade": """
import arcade
arcade.run = lambda: None
exec(compile(PROGRAM, "page", "exec"), globals())
window = arcade.get_window()
window.on_key_press(arcade.key.KEY, 0)
for _ in range(800):
    window.on_update(1 / 60)
window.on_draw()
arcade.get_image().save("shown.png")
print(int(window.player.center_x // 16), int((window.height - window.player.center_y) // 16))
""",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of the page, exported."""
    for name, text in re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE, re.S):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["export", "-q"]) == 0
    return tmp_path


@pytest.mark.parametrize("key", ["RIGHT", "UP"])
@pytest.mark.parametrize("library", DRIVERS)
def test_a_program_shows_the_level_and_walls_stop_the_player(
    project: Path, library: str, key: str
) -> None:
    (text,) = re.findall(rf"## {library}\n.*?```python\n(.*?)```", PAGE, re.S)
    prefix = "K_" if library == "pygame-ce" else ""
    driver = DRIVERS[library].replace(".KEY", f".{prefix}{key}")
    Path("run.py").write_text(f"PROGRAM = {text!r}\n{driver}", encoding="utf-8")
    command = [sys.executable, "run.py"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SDL_VIDEODRIVER": "dummy"}
    if library == "arcade":
        command = ["xvfb-run", "-a", *command]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    level = exporter.read_blob((project / "game" / "crypt.lvb").read_bytes())
    start = next(thing for thing in level.objects if thing.name == "player")
    x, y = map(int, done.stdout.split()[-2:])
    across, down = (1, 0) if key == "RIGHT" else (0, -1)
    # As far as the wall, and no farther.
    free = [start.x, start.y]
    while level.walkable()[free[1] + down, free[0] + across]:
        free = [free[0] + across, free[1] + down]
    assert [x, y] == free
    seen = level.visibility.visible_from(x, y) & level.walkable()
    pixels = np.array(Image.open("shown.png").convert("L"), float)
    cells = pixels.reshape(level.height, 16, level.width, 16).mean(axis=(1, 3))
    assert cells[seen].mean() > 1.5 * cells[~seen & level.walkable()].mean()
