"""`exporter diff`: two specs, seeds or blobs; lines, a document, a picture and exit codes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from exporter import build_level, load_level, measure, write_blob
from exporter.blob import write_pack
from exporter.cli.main import main
from exporter.formats.images.png_mark import is_marked_png
from exporter.model.level import Level, PlacedObject

CAVE = """size: [20, 12]
seed: 4
layers:
  ground: {generator: cellular_caves}
visibility: {radius: 3}
objects: [{name: start}, {name: chest, count: 2}]
tables: {loot: {columns: {name: text}, rows: [[axe]]}}
"""
VECTORS = Path(__file__).parents[1] / "vectors"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.level.yaml").write_text(CAVE)
    return tmp_path


def diff(*arguments: str) -> int:
    return main(["diff", *arguments])


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    output = json.loads(capsys.readouterr().out)
    assert isinstance(output, dict)
    return output


def test_equal_levels_exit_with_0_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert diff("a.level.yaml", "a.level.yaml@4") == 0
    assert capsys.readouterr().out == "a.level.yaml -> a.level.yaml@4: equal\n"


def test_a_copy_is_equal_whatever_its_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "b.level.yaml").write_text(CAVE + "# a comment\n")
    assert diff("a.level.yaml", "b.level.yaml") == 0
    assert capsys.readouterr().out == ("a.level.yaml -> b.level.yaml: equal\nlevel: a -> b\n")


def test_two_seeds_differ_and_the_lines_say_how(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert diff("a.level.yaml", "a.level.yaml@5") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["a.level.yaml -> a.level.yaml@5: different", "seed: 4 -> 5"]
    was, now = (build_level(load_level("a.level.yaml").with_seed(seed)) for seed in (4, 5))
    cells = int((was.layers["ground"].cells != now.layers["ground"].cells).sum())
    opened = int((now.walkable() & ~was.walkable()).sum())
    assert lines[2].startswith(f"walkable: {opened} cells opened, ")
    assert lines[3].startswith(f"layer ground: {cells} of 240 cells changed (")
    assert f"    {opened}  wall -> floor" in lines
    metrics = lines[lines.index("metrics") + 1 :]
    item, other = measure(was), measure(now)
    assert [line.split()[0] for line in metrics] == [n for n in other if item[n] != other[n]]


def test_every_kind_of_change_is_a_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = """size: [24, 12]
seed: 4
layers:
  ground: {generator: blank, tile: floor}
  roof: {generator: blank, role: picture}
visibility: {radius: 4}
objects: [{name: chest, count: 2, properties: {gold: 3}}]
tables: {loot: {columns: {name: text}, rows: [[bow]]}}
properties: {music: two words}
tileset: {style: ice}
"""
    (folder / "b.level.yaml").write_text(other)
    assert diff("a.level.yaml", "b.level.yaml", "--all", "--metric", "objects.chest") == 1
    output = capsys.readouterr().out
    for line in (
        r"size: 20 x 12 -> 24 x 12 cells \(20 x 12 compared, from the upper left corner\)",
        r"walkable: \d+ cells opened, 0 cells closed",
        r"layer roof: added \(blank\)",
        r"layer ground: \d+ of 240 cells changed \(\d+\.\d%\), within \d+ x \d+ at \d+,\d+",
        r"  ~ size \[20, 12\] -> \[24, 12\]",
        r"  ~ generator cellular_caves -> blank",
        r"objects: 1 removed, 2 moved, .*; 0 as before",
        r"  - start 1 at \d+,\d+",
        r"  ~ chest 1 at \d+,\d+ -> \d+,\d+: gold = 3",
        r"visibility: views are not compared \(the rules differ\)",
        r"  ~ radius 3 -> 4",
        r"table loot: 1 row added, 1 row removed",
        r'  - \["axe"\]',
        r'  \+ \["bow"\]',
        r'  \+ music = "two words"',
        r"tileset: other pictures are asked for",
    ):
        assert re.search(f"^{line}$", output, re.M), line
    assert "metrics" not in output  # there are as many chests


def test_long_lists_are_cut_unless_all_is_requested(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.level.yaml").write_text(CAVE.replace("count: 2", "count: 12"))
    assert diff("a.level.yaml", "a.level.yaml@5") == 1
    output = capsys.readouterr().out
    moved = re.search(r"(\d+) moved", output)
    assert moved is not None
    assert output.count("\n  ~ ") == 6
    assert f"    and {int(moved[1]) - 6} more (--all)\n" in output
    assert diff("a.level.yaml", "a.level.yaml@5", "--all") == 1
    output = capsys.readouterr().out
    assert output.count("\n  ~ ") == int(moved[1])
    assert "--all" not in output


def test_silent_tells_by_the_exit_code_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert diff("a.level.yaml", "a.level.yaml@5", "-q") == 1
    assert diff("a.level.yaml", "a.level.yaml", "--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_colours_are_as_on_other_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    diff("a.level.yaml", "a.level.yaml@5", "--color", "always")
    assert capsys.readouterr().out.startswith("\x1b[1ma.level.yaml -> a.level.yaml@5: different")
    diff("a.level.yaml", "a.level.yaml@5", "--color", "always", "--json")
    assert "\x1b" not in capsys.readouterr().out


def test_the_document_has_everything(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff("a.level.yaml", "a.level.yaml@5", "--json", "--metric", "farthest") == 1
    output = document(capsys)
    assert [*output] == [
        "equal", "was", "now", "compared", "walkable", "layers", "objects", "visibility",
        "tables", "puzzles", "properties", "tileset", "metrics",
    ]  # fmt: skip
    assert output["equal"] is False
    assert output["now"] == {
        "source": "a.level.yaml@5",
        "level": "a",
        "seed": 5,
        "rng": "portable",
        "size": [20, 12],
    }
    (layer,) = output["layers"]["changed"]  # type: ignore[index]
    assert sum(item["cells"] for item in layer["cells"]["pairs"]) == layer["cells"]["changed"]
    metric = output["metrics"]["farthest"]  # type: ignore[index]
    assert metric["difference"] == metric["now"] - metric["was"]
    assert metric["unit"] == "steps"
    assert diff("a.level.yaml", "a.level.yaml", "--json") == 0
    output = document(capsys)
    assert output["equal"] is True
    assert output["metrics"] == {}


def test_a_blob_is_equal_to_the_spec_it_was_created_of(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.level.yaml").write_text(
        CAVE.replace("layers:", "layers:\n  plan: {generator: blank, role: none}")
        + "tileset: {style: ice}\n"
    )
    level = build_level(load_level("a.level.yaml"))
    (folder / "a.lvb").write_bytes(write_blob(level.exported()))
    assert diff("a.level.yaml", "a.lvb") == 0
    assert diff("a.lvb", "a.level.yaml") == 0
    assert diff("a.lvb", "a.lvb") == 0
    assert diff("a.lvb", "a.level.yaml@5", "-q") == 1
    capsys.readouterr()
    # A file is identified by its content, too.
    (folder / "a.lvb").rename(folder / "blob")
    assert diff("a.level.yaml", "blob") == 0


def test_a_level_of_a_pack_is_named_by_its_number(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = load_level("a.level.yaml")
    levels = [build_level(spec.with_seed(seed)) for seed in (4, 5)]
    (folder / "pack.lvb").write_bytes(write_pack(levels))
    assert diff("pack.lvb@1", "a.level.yaml@5") == 0
    assert diff("pack.lvb@0", "pack.lvb@1", "-q") == 1
    capsys.readouterr()
    assert diff("pack.lvb", "a.level.yaml") == 2
    assert capsys.readouterr().err == (
        "exporter: pack.lvb has 2 levels, and one is needed (write pack.lvb@0 to pack.lvb@1)\n"
    )
    for wrong in ("2", "x", "-1"):
        assert diff(f"pack.lvb@{wrong}", "a.level.yaml") == 2
        assert capsys.readouterr().err == (
            f"exporter: pack.lvb@{wrong}: a blob has no seeds to choose from (write "
            "NAME@INDEX; it has the levels 0 to 1)\n"
        )


def test_damaged_blob_is_trouble_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blobs = sorted(VECTORS.glob("bad-*.lvb"))
    assert blobs
    wrong = []
    for path in blobs:
        code = diff("a.level.yaml", str(path))
        out, error = capsys.readouterr()
        if (code, out, error.count("\n")) != (2, "", 1) or not error.startswith("exporter: "):
            wrong.append((path.name, code, out, error))
    assert not wrong


def blob_of(folder: Path, level: Level) -> str:
    (folder / "odd.lvb").write_bytes(write_blob(level))
    return "odd.lvb"


@pytest.mark.parametrize(
    ("level", "said"),
    [
        (
            Level("odd", 3, 2, objects=(PlacedObject(1, "rat", 3, 0),)),
            "the object 'rat' at 3,0 is outside the level of 3 x 2 cells",
        ),
        (
            Level("odd", 100_000, 100_000),
            "a level of 100000 x 100000 cells cannot be compared (allowed: 1 to ",
        ),
        (Level("odd", 0, 0), "a level of 0 x 0 cells cannot be compared (allowed: 1 to "),
    ],
    ids=["object", "large", "empty"],
)
def test_a_blob_that_does_not_fit_together_is_trouble(
    folder: Path, level: Level, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert diff(blob_of(folder, level), "a.level.yaml") == 2
    assert said in capsys.readouterr().err


def test_a_blob_with_sight_of_another_size_is_trouble(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    level = build_level(load_level("a.level.yaml"))
    odd = Level("odd", 5, 5, visibility=level.visibility)
    assert diff(blob_of(folder, odd), "a.level.yaml") == 2
    assert "the visibility and the level of 5 x 5 cells differ in size" in (capsys.readouterr().err)


def test_a_certificate_of_a_blob_is_not_believed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    level = build_level(load_level("a.level.yaml"))
    ground = level.layers["ground"]
    assert ground.certificate is not None
    lie = replace(ground.certificate, start=(900, 900), floor=1)
    forged = replace(level, layers={"ground": replace(ground, certificate=lie)})
    blob = blob_of(folder, forged)
    assert diff(blob, "a.level.yaml") == 0
    assert diff(blob, "a.level.yaml@5", "-q") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gone.level.yaml", "a.level.yaml"], "there is no file 'gone.level.yaml'"),
        (["a.level.yaml", "gone.lvb@3"], "there is no file 'gone.lvb'"),
        (["a.level.yaml@", "a.level.yaml"], "a.level.yaml@: the seed after the @ is missing"),
        (
            ["a.level.yaml", "DOTNET@words"],
            "DOTNET@words: the seed does not fit `rng: dotnet` (write a whole number of 32 "
            "bits, or remove `rng`)",
        ),
        (
            ["a.level.yaml", "a.level.yaml", "--revision", "HEAD"],
            "--revision compares one level with a commit (leave out B)",
        ),
        (["a.level.yaml", "a.level.yaml", "--scale", "4"], "--scale has no effect with"),
        (
            ["a.level.yaml", "a.level.yaml", "--metric", "farthes"],
            "--metric: unknown metric 'farthes' (did you mean 'farthest'?)",
        ),
        (["a.level.yaml", "wrong.level.yaml"], "wrong.level.yaml:1:1: error: unknown key 'siz'"),
        (["empty.lvb", "a.level.yaml"], "not a level blob"),
        (
            ["a.level.yaml", "a.level.yaml", "-o", "gone/x.png"],
            "gone/x.png: there is no folder 'gone'",
        ),
        (
            ["a.level.yaml", "a.level.yaml", "-o", "x.png", "--scale", "64000"],
            "the picture cannot be drawn: 64000 pixels per cell is out of range",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_trouble_exits_with_2(
    folder: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "DOTNET").write_text("rng: dotnet\n" + CAVE)
    (folder / "wrong.level.yaml").write_text("siz: [3, 3]\n")
    (folder / "empty.lvb").write_bytes(b"")
    assert diff(*arguments) == 2
    output = capsys.readouterr()
    assert said in output.err
    assert output.out == ""


def test_a_dear_level_is_refused_before_anything_is_built(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from exporter.build import build

    monkeypatch.delattr(build, "Build")
    (folder / "dear.level.yaml").write_text(
        "size: [64, 64]\nlayers:\n  relief:\n    generator: heightmap\n    droplets: 10000000\n"
    )
    assert diff("a.level.yaml", "dear.level.yaml", "--max-seconds", "20") == 2
    assert "dear.level.yaml:5:15: error: building this level takes about" in (
        capsys.readouterr().err
    )


def test_limits_that_are_broken_keep_nobody_from_comparing(folder: Path) -> None:
    (folder / "a.level.yaml").write_text(CAVE + "require: {farthest: {at_least: 900}}\n")
    assert diff("a.level.yaml", "a.level.yaml@5", "-q") == 1


def test_the_picture_is_ours_and_replaces_only_ours(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = folder / "d.png"
    assert diff("a.level.yaml", "a.level.yaml@5", "-o", "d.png", "--scale", "8") == 1
    assert capsys.readouterr().out.endswith("\nd.png\n")
    first = picture.read_bytes()
    assert is_marked_png(first)
    assert diff("a.level.yaml", "a.level.yaml@6", "-o", "d.png", "--json") == 1
    assert document(capsys)["picture"] == "d.png"
    assert picture.read_bytes() != first
    picture.write_bytes(b"mine")
    assert diff("a.level.yaml", "a.level.yaml@5", "-o", "d.png") == 2
    assert "d.png exists already" in capsys.readouterr().err
    assert picture.read_bytes() == b"mine"
    assert diff("a.level.yaml", "a.level.yaml@5", "-o", "d.png", "--overwrite", "-q") == 1
    assert is_marked_png(picture.read_bytes())


def test_no_input_is_written_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.edits.yaml").write_text("layers: {}\n")
    (folder / "plan.png").symlink_to("drawn.png")
    assert main(["preview", "a.level.yaml", "-o", "drawn.png"]) == 0
    (folder / "b.level.yaml").write_text(
        "size: [20, 12]\n"
        "layers: {ground: {generator: from_image, image: drawn.png, fit: stretch}}\n"
    )
    capsys.readouterr()
    for name, said in (
        ("a.level.yaml", "is compared"),
        ("b.level.yaml", "is compared"),
        ("a.edits.yaml", "has the hand edits of a.level.yaml"),
        ("plan.png", "is a file that b.level.yaml reads"),
    ):
        before = (folder / name).read_bytes()
        code = diff("a.level.yaml", "b.level.yaml", "-o", name, "--overwrite")
        output = capsys.readouterr().err
        assert (code, said in output) == (2, True), output
        assert (folder / name).read_bytes() == before
