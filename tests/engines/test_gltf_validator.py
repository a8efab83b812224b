"""Models in Khronos' validator, of every preset and of what every generator makes."""

from __future__ import annotations

from pathlib import Path

from engine_harness import Node
from engine_harness.levels import awkward_level
from exporter.build.build import build_level
from exporter.model.installed import templates
from exporter.model.level import Level
from exporter.reading.reader import load_level
from gltf_reader import glb_of
from scripts import load_script

PROGRAM = Path(__file__).parent / "javascript" / "validate_models.mjs"
golden = load_script("golden/update.py")


def levels() -> dict[str, Level]:
    """Return a level of each preset and each recorded case of a generator, and an awkward one."""
    result = {"awkward": awkward_level()}
    for path in sorted((templates() / "levels").glob("*.yaml")):
        result[path.name] = build_level(load_level(path))
    cases = golden.read_cases()
    for name in cases:
        layer = golden.as_layer("ground", cases, name)
        height, width = layer.cells.shape
        result[f"case {name}"] = Level("case", width, height, layers={"ground": layer})
    return result


def test_models_are_valid_gltf(node: Node, gltf_validator: Path, tmp_path: Path) -> None:
    files = {}
    for number, (name, level) in enumerate(levels().items()):
        path = tmp_path / f"{number}.glb"
        path.write_bytes(glb_of(level, ceiling=number % 2 == 1))
        files[name] = str(path)
    assert len(files) > 60
    assert node.query(PROGRAM, {"validator": str(gltf_validator), "files": files}) == {}


def test_the_validator_finds_faults(node: Node, gltf_validator: Path, tmp_path: Path) -> None:
    data = glb_of(awkward_level())
    path = tmp_path / "broken.glb"
    path.write_bytes(data.replace(b'"asset"', b'"asses"'))
    result = node.query(PROGRAM, {"validator": str(gltf_validator), "files": {"broken": str(path)}})
    assert result["broken"]
