"""Proofs against building every level by hand."""

from __future__ import annotations

import pytest

import exporter
from exporter.build.trials import candidate_seed
from exporter.explore.bounds import lower_bound, needed_trials
from exporter.explore.proofs import SeedProver, broken_demand
from exporter.model.errors import SpecError
from exporter.reading.reader import parse_level
from small_specs import caves, crowded


def failing(spec: exporter.LevelSpec, seeds: int) -> list[int]:
    result = []
    for number in range(seeds):
        seed = candidate_seed(spec.level, number)
        try:
            exporter.build_level(spec.with_seed(seed))
        except SpecError:
            result.append(seed)
    return result


@pytest.mark.parametrize("jobs", [1, 2])
def test_failing_seeds_are_those_that_cannot_be_built(jobs: int) -> None:
    proof = SeedProver(crowded(), 60).run(jobs)
    assert list(proof.failed) == failing(crowded(), 60)
    assert 0 < len(proof.failed) < 60
    assert (proof.tried, proof.passed) == (60, 60 - len(proof.failed))
    assert proof.bound == lower_bound(proof.passed, 60)
    assert not proof.holds


def test_limits_of_level_and_layers_must_be_preserved() -> None:
    spec = caves(
        b"    # a limit of the level\nrequire: {farthest: {at_least: 18}, max_dead_ends: 6}\n"
    )
    proof = SeedProver(spec, 60).run(1)
    assert list(proof.failed) == failing(spec, 60)
    assert 0 < len(proof.failed) < 60


def test_reasons_that_differ_in_figures_are_counted_together() -> None:
    spec = caves(b"require: {farthest: {at_least: 100}}\n")
    proof = SeedProver(spec, 40).run(1)
    assert proof.passed == 0
    ((reason, count),) = proof.reasons
    assert count == 40
    assert "farthest" in reason


def test_a_condition_is_one_demand_more() -> None:
    proof = SeedProver(caves(), 50, where="farthest >= 18").run(1)
    values = [
        exporter.measure(
            exporter.build_level(caves().with_seed(candidate_seed("caves", number))), ["farthest"]
        )["farthest"]
        for number in range(50)
    ]
    assert proof.passed == sum(value >= 18 for value in values)


def asking(of: int, at_least: float) -> exporter.LevelSpec:
    return caves(b"require:\n  connected: true\n  seeds: {of: %d, at_least: %a}\n" % (of, at_least))


def test_without_a_demand_every_seed_must_pass() -> None:
    proof = SeedProver(caves(), 20).run(1)
    assert proof.at_least is None
    assert proof.holds
    assert broken_demand(caves(), proof) is None


def test_a_demand_is_compared_with_the_bound_and_not_with_the_share() -> None:
    # All 100 pass: the bound is 0.05 ** 0.01 = 0.9704.
    remaining, broken = asking(100, 0.97), asking(100, 0.975)
    proof = SeedProver(remaining, 100).run(1)
    assert proof.passed == 100
    assert proof.holds
    proof = SeedProver(broken, 100).run(1)
    assert not proof.holds
    problem = broken_demand(broken, proof)
    assert problem is not None
    assert (problem.line, problem.column) == (6, 30)
    assert "set `of` to 119 or more" in problem.message


def test_so_many_trials_are_needed() -> None:
    for share in (0.5, 0.9, 0.97, 0.99, 0.999):
        needed = needed_trials(share)
        assert lower_bound(needed, needed) >= share
        assert lower_bound(needed - 1, needed - 1) < share
    assert needed_trials(1) == 0
    assert needed_trials(0.9999999) == 0
    assert needed_trials(0) == 1


def test_the_seed_of_the_spec_does_not_matter() -> None:
    searching = parse_level(
        b"seed: {search: 3, where: farthest > 1000}\n" + caves().document.text.encode(),
        "caves.level.yaml",
    )
    assert SeedProver(searching, 10).run(1) == SeedProver(caves(), 10).run(1)
