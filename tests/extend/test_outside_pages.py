"""Generators of packages have pages, too."""

from __future__ import annotations

from outside_packages import Packages, generator, generators

from exporter.project.reference.generator_pages import GeneratorPage, generator_page

# A package whose generator reads another layer.
LAYERED = """
import numpy as np
from dataclasses import dataclass
from exporter.extend import CLEAR, AlignedLayerName, Generated, Parameters, Request, Tile, generator

@dataclass(frozen=True, kw_only=True)
class Moss(Parameters):
    '''Moss wherever one can walk.'''

    of: AlignedLayerName

@generator("moss", version=1)
def generate(parameters: Moss, request: Request) -> Generated:
    cells = request.layers[parameters.of].walkable.astype(np.uint8)
    empty, moss = Tile(0, "empty", True, False, CLEAR), Tile(1, "moss", True, False, "#507040ff")
    return Generated(cells, (empty, moss))
"""


def page_of(packages: Packages, generator: str) -> GeneratorPage:
    with packages.active():
        return generator_page(generator, {})


def test_the_pages_generator_has_a_page_with_a_picture(ruins: Packages) -> None:
    page = page_of(ruins, "pillars")
    assert "From ruins-pack 1.0." in page.text
    assert "| `every` | 2 to 64 (cells) | `4` | From one pillar to the next. |" in page.text
    assert page.picture is not None


def test_a_generator_based_on_a_layer_is_shown_on_a_cave(packages: Packages) -> None:
    packages.install("moss-pack", {"moss.py": LAYERED}, generators(moss="moss"))
    page = page_of(packages, "moss")
    assert page.picture
    assert "{generator: moss, of: caves}" in page.text


def test_a_generator_that_fails_has_a_page_without_a_picture(packages: Packages) -> None:
    broken = generator(body="raise ValueError(parameters)")
    packages.install("odd-pack", {"odd.py": broken}, generators(odd="odd"))
    page = page_of(packages, "odd")
    assert not page.picture
    assert "## Parameters" in page.text
