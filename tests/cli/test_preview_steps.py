"""`exporter preview --steps`: how a layer is made, as an animated picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import exporter
from exporter.cli.main import main
from exporter.formats.preview import preview_pixels
from exporter.model.level import Level

SPEC = """\
size: [24, 16]
seed: 2
layers:
  caves: {generator: cellular_caves, rounds: 3}
  relief: {generator: heightmap, size: [40, 30], octaves: 2}
  seen: {generator: exposure}
visibility: {layer: caves, radius: 4}
"""
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("hall.level.yaml").write_text(SPEC)
    return "hall.level.yaml"


def frames_of(path: str) -> list[np.ndarray]:
    with Image.open(path) as picture:
        result = []
        for number in range(getattr(picture, "n_frames", 1)):
            picture.seek(number)
            result.append(np.asarray(picture.convert("RGB")))
        return result


@pytest.mark.parametrize("layer", ["caves", "relief", "seen"])
def test_every_step_of_any_layer_is_drawn_as_a_preview(
    spec: str, layer: str, capsys: Capture
) -> None:
    assert main(["preview", spec, "--layer", layer, "--steps", "--scale", "4"]) == 0
    assert capsys.readouterr().out == "hall.steps.png\n"
    steps = exporter.trace_layer(exporter.load_level(spec), layer)
    built = replace(steps.layer, tiles=steps.tiles)
    result = frames_of("hall.steps.png")
    assert len(result) == len(steps.frames)
    for picture, frame in zip(result, steps.frames, strict=True):
        level = Level(
            "x", built.width, built.height, layers={"a": replace(built, cells=frame.cells)}
        )
        pixels, _ = preview_pixels(level, scale=4)
        assert picture.shape == (pixels.shape[0] + 18, pixels.shape[1], 3)
        assert np.array_equal(picture[: len(pixels)], pixels)
        assert len(np.unique(picture[len(pixels) :].reshape(-1, 3), axis=0)) == 2


def test_labels_differ_from_step_to_step(spec: str) -> None:
    assert main(["preview", spec, "--layer", "caves", "--steps"]) == 0
    strips = {picture[-18:].tobytes() for picture in frames_of("hall.steps.png")}
    assert len(strips) == 4


def test_the_same_spec_gives_the_same_bytes_and_the_file_is_left_alone(spec: str) -> None:
    command = ["preview", spec, "--layer", "caves", "--steps", "-o", "out.apng"]
    assert main(command) == 0
    before = Path("out.apng").read_bytes()
    stamp = Path("out.apng").stat().st_mtime_ns
    assert main(command) == 0
    assert Path("out.apng").read_bytes() == before
    assert Path("out.apng").stat().st_mtime_ns == stamp


def test_a_picture_of_ours_is_replaced_and_nothing_else(spec: str, capsys: Capture) -> None:
    command = ["preview", spec, "--layer", "caves", "--steps", "-o", "out.png"]
    assert main(command) == 0
    assert main([*command, "--max-steps", "2"]) == 0
    assert len(frames_of("out.png")) == 2
    with Image.open("out.png") as picture:
        picture.save("out.png")
    edited = Path("out.png").read_bytes()
    assert main(command) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert Path("out.png").read_bytes() == edited
    assert main([*command, "--overwrite"]) == 0
    assert len(frames_of("out.png")) == 4


def test_a_picture_that_the_spec_reads_is_never_written_over(spec: str, capsys: Capture) -> None:
    Image.new("L", (4, 4), 255).save("plan.png")
    Path("plan.level.yaml").write_text(
        "size: [4, 4]\nlayers: {a: {generator: from_image, image: plan.png}}\n"
    )
    before = Path("plan.png").read_bytes()
    assert main(["preview", "plan.level.yaml", "--steps", "-o", "plan.png", "--overwrite"]) == 2
    assert "is a file that plan.level.yaml reads" in capsys.readouterr().err
    assert Path("plan.png").read_bytes() == before


def test_a_level_of_one_layer_needs_no_name(spec: str) -> None:
    Path("one.level.yaml").write_text("size: [8, 6]\nlayers: {a: {generator: blank}}\n")
    assert main(["preview", "one.level.yaml", "--steps"]) == 0
    assert len(frames_of("one.steps.png")) == 1


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([], "--steps has no layer to draw (add --layer NAME; there are: caves, relief, seen)"),
        (["--layer", "cavse"], "unknown layer 'cavse' (did you mean 'caves'?)"),
        (["--text"], "--text cannot be used with --steps (leave one out)"),
        (["--at", "1,1"], "--at cannot be used with --steps (leave one out)"),
        (
            ["--overlay", "edits"],
            "--overlay cannot be used with --steps (leave one out)",
        ),
        (["-o", "a.gif"], "--steps draws an animated PNG (write -o a.png)"),
        (
            ["--layer", "caves", "--scale", "999"],
            "--scale: 4 pictures of 23976 x 15984 pixels are too many (allowed: 268435456 pixels "
            "in all, with fewer steps or a smaller scale)",
        ),
        (
            ["--layer", "caves", "--scale", "65", "--max-steps", "1"],
            "--scale: 65 pixels per cell is out of range for 24 x 16 cells (1 to 64)",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(
    spec: str, more: list[str], message: str, capsys: Capture
) -> None:
    assert main(["preview", spec, "--steps", *more]) == 2
    assert capsys.readouterr().err == f"exporter: {message}\n"
    assert not list(Path().glob("*png"))


def test_most_steps_without_steps_are_refused(spec: str, capsys: Capture) -> None:
    assert main(["preview", spec, "--max-steps", "3"]) == 2
    assert (
        capsys.readouterr().err
        == "exporter: --max-steps has no effect without --steps (add --steps)\n"
    )


def test_a_scale_that_no_preview_can_have_is_an_error_of_the_command_line(
    spec: str, capsys: Capture
) -> None:
    assert main(["preview", spec, "--scale", "900"]) == 2
    assert capsys.readouterr().err == (
        "exporter: --scale: 900 pixels per cell is out of range for 24 x 16 cells (1 to 64)\n"
    )
