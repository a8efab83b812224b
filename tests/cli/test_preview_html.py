"""`exporter preview -o FILE.html`: one file with everything in it, and nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import html
import re
import subprocess
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from exporter.build.build import Build
from exporter.cli.main import main
from exporter.studio import level_html
from exporter.studio.frames import read_frame

CAVE = """\
size: [32, 24]
seed: 3
layers:
  ground: {generator: cellular_caves, connect: guaranteed}
visibility: {radius: 6}
objects: [{name: stairs_up}, {name: chest, count: 3}]
"""
HOSTILE = "</script><script>alert(1)</script>"

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("cave.level.yaml").write_text(CAVE)
    return "cave.level.yaml"


def page_of(spec: str, *more: str) -> str:
    assert main(["preview", spec, "-o", "level.html", *more]) == 0
    return Path("level.html").read_text(encoding="utf-8")


def data_of(page: str, id: str = "level") -> bytes:
    result = re.search(rf'<script type="application/octet-stream" id="{id}">([^<]*)</script>', page)
    assert result is not None
    return zlib.decompress(base64.b64decode(result[1]))


def test_the_page_has_the_cells_of_the_level(spec: str) -> None:
    header, arrays = read_frame(data_of(page_of(spec)))
    level = exporter.build_level(exporter.load_level(Path(spec)))
    assert (header["name"], header["seed"], header["solo"]) == ("cave", 3, None)
    assert np.array_equal(arrays[0], level.layers["ground"].cells)


def test_the_page_is_the_same_whatever_folder_it_is_created_in(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(spec, "--overlay", "chokes")
    assert str(tmp_path).encode() not in data_of(page)
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    Path(spec).write_text(CAVE)
    assert page_of(spec, "--overlay", "chokes") == page


def test_scripts_and_style_are_allowed_by_their_hashes_alone(spec: str) -> None:
    page = page_of(spec)
    result = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert result is not None
    policy = dict(part.split(" ", 1) for part in result[1].split("; "))
    assert policy["default-src"] == "'none'"
    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    scripts = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    assert (len(style), len(scripts)) == (1, 1)

    def hashes(texts: list[str]) -> list[str]:
        digests = [hashlib.sha256(text.encode()).digest() for text in texts]
        return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]

    assert policy["style-src"].split() == hashes(style)
    assert policy["script-src"].split() == hashes(scripts)
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_the_page_names_nothing_that_lies_elsewhere(spec: str) -> None:
    page = page_of(spec)
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert addresses
    assert all(address.startswith("data:") for address in addresses)
    assert "url(" not in page
    assert "@import" not in page


def test_the_modules_are_those_that_are_imported_and_no_others(spec: str) -> None:
    modules = re.findall(r"^// ([\w-]+\.js)$", page_of(spec), re.MULTILINE)
    assert len({*modules}) == len(modules)
    assert {"level_page.js", "renderer.js", "level-blob.js"} < {*modules}
    assert modules[-1] == "level_main.js"
    # Nothing that edits, and nothing that asks a server.
    assert not {"connection.js", "page.js", "tools.js", "parameters.js"} & {*modules}


def test_names_that_are_markup_stay_text(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    built = Build.level

    def renamed(build: Build) -> Any:
        level, *more = built(build)
        objects = tuple(replace(item, name=HOSTILE) for item in level.objects)
        return replace(level, name=HOSTILE, objects=objects), *more

    monkeypatch.setattr(Build, "level", renamed)
    page = page_of(spec)
    assert HOSTILE not in page
    assert "<script>alert" not in page
    assert f"<title>{html.escape(HOSTILE)}</title>" in page
    assert data_of(page).count(HOSTILE.encode()) > 1


def test_the_overlay_lies_in_the_page(spec: str, capsys: Capture) -> None:
    header, _ = read_frame(data_of(page_of(spec, "--overlay", "reach:chest"), "overlay-data"))
    assert (header["name"], header["problem"]) == ("reach:chest", None)
    assert header["summary"]
    assert "level.html" in capsys.readouterr().out
    assert 'id="overlay-data"' not in page_of(spec)


def test_hand_edits_are_an_overlay_of_the_page(spec: str) -> None:
    header, _ = read_frame(data_of(page_of(spec, "--overlay", "edits"), "overlay-data"))
    assert header["name"] == "edits"


def test_the_layer_that_is_named_is_displayed_alone(spec: str) -> None:
    assert read_frame(data_of(page_of(spec, "--layer", "ground")))[0]["solo"] == "ground"


@pytest.mark.parametrize(
    ("more", "reported"),
    [
        (["--text"], "--text writes a text, into a file whose name ends in .txt"),
        (["--terminal"], "--terminal draws on the screen"),
        (["--steps", "--layer", "ground"], "--steps draws an animated PNG"),
        (["--at", "1,1"], "--at has no effect on an HTML page"),
        (["--at", "1,1", "--view", "4x4"], "--at has no effect on an HTML page"),
        (["--scale", "8"], "--scale has no effect on an HTML page"),
        (
            ["cave.level.yaml@7"],
            "level.html: an HTML page shows one level, but 2 specs are given (name one)",
        ),
    ],
)
def test_options_of_pictures_are_refused(
    spec: str, more: list[str], reported: str, capsys: Capture
) -> None:
    assert main(["preview", *more, spec, "-o", "level.html"]) == 2
    error = capsys.readouterr().err
    assert reported in error
    assert len(error.splitlines()) == 1
    assert not Path("level.html").exists()


def test_a_level_that_is_too_large_is_refused_with_the_limit(
    spec: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(level_html, "MAXIMUM_PAGE_CELLS", 767)
    assert main(["preview", spec, "-o", "level.html"]) == 2
    assert "its layers have 768 cells (allowed in an HTML page: 767)" in capsys.readouterr().err
    assert not Path("level.html").exists()


def test_only_a_page_of_ours_is_replaced(spec: str, capsys: Capture) -> None:
    first = page_of(spec)
    assert page_of(f"{spec}@4") != first
    changed = first.replace("<title>", "<title>my ")
    Path("level.html").write_text(changed, encoding="utf-8")
    assert main(["preview", spec, "-o", "level.html"]) == 2
    assert "level.html exists already" in capsys.readouterr().err
    assert Path("level.html").read_text(encoding="utf-8") == changed
    page_of(spec, "--overwrite")


def test_no_server_is_imported_for_a_page(spec: str) -> None:
    program = (
        "import sys; from exporter.cli.main import main; "
        f"main(['preview', {spec!r}, '-o', 'level.html']); "
        "print([name for name in ('websockets', 'watchdog') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["level.html", "[]"]
