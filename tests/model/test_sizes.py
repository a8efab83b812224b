"""Sizes in bytes, read and written as people do."""

from __future__ import annotations

from typing import Any

from cases import each_case
from exporter.model.sizes import LARGEST_SIZE, bytes_of, size_text


@each_case(
    ("text", "size"),
    [
        (1, 1),
        (20_000, 20_000),
        ("20 B", 20),
        ("20 kB", 20_000),
        ("20kB", 20_000),
        ("2 MB", 2_000_000),
        ("2 KiB", 2048),
        ("1.5 MiB", 1_572_864),
        ("0.3 kB", 300),
        ("0.0005 kB", None),
        (LARGEST_SIZE, LARGEST_SIZE),
        (LARGEST_SIZE + 1, None),
        ("999999999999999 MB", None),
        (0, None),
        (-5, None),
        (1.5, None),
        (True, None),
        (None, None),
        ("20", None),
        ("20 km", None),
        ("20  kB", None),
        ("-20 kB", None),
        ("1e3 kB", None),
        (" 20 kB", None),
        ("20 kB\n", None),
        ("\u0662 kB", None),
    ],
)
def test_a_size_is_a_number_of_bytes_or_a_number_with_a_unit(text: Any, size: int | None) -> None:
    assert bytes_of(text) == size


@each_case(
    ("size", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (19_976, "19.98 kB"),
        (20_000, "20 kB"),
        (999_999, "1000 kB"),
        (1_500_000, "1.5 MB"),
    ],
)
def test_a_size_is_reported_in_the_unit_that_suits_it(size: int, text: str) -> None:
    assert size_text(size) == text
