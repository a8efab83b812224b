"""Find chunk sizes that divide a map exactly, and map sizes for chunks."""

from __future__ import annotations

from math import gcd, isqrt


def greatest_common_factor(first: int, second: int) -> int:
    """Return the greatest common divisor of two numbers (Euclid's algorithm).

    Raises:
        ValueError: A number is below 1.
    """
    _check_positive(first, second)
    return gcd(first, second)


def divisors(number: int) -> list[int]:
    """Return all divisors of a whole number, ascending.

    Raises:
        ValueError: The number is below 1.
    """
    _check_positive(number)
    small = [factor for factor in range(1, isqrt(number) + 1) if number % factor == 0]
    large = [number // factor for factor in reversed(small)]
    # A square number has its root in both lists.
    return small + large[small[-1] == large[0] :]


def fitting_chunk_sizes(width: int, height: int) -> list[int]:
    """Return the sides of square chunks that divide a map exactly, ascending.

    Args:
        width: Cells in a row of the map.
        height: Rows.

    Raises:
        ValueError: A number is below 1.
    """
    return divisors(greatest_common_factor(width, height))


def sizes_that_fit(length: int, chunk: int) -> list[int]:
    """Return the nearest multiples of `chunk` to `length`, or `length` itself.

    Raises:
        ValueError: A number is below 1.
    """
    _check_positive(length, chunk)
    below = length // chunk * chunk
    if below == length:
        return [length]
    return [below, below + chunk] if below else [chunk]


def explain_chunk_size(width: int, height: int, chunk: int) -> str | None:
    """Return why square chunks do not fit a map; None if they fit.

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
