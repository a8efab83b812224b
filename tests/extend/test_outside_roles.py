"""Roles of layers that generators of other packages make, and of the layers they replace."""

from __future__ import annotations

from outside_packages import Packages

import exporter

FLIP = '''
from dataclasses import dataclass
from typing import Annotated
from exporter.extend import (
    About, AlignedLayerName, Generated, Parameters, ReplacedLayerName, Request, generator,
)

@dataclass(frozen=True, kw_only=True)
class Flip(Parameters):
    """A layer upside down."""

    of: Annotated[ReplacedLayerName, About("Layer to turn.")]
    beside: Annotated[AlignedLayerName | None, About("Layer to ask.")] = None

@generator("flip", version=1)
def generate(parameters: Flip, request: Request) -> Generated:
    layer = request.layers[parameters.of]
    return Generated(layer.cells[::-1].copy(), layer.tiles)
'''
COUNT = '''
from dataclasses import dataclass
from exporter.extend import Generated, Parameters, Request, generator
import numpy as np

@dataclass(frozen=True, kw_only=True)
class Count(Parameters):
    """Nothing but numbers."""

@generator("count", version=1, role="data")
def generate(parameters: Count, request: Request) -> Generated:
    return Generated(np.zeros((request.height, request.width), np.uint8))
'''
SPEC = """\
size: [9, 7]
layers:
  base: {generator: maze}
  asked: {generator: maze}
  turned: {generator: flip, of: base, beside: asked}
  numbers: {generator: count}
  shown: {generator: count, role: picture}
"""


def test_a_package_says_what_its_layers_are_for_and_which_they_replace(packages: Packages) -> None:
    packages.install(
        "odd-pack",
        {"odd_pack/__init__.py": "", "odd_pack/flip.py": FLIP, "odd_pack/count.py": COUNT},
        {"exporter.generators": {"flip": "odd_pack.flip", "count": "odd_pack.count"}},
    )
    packages.write("odd.level.yaml", SPEC)
    with packages.active():
        level = exporter.build_level(exporter.load_level("odd.level.yaml"))
    assert {name: layer.role for name, layer in level.layers.items()} == {
        "base": "data",
        "asked": "play",
        "turned": "play",
        "numbers": "data",
        "shown": "picture",
    }
