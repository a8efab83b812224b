"""`exporter preview -o`: an earlier picture of ours is replaced, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from exporter.cli.main import main

SPEC = """\
size: [4, 4]
layers:
  plan: {generator: from_image, image: plan.png}
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Image.new("L", (4, 4), 255).save("plan.png")
    Path("hall.level.yaml").write_text(SPEC)
    return "hall.level.yaml"


@pytest.mark.parametrize(
    ("name", "more"), [("hall.png", []), ("hall.txt", ["--text", "-o", "hall.txt"])]
)
def test_a_file_of_somebody_else_is_preserved_unless_requested(
    spec: str, name: str, more: list[str], capsys: Capture
) -> None:
    Path(name).write_bytes(b"my own work")
    assert main(["preview", spec, *more]) == 2
    assert f"{name} exists already" in capsys.readouterr().err
    assert Path(name).read_bytes() == b"my own work"
    assert main(["preview", spec, *more, "--overwrite"]) == 0
    assert Path(name).read_bytes() != b"my own work"


@pytest.mark.parametrize(
    ("more", "reported"),
    [
        (["-o", "t.txt"], "t.txt: preview writes a picture, into a file whose name ends in .png"),
        (["-o", "t"], "t: preview writes a picture"),
        (["-o", "t.jpg"], "t.jpg: preview writes a picture"),
        (
            ["--text", "-o", "t.png"],
            "t.png: --text writes a text, into a file whose name ends in .txt",
        ),
    ],
)
def test_an_ending_that_promises_something_else_is_refused(
    spec: str, more: list[str], reported: str, capsys: Capture
) -> None:
    before = sorted(Path().iterdir())
    assert main(["preview", spec, *more, "--overwrite"]) == 2
    assert reported in capsys.readouterr().err
    assert sorted(Path().iterdir()) == before


def test_endings_may_be_in_capitals(spec: str) -> None:
    assert main(["preview", spec, "-o", "OUT.PNG"]) == 0
    assert Path("OUT.PNG").read_bytes().startswith(b"\x89PNG")


def test_our_own_picture_is_drawn_again_without_asking(spec: str) -> None:
    assert main(["preview", spec, "-o", "out.png"]) == 0
    first = Path("out.png").read_bytes()
    for scale in ("2", "3"):
        assert main(["preview", spec, "-o", "out.png", "--scale", scale]) == 0
        with Image.open("out.png") as picture:
            assert picture.size == (4 * int(scale),) * 2
    assert Path("out.png").read_bytes() != first


def test_a_picture_that_is_the_same_is_left_alone(spec: str) -> None:
    for output, more in (("out.png", []), ("out.txt", ["--text"])):
        assert main(["preview", spec, "-o", output, *more]) == 0
        os.utime(output, ns=(1, 1))
        assert main(["preview", spec, "-o", output, *more]) == 0
        assert Path(output).stat().st_mtime_ns == 1


def test_our_picture_edited_by_a_person_is_preserved(spec: str, capsys: Capture) -> None:
    assert main(["preview", spec, "-o", "out.png"]) == 0
    with Image.open("out.png") as picture:
        edited = picture.copy()
    edited.putpixel((0, 0), (1, 2, 3, 255))
    edited.save("out.png")
    painted = Path("out.png").read_bytes()
    assert main(["preview", spec, "-o", "out.png"]) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert Path("out.png").read_bytes() == painted


@pytest.mark.parametrize("more", [[], ["--overwrite"]])
def test_a_picture_that_the_spec_reads_is_never_written_over(
    spec: str, more: list[str], capsys: Capture
) -> None:
    # An input that is a preview of ours: being ours is no reason to write over it.
    Path("other.level.yaml").write_text("size: [4, 4]\nlayers: {a: {generator: blank}}\n")
    assert (
        main(["preview", "other.level.yaml", "-o", "plan.png", "--scale", "1", "--overwrite"]) == 0
    )
    before = Path("plan.png").read_bytes()
    os.link("plan.png", "hard.png")
    Path("soft.png").symlink_to("plan.png")
    Path("deep").mkdir()
    for output in ("plan.png", "deep/../plan.png", "hard.png", "soft.png"):
        assert main(["preview", spec, "-o", output, *more]) == 2
        assert f"{Path(output)} is a file that hall.level.yaml reads" in capsys.readouterr().err
    assert Path("plan.png").read_bytes() == before


def test_a_link_stays_a_link(spec: str) -> None:
    Path("deep").mkdir()
    Path("out.png").symlink_to("deep/real.png")
    for scale in ("2", "3"):
        assert main(["preview", spec, "-o", "out.png", "--scale", scale]) == 0
        assert Path("out.png").is_symlink()
        with Image.open("deep/real.png") as picture:
            assert picture.size == (4 * int(scale),) * 2


def test_a_folder_is_not_written_over(spec: str, capsys: Capture) -> None:
    Path("out").mkdir()
    assert main(["preview", spec, "-o", "out", "--overwrite"]) == 2
    assert "out is not a regular file (name another file)" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_not_known_to_be_ours(
    spec: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert main(["preview", spec, "-o", "out.png"]) == 0
    real = Path.read_bytes

    def read(path: Path) -> bytes:
        if path.name == "out.png":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", read)
    assert main(["preview", spec, "-o", "out.png"]) == 2
    assert "--overwrite" in capsys.readouterr().err
