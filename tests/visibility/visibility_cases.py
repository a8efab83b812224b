"""Random maps to try rules of sight on: the tests take some, the long script takes many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RULES = (("symmetric", False), ("shadowcast", False), ("raycast", False), ("raycast", True))


@dataclass(frozen=True)
class Case:
    """A map, a radius, a rule, and which origins to compare."""

    opaque: NDArray[np.bool_]
    radius: int
    algorithm: str
    see_walls: bool
    origins: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        height, width = self.opaque.shape
        rows = ["".join("#" if cell else "." for cell in row) for row in self.opaque]
        drawing = "\n".join(rows)
        return f"{self.algorithm} radius {self.radius}, {width} x {height}\n{drawing}"


def random_cases(
    algorithm: str, see_walls: bool, seed: int, count: int, most_origins: int = 10_000
) -> Iterator[Case]:
    """Yield cases: mostly small maps and radii, some wide, some with radii up to 24."""
    random = np.random.default_rng(seed)
    for number in range(count):
        if number % 40 == 0:
            width, height = int(random.integers(120, 200)), int(random.integers(1, 5))
            radius, origins = int(random.integers(1, 25)), 12
        elif number % 40 == 1:
            width, height = (int(side) for side in random.integers(20, 40, 2))
            radius, origins = int(random.integers(9, 25)), 8
        elif number % 10 == 2:
            width, height = int(random.integers(62, 68)), int(random.integers(1, 4))
            radius, origins = int(random.integers(1, 7)), 16
        else:
            width, height = (int(side) for side in random.integers(1, 9, 2))
            radius, origins = int(random.integers(1, 9)), most_origins
        opaque = random_map(random, width, height)
        cells = [(x, y) for y in range(height) for x in range(width)]
        chosen = random.permutation(len(cells))[: min(origins, most_origins)]
        yield Case(opaque, radius, algorithm, see_walls, tuple(cells[index] for index in chosen))


def random_map(random: np.random.Generator, width: int, height: int) -> NDArray[np.bool_]:
    """Return a map: noise of some density, pillars, bars with gaps, all open or all opaque."""
    kind = int(random.integers(8))
    opaque = np.zeros((height, width), bool)
    if kind == 0:
        opaque[:] = random.random() < 0.3
    elif kind == 1:
        opaque[int(random.integers(2)) :: 2, int(random.integers(2)) :: 2] = True
    elif kind == 2:
        step = int(random.integers(2, 5))
        opaque[::step] = random.random((len(opaque[::step]), width)) < 0.8
    elif kind == 3:
        step = int(random.integers(2, 5))
        opaque[:, ::step] = random.random((height, opaque[:, ::step].shape[1])) < 0.8
    else:
        opaque = random.random((height, width)) < random.choice([0.03, 0.1, 0.2, 0.35, 0.6])
    return opaque
