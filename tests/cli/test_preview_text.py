"""`exporter preview --text` and `--layer`: drawings and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from exporter.cli.main import main

SPEC = """\
size: [12, 8]
layers:
  ground: {generator: blank, border: 1}
  upper: {generator: blank, tile: wall}
  relief: {generator: heightmap, size: [33, 33]}
  fine: {generator: blank, size: [24, 16]}
visibility: {layer: ground, radius: 3}
objects: [{name: key, layer: ground}]
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hall.level.yaml").write_text(SPEC)
    return "hall.level.yaml"


def test_the_layer_that_blocks_sight_is_printed(spec: str, capsys: Capture) -> None:
    assert main(["preview", spec, "--text"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [len(line) for line in lines[:8]] == [12] * 8
    assert lines[0] == "#" * 12
    assert "".join(lines[:8]).count("A") == 1
    assert lines[8:] == ["", ". floor  # wall", "A key"]
    assert not Path("hall.png").exists()


def test_a_layer_can_be_named(spec: str, capsys: Capture) -> None:
    assert main(["preview", spec, "--text", "--layer", "upper"]) == 0
    assert capsys.readouterr().out.count("#") == 12 * 8


def test_without_visibility_the_last_tile_layer_is_printed(spec: str, capsys: Capture) -> None:
    text = SPEC.replace("visibility: {layer: ground, radius: 3}\n", "")
    Path(spec).write_text(text)
    assert main(["preview", spec, "--text"]) == 0
    assert capsys.readouterr().out.startswith("#" * 12 + "\n" + "##")


def test_the_game_view_is_printed_around_the_viewer(spec: str, capsys: Capture) -> None:
    assert main(["preview", spec, "--text", "--at", "2,2", "--view", "5x3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [len(line) for line in lines[:3]] == [5, 5, 5]
    assert lines[1][2] == "@"
    assert lines[-1].startswith("@ the viewer at 2,2")


def test_the_drawing_can_go_into_a_file(spec: str, capsys: Capture) -> None:
    assert main(["preview", spec, "--text"]) == 0
    text = capsys.readouterr().out
    assert main(["preview", spec, "--text", "-o", "hall.txt"]) == 0
    assert Path("hall.txt").read_text() == text
    assert capsys.readouterr().out == "hall.txt\n"


def test_a_picture_can_show_one_layer(spec: str) -> None:
    for layer in ("ground", "upper", "relief"):
        assert main(["preview", spec, "--layer", layer, "-o", f"{layer}.png"]) == 0
    assert main(["preview", spec, "-o", "all.png"]) == 0
    contents = {path.name: path.read_bytes() for path in Path().glob("*.png")}
    assert len(set(contents.values())) >= 3
    assert contents["ground.png"] != contents["upper.png"]
    assert contents["ground.png"] != contents["relief.png"]


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["--text", "--scale", "4"], "--scale has no effect with"),
        (["--text", "--layer", "grund"], "did you mean 'ground'?"),
        (["--layer", "grund"], "did you mean 'ground'?"),
        (
            ["--text", "--layer", "relief"],
            "--text cannot draw 'relief': it is not a tile layer of the level's size "
            "(there are: ground, upper)",
        ),
        (["--text", "--layer", "fine"], "--text cannot draw 'fine'"),
        (["--layer", "fine"], "differs in size from the level"),
        (["--text", "--view", "5x5"], "--view has no centre"),
    ],
)
def test_what_cannot_be_drawn_is_a_wrong_usage(
    spec: str, capsys: Capture, arguments: list[str], reported: str
) -> None:
    assert main(["preview", spec, *arguments]) == 2
    assert reported in capsys.readouterr().err


def test_a_level_without_tiles_has_no_text(spec: str, capsys: Capture) -> None:
    Path(spec).write_text("size: [5, 5]\nlayers: {relief: {generator: heightmap}}\n")
    assert main(["preview", spec, "--text"]) == 2
    assert "hall has none" in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--text"]])
def test_a_picture_is_never_written_over_its_spec(
    spec: str, more: list[str], capsys: Capture
) -> None:
    Path("link.png").symlink_to(spec)
    for output in (spec, "./" + spec, "link.png"):
        assert main(["preview", spec, "-o", output, *more]) == 2
        assert "is the spec itself" in capsys.readouterr().err
    assert Path(spec).read_text() == SPEC


LAYERED = """\
size: [6, 4]
layers:
  ground: {generator: blank, border: 1}
  decor: {generator: blank, tile: wall, role: picture}
  notes: {generator: blank, tile: wall, role: data}
  draft: {generator: blank, tile: wall, role: none}
"""


def test_what_is_played_on_is_printed_whatever_lies_above(spec: str, capsys: Capture) -> None:
    Path(spec).write_text(LAYERED)
    assert main(["preview", spec, "--text"]) == 0
    assert capsys.readouterr().out.startswith("######\n#....#\n")
    for name in ("decor", "notes", "draft"):
        assert main(["preview", spec, "--text", "--layer", name]) == 0
        assert capsys.readouterr().out.startswith("######\n######\n")


def test_a_picture_shows_what_is_seen_and_any_layer_that_is_named(spec: str) -> None:
    def picture(text: str, *more: str) -> bytes:
        Path(spec).write_text(text)
        assert main(["preview", spec, "--overwrite", "-o", "out.png", *more]) == 0
        return Path("out.png").read_bytes()

    decorated = picture(LAYERED)
    plain = picture(LAYERED.replace("role: picture", "role: data"))
    assert plain != decorated
    assert plain == picture(LAYERED, "--layer", "ground")
    walls = picture(LAYERED, "--layer", "draft")
    assert walls == picture(LAYERED, "--layer", "notes")
    assert walls == decorated != plain


TILED = """\
size: [6, 4]
layers:
  ground: {generator: blank, border: 1}
  draft: {generator: voronoi, role: none}
tileset: {image: tiles.png, tile_size: 8, tiles: {floor: 0, wall: 1}, autotile: {}}
"""


def test_a_layer_without_pictures_of_its_own_is_drawn(spec: str) -> None:
    Image.new("RGB", (16, 8), (200, 30, 60)).save("tiles.png")
    Path(spec).write_text(TILED)
    pictures = {}
    for name in ("ground", "draft"):
        assert main(["preview", spec, "--layer", name, "-o", f"{name}.png"]) == 0
        pictures[name] = Image.open(f"{name}.png").convert("RGB")
    assert main(["preview", spec, "-o", "whole.png"]) == 0
    pictures["whole"] = Image.open("whole.png").convert("RGB")
    assert pictures["whole"].tobytes() == pictures["ground"].tobytes()
    assert pictures["ground"].getcolors() == [(96 * 64, (200, 30, 60))]
    assert len(pictures["draft"].getcolors() or []) > 1
