"""`exporter preview -o FILE.glb`: the model that the target writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.build.build import build_level
from exporter.cli.main import main
from exporter.reading.reader import load_level
from gltf_reader import glb_of

SPEC = "size: [32, 24]\nseed: 3\nlayers: {ground: {generator: cellular_caves}}\n"


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("cave.level.yaml").write_text(SPEC)
    return "cave.level.yaml"


def test_a_model_is_that_of_the_target_and_replaces_an_earlier_one(spec: str) -> None:
    assert main(["preview", f"{spec}@4", "-o", "cave.glb"]) == 0
    assert main(["preview", spec, "-o", "cave.glb"]) == 0
    assert Path("cave.glb").read_bytes() == glb_of(build_level(load_level(spec)))


def test_a_model_of_another_program_is_preserved(
    spec: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("cave.glb").write_bytes(b"glTF of another program")
    assert main(["preview", spec, "-o", "cave.glb"]) == 2
    assert "cave.glb exists" in capsys.readouterr().err


def test_options_of_pictures_are_refused(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preview", spec, "-o", "cave.glb", "--scale", "4"]) == 2
    assert "--scale has no effect on a 3D model" in capsys.readouterr().err
