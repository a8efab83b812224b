"""Check or record hashes of generated cells with the portable stream.

    python tests/golden/update.py            # compare, show differences
    python tests/golden/update.py --write    # and record the current result

`generators.json` holds one case a line: a name, the generator, its parameters, size and seed, and
the version and SHA-256 of its cells. A case with `layers` first makes those cases, so that a
generator can read them; `objects` lists the name, x and y of each object. Add a case by
writing it without hash and version, then run with `--write`. A changed hash with an unchanged
version is a mistake: raise the generator's version. `presets.json` holds the same of every layer of
the level specs under `templates/levels/`, built as a whole, with their objects.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from exporter.generators import GENERATORS, Generated, JoiningParameters, Request
from exporter.generators.fixed import fixed_cells, restored
from exporter.generators.trace import Trace
from exporter.model.level import Layer, PlacedObject
from exporter.streams import open_stream

GOLDEN = Path(__file__).parent
CASES = GOLDEN / "generators.json"
PRESETS = GOLDEN / "presets.json"
TEMPLATES = GOLDEN.parent.parent / "templates" / "levels"


def read_cases() -> dict[str, dict[str, Any]]:
    """Return all cases by name."""
    cases: dict[str, dict[str, Any]] = json.loads(CASES.read_text())
    return cases


def make(cases: dict[str, dict[str, Any]], name: str, trace: Trace | None = None) -> Generated:
    """Run the generator of a case, as the build does before it joins regions."""
    from pydantic import TypeAdapter

    case = cases[name]
    generator = GENERATORS.get(case["generator"])
    parameters: Any = TypeAdapter(generator.parameters).validate_json(
        json.dumps(case.get("parameters", {}))
    )
    width, height = case["size"]
    layers = {
        layer: as_layer(layer, cases, source) for layer, source in case.get("layers", {}).items()
    }
    request = Request(
        "golden",
        width,
        height,
        open_stream("portable", case.get("seed", 1), "golden"),
        layers=layers,
        read_file=lambda path: (GOLDEN / "files" / path).read_bytes(),
        objects=tuple(
            PlacedObject(number, thing, x, y)
            for number, (thing, x, y) in enumerate(case.get("objects", []), 1)
        ),
        trace=trace,
    )
    if not (isinstance(parameters, JoiningParameters) and parameters.gives_cells):
        return generator.generate(parameters, request)
    fixed = fixed_cells(parameters, request)
    return restored(fixed, generator.generate(parameters, replace(request, fixed=fixed)))


def as_layer(name: str, cases: dict[str, dict[str, Any]], source: str) -> Layer:
    """Return the grid of another case as a finished layer."""
    result = make(cases, source)
    generator = cases[source]["generator"]
    layer = Layer(
        name, result.kind, result.cells, generator, tiles=result.tiles, rooms=result.rooms
    )
    object.__setattr__(layer, "heights", result.heights)
    walkable = result.walkable
    if result.kind == "tiles":
        walkable = layer.lookup([tile.walkable for tile in result.tiles])
    object.__setattr__(layer, "walkable", walkable)
    return layer


def read_presets() -> dict[str, dict[str, str]]:
    """Return the record of every preset: the hash of each layer and of the objects."""
    presets: dict[str, dict[str, str]] = json.loads(PRESETS.read_text())
    return presets


def preset_names() -> list[str]:
    """Return the names of all level specs under `templates/levels/`."""
    return sorted(path.name.removesuffix(".level.yaml") for path in TEMPLATES.glob("*.level.yaml"))


def measured_preset(name: str) -> dict[str, str]:
    """Return the hashes of a preset as it comes out now."""
    from exporter.build.build import build_level
    from exporter.reading.reader import load_level

    level = build_level(load_level(TEMPLATES / f"{name}.level.yaml"))
    result = {
        f"{layer.name} ({layer.generator} {layer.version})": digest(layer)
        for layer in level.layers.values()
    }
    objects = repr([(thing.name, thing.x, thing.y) for thing in level.objects])
    result["objects"] = hashlib.sha256(objects.encode()).hexdigest()
    return result


def digest(result: Generated | Layer) -> str:
    """Return the SHA-256 of shape, little-endian cells, rooms and completeness."""
    cells = np.ascontiguousarray(result.cells)
    text = f"{result.kind} {cells.dtype.name} {cells.shape} {result.complete} "
    text += repr([(r.x, r.y, r.width, r.height, r.center) for r in result.rooms])
    little = cells.astype(cells.dtype.newbyteorder("<"))
    return hashlib.sha256(text.encode() + little.tobytes()).hexdigest()


def measured(cases: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    """Return the case as it comes out now."""
    version = GENERATORS.get(cases[name]["generator"]).version
    return {**cases[name], "version": version, "sha256": digest(make(cases, name))}


def show_differences(old: dict[str, Any], new: dict[str, Any]) -> int:
    """Print the differences between two tables by name; return their number."""
    changed = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    for name in changed:
        print(f"{name}\n  - {old.get(name)}\n  + {new.get(name)}")
    return len(changed)


def main(arguments: list[str]) -> int:
    """Compare every case and preset, print the differences, write them on request."""
    cases = read_cases()
    result = {name: measured(cases, name) for name in cases}
    presets = read_presets() if PRESETS.exists() else {}
    built = {name: measured_preset(name) for name in preset_names()}
    differences = show_differences(cases, result) + show_differences(presets, built)
    print(f"{len(result)} cases and {len(built)} presets, {differences} differ")
    if "--write" not in arguments:
        return 1 if differences else 0
    lines = [f"{json.dumps(name)}: {json.dumps(case)}" for name, case in sorted(result.items())]
    CASES.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    PRESETS.write_text(json.dumps(built, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
