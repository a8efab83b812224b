"""Find chunk sizes that divide a map, and map sizes that fit chunks."""

from __future__ import annotations

from math import gcd, isqrt


def greatest_common_factor(first: int, second: int) -> int:
    """Return the greatest common divisor of `first` and `second`.

    Raises:
        ValueError: A number is below 1.
    """
    _check_positive(first, second)
    return gcd(first, second)


def divisors(number: int) -> list[int]:
    """Return all divisors of `number`, ascending.

    Raises:
        ValueError: The number is below 1.
    """
    _check_positive(number)
    small = [factor for factor in range(1, isqrt(number) + 1) if number % factor == 0]
    large = [number // factor for factor in reversed(small)]
    # A square number has its root in both lists.
    return small + large[small[-1] == large[0] :]


def fitting_chunk_sizes(width: int, height: int) -> list[int]:
    """Return the sides of square chunks that divide a map evenly, ascending.

    The map has `width` x `height` cells.

    Raises:
        ValueError: A number is below 1.
    """
    return divisors(greatest_common_factor(width, height))


def sizes_that_fit(length: int, chunk: int) -> list[int]:
    """Return the multiples of `chunk` just below and above `length`.

    If `length` is itself a multiple, return only that. 0 is never returned.

    Raises:
        ValueError: A number is below 1.
    """
    _check_positive(length, chunk)
    below = length // chunk * chunk
    if below == length:
        return [length]
    return [below, below + chunk] if below else [chunk]


def explain_chunk_size(width: int, height: int, chunk: int) -> str | None:
    """Return why chunks do not divide a map evenly; None if they do.

    Chunks are squares with `chunk` cells on a side; the map has `width` x `height` cells.

    Raises:
        ValueError: A number is below 1.
    """
    _check_positive(width, height, chunk)
    if width % chunk == 0 and height % chunk == 0:
        return None
    chunks = ", ".join(str(size) for size in fitting_chunk_sizes(width, height))
    widths = " or ".join(str(size) for size in sizes_that_fit(width, chunk))
    heights = " or ".join(str(size) for size in sizes_that_fit(height, chunk))
    return (
        f"chunks of {chunk} x {chunk} cells do not divide a map of {width} x {height} "
        f"(chunks that do: {chunks}; maps that would: width {widths}, height {heights})"
    )


def _check_positive(*numbers: int) -> None:
    for number in numbers:
        if number < 1:
            raise ValueError(f"{number} is not a whole number of at least 1")
