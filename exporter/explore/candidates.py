"""Choose the seed and the parameters of each level that a search tries."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

from exporter.build.trials import Setting, candidate_seed
from exporter.explore.varying import GENE_BITS, VariedParameter
from exporter.model.lazy_dataclass import dataclass
from exporter.streams import derive_key

# Limit of candidates; their seeds are distinct up to here.
MAXIMUM_BUDGET = 100_000_000
_MASK = (1 << GENE_BITS) - 1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A level to try: the seed and parameters follow from its number.

    Attributes:
        number: From 0, in the order of the search.
        seed: The seed of the level.
        genes: For each varied parameter, the position of its value in its range: a fraction of
            2**64.
    """

    number: int
    seed: int
    genes: tuple[int, ...] = ()


def settings_of(candidate: Candidate, varied: Sequence[VariedParameter]) -> tuple[Setting, ...]:
    """Return the values that `candidate` gives to the `varied` parameters.

    Each setting is a tuple of layer, parameter and value.
    """
    return tuple(item.setting(gene) for item, gene in zip(varied, candidate.genes, strict=True))


def parameters_of(candidate: Candidate, varied: Sequence[VariedParameter]) -> dict[str, Any]:
    """Return the values that `candidate` gives to the `varied` parameters.

    The keys are `LAYER.PARAMETER`.
    """
    return {item.name: item.value(gene) for item, gene in zip(varied, candidate.genes, strict=True)}


def spread_candidate(level: str, number: int, dimensions: int) -> Candidate:
    """Return candidate `number` of a sequence that covers all ranges evenly.

    The parameters form a Kronecker sequence: their positions in the ranges are multiples of the
    square roots of primes, fractional parts only. Any number of such points in a row covers the
    ranges evenly.

    Args:
        level: The name of the spec's level, from which the seeds follow.
        number: The number of the candidate in the sequence.
        dimensions: How many parameters are varied.
    """
    genes = tuple(
        (derive_key(("offset", level, axis)) + number * _root(prime)) & _MASK
        for axis, prime in enumerate(_primes(dimensions))
    )
    return Candidate(number, candidate_seed(level, number), genes)


def _root(prime: int) -> int:
    """Return the fractional part of a prime's square root, times 2**64."""
    return isqrt(prime << 2 * GENE_BITS) & _MASK


def _primes(count: int) -> list[int]:
    result: list[int] = []
    number = 2
    while len(result) < count:
        if all(number % prime for prime in result):
            result.append(number)
        number += 1
    return result
