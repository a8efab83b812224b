"""Chunk sizes that divide a map, and suggested sizes."""

from __future__ import annotations

from cases import each_case
from exporter.blob.inspection.divisors import MapDivisors


def test_square_chunks_divide_both_sides() -> None:
    report = MapDivisors("a", 96, 60).report()
    assert report["chunk_sizes"] == [1, 2, 3, 4, 6, 12]
    assert report["greatest_common_factor"] == 12
    assert report["width_divisors"] == [n for n in range(1, 97) if 96 % n == 0]
    assert report["height_divisors"] == [n for n in range(1, 61) if 60 % n == 0]
    assert "chunk" not in report


@each_case(("chunk", "fits"), [(12, True), (24, False), (1, True), (97, False)])
def test_a_chunk_is_held_against_the_map(chunk: int, fits: bool) -> None:
    map_divisors = MapDivisors("a", 96, 60, chunk)
    assert map_divisors.fits is fits
    assert map_divisors.report()["chunk"]["fits"] is fits


def test_sizes_that_would_fit_are_reported() -> None:
    map_divisors = MapDivisors("a", 96, 60, 24)
    assert map_divisors.report()["chunk"]["widths_that_fit"] == [96]
    assert map_divisors.report()["chunk"]["heights_that_fit"] == [48, 72]
    assert map_divisors.text().splitlines()[-1] == (
        "chunks of 24 x 24 cells do not divide a map of 96 x 60 (chunks that do: "
        "1, 2, 3, 4, 6, 12; maps that would: width 96, height 48 or 72)"
    )
    assert MapDivisors("a", 96, 60, 12).text().endswith("\n8 x 5 chunks of 12 x 12 cells")


def test_a_square_map_lists_its_divisors_once() -> None:
    assert MapDivisors("6 x 6", 6, 6).text().splitlines() == [
        "6 x 6 cells",
        "square chunks that divide it: 1, 2, 3, 6",
    ]
