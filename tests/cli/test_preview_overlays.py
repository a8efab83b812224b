"""`exporter preview`: overlays, seeds, several specs, the terminal, and limits."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from exporter.build.build import Build
from exporter.build.observed import compute_overlay
from exporter.cli.main import main
from exporter.formats.preview import preview_pixels
from exporter.measures.drawing import draw_overlay
from exporter.reading.reader import load_level

SPEC = """\
size: [20, 14]
seed: 3
layers:
  ground: {generator: cellular_caves, wall_percent: 42, connect: guaranteed}
objects:
  - {name: start}
  - {name: chest, count: 2, spacing: 3}
visibility: {radius: 5}
"""
Capture = pytest.CaptureFixture[str]


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("cave.level.yaml").write_text(SPEC)
    return "cave.level.yaml"


def pixels(name: str) -> np.ndarray:
    return np.asarray(Image.open(name).convert("RGB"))


@pytest.mark.parametrize("name", ["regions", "reach:chest", "refused:chest", "watch_posts"])
def test_an_overlay_lies_over_the_picture_and_its_legend_is_printed(
    spec: str, name: str, capsys: Capture
) -> None:
    assert main(["preview", spec, "--overlay", name, "--scale", "8", "-o", "over.png"]) == 0
    build = Build(load_level(spec))
    level, _ = build.level()
    picture, scale = preview_pixels(level, scale=8)
    overlay = compute_overlay(name, build)
    draw_overlay(picture, scale, overlay, (0, 0))
    assert np.array_equal(pixels("over.png"), picture)
    first, *legend = capsys.readouterr().out.splitlines()
    assert first == "over.png"
    for item in overlay.classes:
        cells = "1 cell" if item.count == 1 else f"{item.count} cells"
        assert (f"{item.color}  {item.name}: {cells}" in legend) == (item.count > 0)


def test_an_overlay_of_a_view_shows_that_part(spec: str) -> None:
    assert main(["preview", spec, "--overlay", "regions", "--scale", "8", "-o", "all.png"]) == 0
    at = ["--at", "10,7", "--view", "6x4"]
    assert main(["preview", spec, "--scale", "8", "-o", "plain.png", *at]) == 0
    assert (
        main(["preview", spec, "--overlay", "regions", "--scale", "8", "-o", "part.png", *at]) == 0
    )
    plain, part = pixels("plain.png"), pixels("part.png")
    assert part.shape == (32, 48, 3)
    changed = (plain != part).any(axis=2)[4::8, 4::8]
    level, _ = Build(load_level(spec)).level()
    assert np.array_equal(changed, level.walkable()[5:9, 7:13])


def test_what_cannot_be_placed_is_displayed_beside_the_error(spec: str, capsys: Capture) -> None:
    Path(spec).write_text(SPEC.replace("count: 2", "count: 80"))
    assert main(["preview", spec]) == 1
    assert not Path("cave.png").exists()
    capsys.readouterr()
    assert main(["preview", spec, "--overlay", "refused:chest"]) == 1
    output = capsys.readouterr()
    assert "error: chest: only 19 of 80" in output.err
    assert "nearer than spacing 3" in output.out
    assert Path("cave.png").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--overlay", "choke"], "--overlay: unknown overlay 'choke' (did you mean 'chokes'?)"),
        (["--overlay", "reach"], "needs the name of objects (write reach:NAME)"),
        (["--overlay", "reach:chst"], "unknown object 'chst' (did you mean 'chest'?)"),
        (["--overlay", "refused:chst"], "unknown object 'chst' (did you mean 'chest'?)"),
        (["--overlay", "rooms"], "--overlay rooms: no layer was built of rooms"),
        (["--overlay", "chokes", "--text"], "--overlay has no effect with --text"),
        (["--terminal", "--text"], "not allowed with argument"),
        (["--terminal", "-o", "x.png"], "-o writes a picture, and --terminal draws on the screen"),
        (["--terminal", "--scale", "4"], "--scale has no effect with"),
        (["--scale", "65"], "65 pixels per cell is out of range for 20 x 14 cells (1 to 64)"),
        (["none.level.yaml"], "there is no file 'none.level.yaml'"),
        (["cave.level.yaml@4"], "would both be drawn as cave.png"),
        (["--watch", "--scale", "4", "--text"], "--scale has no effect with"),
    ],
)
def test_wrong_options_are_reported_in_a_line(
    spec: str, options: list[str], message: str, capsys: Capture
) -> None:
    try:
        code = main(["preview", spec, *options])
    except SystemExit as end:
        code = int(end.code or 0)
    assert code == 2
    assert message in capsys.readouterr().err


def test_another_seed_is_drawn(spec: str) -> None:
    assert main(["preview", f"{spec}@9", "-o", "nine.png"]) == 0
    Path(spec).write_text(SPEC.replace("seed: 3", "seed: 9"))
    assert main(["preview", spec, "-o", "same.png"]) == 0
    assert Path("nine.png").read_bytes() == Path("same.png").read_bytes()


def test_several_specs_are_drawn_into_a_folder(spec: str, capsys: Capture) -> None:
    Path("hall.level.yaml").write_text(SPEC.replace("seed: 3", "seed: 4"))
    Path("out").mkdir()
    assert main(["preview", spec, "hall.level.yaml", "-o", "out"]) == 0
    assert capsys.readouterr().out.split() == [str(Path("out/cave.png")), str(Path("out/hall.png"))]
    assert main(["preview", spec, "hall.level.yaml"]) == 0
    assert Path("cave.png").read_bytes() == Path("out/cave.png").read_bytes()
    assert Path("hall.png").read_bytes() == Path("out/hall.png").read_bytes()


def test_a_folder_for_several_specs_has_no_name_of_a_picture(spec: str, capsys: Capture) -> None:
    assert main(["preview", spec, spec, "-o", "both.png"]) == 2
    assert "is one file for several specs (write -o FOLDER)" in capsys.readouterr().err
    assert not Path("both.png").exists()


def test_the_folder_for_several_specs_is_created(spec: str, capsys: Capture) -> None:
    Path("hall.level.yaml").write_text(SPEC)
    assert main(["preview", spec, "hall.level.yaml", "-o", "new/folder"]) == 0
    assert sorted(path.name for path in Path("new/folder").iterdir()) == ["cave.png", "hall.png"]
    Path("file").write_text("kept")
    capsys.readouterr()
    assert main(["preview", spec, "hall.level.yaml", "-o", "file/below"]) == 2
    assert "file is not a folder" in capsys.readouterr().err
    assert Path("file").read_text() == "kept"


def test_a_pipe_gets_characters_and_a_terminal_half_blocks(
    spec: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["preview", spec, "--text"]) == 0
    letters = capsys.readouterr().out
    assert main(["preview", spec, "--terminal"]) == 0
    assert capsys.readouterr().out == letters
    assert not Path("cave.png").exists()
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    assert main(["preview", spec, "--terminal"]) == 0
    lines = terminal.getvalue().splitlines()
    assert len(lines) == 7
    assert all(line.count("▀") == 20 for line in lines)
    level, _ = Build(load_level(spec)).level()
    first = preview_pixels(level, scale=1)[0][:2, 0].reshape(-1).tolist()
    assert lines[0].startswith("\x1b[38;2;{};{};{};48;2;{};{};{}m▀".format(*first))
    # A terminal that is narrower than the level shows it smaller.
    monkeypatch.setenv("COLUMNS", "11")
    terminal.seek(0)
    terminal.truncate()
    assert main(["preview", spec, "--terminal"]) == 0
    assert [line.count("▀") for line in terminal.getvalue().splitlines()] == [10] * 4


def test_an_overlay_in_a_pipe_has_letters_and_digits(spec: str, capsys: Capture) -> None:
    assert main(["preview", spec, "--terminal", "--overlay", "refused:chest"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {len(line) for line in lines[:14]} == {20}
    legend = dict(line.split("  ") for line in lines[14:])
    assert legend["A"] == "placed: 2 cells"
    assert "".join(lines[:14]).count("A") == 2
    assert set("".join(lines[:14])) == set(legend)
    view = ["--at", "10,7", "--view", "6x4"]
    assert main(["preview", spec, "--terminal", "--overlay", "refused:chest", *view]) == 0
    part = capsys.readouterr().out.splitlines()[:4]
    assert part == [line[7:13] for line in lines[5:9]]


def test_edits_are_frames_in_pictures_and_letters_in_a_pipe(spec: str, capsys: Capture) -> None:
    level, _ = Build(load_level(spec)).level()
    y, x = np.argwhere(level.walkable())[0].tolist()
    edit = f"{{at: [{x}, {y}], was: floor, now: wall}}"
    Path("cave.edits.yaml").write_text(f"layers:\n  ground:\n    - {edit}\n")
    assert main(["preview", spec, "--overlay", "edits", "-o", "framed.png"]) == 0
    assert main(["preview", spec, "--overlay", "edits:ground", "-o", "same.png"]) == 0
    assert main(["preview", spec, "-o", "plain.png"]) == 0
    assert Path("framed.png").read_bytes() == Path("same.png").read_bytes()
    changed = np.argwhere((pixels("framed.png") != pixels("plain.png")).any(axis=2)) // 16
    assert {tuple(item) for item in changed.tolist()} == {(y, x)}
    capsys.readouterr()
    assert main(["preview", spec, "--overlay", "edits", "--terminal"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[y][x] == "A"
    assert "".join(lines[:14]).count("A") == 1
    assert lines[14:] == ["A  edited by hand: 1 cell"]
