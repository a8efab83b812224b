"""Candidates depend on the level's name and their number alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from exporter.build.trials import candidate_seed
from exporter.explore.candidates import spread_candidate

names = st.text("abcxyz-_0", min_size=1, max_size=8)


@given(names, st.integers(0, 2**31 - 2000))
def test_no_two_candidates_have_the_same_seed(name: str, first: int) -> None:
    seeds = [candidate_seed(name, number) for number in range(first, first + 1000)]
    assert len(set(seeds)) == 1000
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_a_level_of_another_name_has_other_seeds() -> None:
    seeds = {name: {candidate_seed(name, n) for n in range(100)} for name in ("crypt", "cave")}
    assert len(seeds["crypt"] & seeds["cave"]) < 2


def test_seeds_stay_what_they_are() -> None:
    assert [candidate_seed("crypt", number) for number in range(3)] == SEEDS_OF_CRYPT


def test_parameters_cover_their_ranges_evenly() -> None:
    tenths = [0] * 10
    cells = [[0] * 4 for _ in range(4)]
    for number in range(1000):
        item, other = spread_candidate("crypt", number, 2).genes
        tenths[item * 10 >> 64] += 1
        cells[item * 4 >> 64][other * 4 >> 64] += 1
    assert all(95 <= count <= 105 for count in tenths)
    assert all(50 <= count <= 75 for row in cells for count in row)


SEEDS_OF_CRYPT = [2121254555, 312282420, 840156247]
