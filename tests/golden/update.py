"""The recorded hashes of what generators make with the portable stream.

    python tests/golden/update.py            # compare, show differences
    python tests/golden/update.py --write    # and record what is made now

`generators.json` holds one case a line: a name, the generator, its parameters, size and seed, and
the version and SHA-256 of its cells. A case with `layers` first makes those cases, so that a
generator can read them. Add a case by writing it without hash and version, then run with
`--write`. A changed hash with an unchanged version is a mistake: raise the generator's version.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from exporter.generators import GENERATORS, Generated, Request
from exporter.level import Layer
from exporter.streams import open_stream

GOLDEN = Path(__file__).parent
CASES = GOLDEN / "generators.json"


def read_cases() -> dict[str, dict[str, Any]]:
    """Return all cases by name."""
    cases: dict[str, dict[str, Any]] = json.loads(CASES.read_text())
    return cases


def make(cases: dict[str, dict[str, Any]], name: str) -> Generated:
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
    )
    return generator.generate(parameters, request)


def as_layer(name: str, cases: dict[str, dict[str, Any]], source: str) -> Layer:
    """Return the grid of another case as a finished layer."""
    made = make(cases, source)
    layer = Layer(name, made.kind, made.cells, cases[source]["generator"], tiles=made.tiles)
    walkable = made.walkable
    if made.kind == "tiles":
        walkable = layer.lookup([tile.walkable for tile in made.tiles])
    object.__setattr__(layer, "walkable", walkable)
    return layer


def digest(made: Generated) -> str:
    """Return the SHA-256 of shape, little-endian cells, rooms and completeness."""
    cells = np.ascontiguousarray(made.cells)
    text = f"{made.kind} {cells.dtype.name} {cells.shape} {made.complete} "
    text += repr([(r.x, r.y, r.width, r.height, r.center) for r in made.rooms])
    little = cells.astype(cells.dtype.newbyteorder("<"))
    return hashlib.sha256(text.encode() + little.tobytes()).hexdigest()


def measured(cases: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    """Return the case as it comes out now."""
    version = GENERATORS.get(cases[name]["generator"]).version
    return {**cases[name], "version": version, "sha256": digest(make(cases, name))}


def main(arguments: list[str]) -> int:
    """Compare every case, print what differs, write it if asked."""
    cases = read_cases()
    result = {name: measured(cases, name) for name in cases}
    changed = [name for name in cases if cases[name] != result[name]]
    for name in changed:
        old, new = cases[name], result[name]
        print(f"{name}: version {old.get('version')} -> {new['version']}")
        print(f"  - {old.get('sha256')}\n  + {new['sha256']}")
    print(f"{len(cases)} cases, {len(changed)} differ")
    if "--write" in arguments:
        lines = [f"{json.dumps(name)}: {json.dumps(case)}" for name, case in sorted(result.items())]
        CASES.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        return 0
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
