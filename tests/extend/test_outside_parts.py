"""A generator of another package that makes parts of worlds."""

from __future__ import annotations

import numpy as np
from outside_packages import Packages

import exporter

GENERATOR = '''
from dataclasses import dataclass
from typing import Annotated
import numpy as np
from exporter.extend import (
    BLACK, CLEAR, About, Generated, Parameters, ParameterError, Parts, Request, Tile, Within,
    generator,
)

TILES = (Tile(0, "floor", True, False, CLEAR), Tile(1, "post", False, True, BLACK))

@dataclass(frozen=True, kw_only=True)
class Posts(Parameters):
    """Posts in rows."""
    every: Annotated[int, Within(2, 64), About("From one to the next.", "cells")] = 5
    middle: Annotated[bool, About("Whether there is one in the middle of the map.")] = False

def halo(parameters, radius):
    if parameters.middle:
        raise ParameterError("the middle is one for all parts (remove it)", ("middle",))
    return 0

@generator("posts", version=1, tiles=TILES, parts=Parts(halo))
def generate(parameters: Posts, request: Request) -> Generated:
    window = request.window
    rows = np.arange(window.y, window.bottom) % parameters.every == 1
    columns = np.arange(window.x, window.right) % parameters.every == 1
    fallen = request.stream.chance("fallen", window.width, window.height, 30)
    cells = (rows[:, None] & columns[None, :] & ~fallen).astype(np.uint8)
    return Generated(cells, TILES)
'''
SPEC = "size: [200, 100]\nchunk: 64\nlayers:\n  ground: {generator: posts, every: 7}\n"


def test_its_parts_are_those_of_the_whole(packages: Packages) -> None:
    packages.install(
        "post-pack", {"posts.py": GENERATOR}, {"exporter.generators": {"posts": "posts"}}
    )
    settings = "levels: levels/*.level.yaml\ntargets: {tiled: {path: out}}\n"
    packages.write("exporter.yaml", settings)
    packages.write("levels/hall.level.yaml", SPEC)
    assert packages.run("export").returncode == 0
    world = exporter.read_world(packages.project / "out" / "hall.world.json")
    cells = world.cells("ground", 0, 0, 200, 100)
    packages.write("levels/hall.level.yaml", SPEC.replace("chunk: 64\n", ""))
    assert packages.run("export").returncode == 0
    blob = exporter.read_blob((packages.project / "out" / "hall.lvb").read_bytes())
    np.testing.assert_array_equal(cells, blob.layers["ground"].cells)
    packages.write("levels/hall.level.yaml", SPEC.replace("every: 7", "middle: true"))
    done = packages.run("check")
    assert done.returncode == 1
    assert "hall.level.yaml:4:" in done.stderr
    assert "the middle is one for all parts" in done.stderr
