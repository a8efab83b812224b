"""Shared parts of the generators that grow corridors."""

from __future__ import annotations

from exporter.model.errors import ParameterError
from exporter.model.parameters import Parameters


def backtracking_draws(prevent_percent: int) -> int:
    """Return how many of the draws from 0 to 99 let a corridor turn back.

    A corridor that prevents backtracking never turns into the reverse of its first direction.

    Args:
        prevent_percent: Chance that it does so. 50 stands for the odds of the reference program,
            which compares a draw with `> 50` and so prevents it in 49 of 100 cases.
    """
    return 100 - prevent_percent + (prevent_percent == 50)


def check_corridor_lengths(parameters: Parameters, shortest: int, longest: int) -> None:
    """Refuse a shortest run of a corridor above the longest.

    Raises:
        ParameterError: At the one of the two parameters that is given.
    """
    if shortest > longest:
        raise ParameterError(
            f"min_corridor_length {shortest} is above max_corridor_length {longest}",
            (parameters.changed("min_corridor_length", "max_corridor_length"),),
        )
