"""Compute the exact lower confidence bound of a share (Clopper-Pearson).

Some seeds were tried; the share of all seeds that pass is unknown. If it were the one-sided lower
bound at 95 %, one in 20 tries would give as many passing seeds as were seen, or more (Clopper and
Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", 1934).
That probability is a regularised incomplete beta function, computed by its continued fraction (DLMF
8.17.22).
"""

from __future__ import annotations

import math

CONFIDENCE = 0.95
# Decimals of a bound; it is rounded down, so that it stays a lower bound.
DIGITS = 6

# A greater share cannot be proved in reasonable time: a million trials prove less.
_MOST_DISPLAYED = 0.999996
_MOST_TERMS = 100_000
_TINY = 1e-300
_CLOSE = 1e-15


def lower_bound(passed: int, attempted: int, confidence: float = CONFIDENCE) -> float:
    """Return the lower confidence bound of the share of all seeds that pass.

    Args:
        passed: How many of the tried seeds passed: 0 to `attempted`.
        attempted: How many seeds were tried: at least 1.
        confidence: The probability that the share is not below the bound: above 0 and below 1.
    """
    if not 0 <= passed <= attempted or attempted < 1:
        raise ValueError(f"{passed} passed of {attempted} attempted is not a share between 0 and 1")
    if passed == 0:
        return 0.0
    low, high = 0.0, 1.0
    # 60 halvings are more exact than the digits that are kept.
    for _ in range(60):
        middle = (low + high) / 2
        if at_least_probability(passed, attempted, middle) < 1 - confidence:
            low = middle
        else:
            high = middle
    scale = 10**DIGITS
    return float(math.floor(low * scale) / scale)


def needed_trials(share: float) -> int:
    """Return how many seeds must pass without a failure to prove a `share`.

    Then `share` is a lower bound, with 95 % confidence, of the share of all seeds that pass. Return
    0 if no number of seeds proves it.
    """
    if share > _MOST_DISPLAYED:
        return 0
    trials = 1 if share <= 0 else math.ceil(math.log(1 - CONFIDENCE) / math.log(share))
    while lower_bound(trials, trials) < share:
        trials += 1
    return trials


def at_least_probability(passed: int, attempted: int, share: float) -> float:
    """Return the probability that `passed` or more of `attempted` seeds pass.

    `passed` is at least 1; `share` is the share of all seeds that pass: 0 to 1.
    """
    if share <= 0:
        return 0.0
    if share >= 1:
        return 1.0
    first, second = float(passed), float(attempted - passed + 1)
    logarithm = (
        math.lgamma(first + second)
        - math.lgamma(first)
        - math.lgamma(second)
        + first * math.log(share)
        + second * math.log1p(-share)
    )
    # The fraction converges fast on one side of the mean; the other follows by symmetry.
    if share < (first + 1) / (first + second + 2):
        return math.exp(logarithm) * _continued_fraction(first, second, share) / first
    return 1 - math.exp(logarithm) * _continued_fraction(second, first, 1 - share) / second


def _continued_fraction(first: float, second: float, share: float) -> float:
    """Return the continued fraction of the incomplete beta function.

    `first` and `second` are its parameters, `share` its argument (Lentz's method).
    """
    upper, lower = 1.0, 1 - (first + second) * share / (first + 1)
    lower = 1 / (lower or _TINY)
    value = lower
    for term in range(1, _MOST_TERMS):
        for factor in (
            term * (second - term) * share / ((first + 2 * term - 1) * (first + 2 * term)),
            -(first + term)
            * (first + second + term)
            * share
            / ((first + 2 * term) * (first + 2 * term + 1)),
        ):
            lower = 1 / ((1 + factor * lower) or _TINY)
            upper = (1 + factor / upper) or _TINY
            change = lower * upper
            value *= change
        if abs(change - 1) < _CLOSE:
            break
    return value
