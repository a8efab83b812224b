"""What extensions bring stands on the site, too: pages of generators, and the reference."""

from __future__ import annotations

import json
from typing import Any

from outside_packages import CHECKOUT, Packages, generator, generators

# A package whose generator stands on another layer.
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
EVERYTHING = """
import json, sys
sys.path.insert(0, sys.argv[1])
import hooks
made = hooks.made_pages()
texts = {path: page for path, page in made.items() if isinstance(page, str)}
print(json.dumps({"texts": texts, "paths": [*made], "listed": hooks.generator_names()}))
"""
ONE = """
import json, sys
from exporter.reference.generator_pages import generator_page
page = generator_page(sys.argv[1], {}, "../")
print(json.dumps({"text": page.text, "picture": page.picture is not None}))
"""


def told(packages: Packages, program: str, argument: str) -> Any:
    """Run a program that sees the packages, and return what it tells."""
    done = packages.python("-c", program, argument)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_site_has_what_packages_bring(ruins: Packages) -> None:
    site = told(ruins, EVERYTHING, str(CHECKOUT / ".ci" / "site"))
    page = site["texts"]["generators/pillars.md"]
    assert "From ruins-pack 1.0." in page
    assert "| `every` | 2 to 64 (cells) | `4` | From one pillar to the next. |" in page
    assert "![A level of pillars](pillars.png)" in page
    assert "generators/pillars.png" in site["paths"]
    assert "[`pillars`](pillars.md)" in site["texts"]["generators/index.md"]
    assert "pillars" in site["listed"]
    reference = site["texts"]["spec-reference.md"]
    assert "### `pillars`" in reference
    assert "### The `roguelike` target" in reference


def test_a_generator_that_stands_on_a_layer_is_shown_on_a_cave(packages: Packages) -> None:
    packages.install("moss-pack", {"moss.py": LAYERED}, generators(moss="moss"))
    page = told(packages, ONE, "moss")
    assert page["picture"]
    assert "{generator: moss, of: caves}" in page["text"]


def test_a_generator_that_fails_has_a_page_without_a_picture(packages: Packages) -> None:
    broken = generator(body="raise ValueError(parameters)")
    packages.install("odd-pack", {"odd.py": broken}, generators(odd="odd"))
    page = told(packages, ONE, "odd")
    assert not page["picture"]
    assert "## Parameters" in page["text"]
