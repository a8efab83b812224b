"""Shards: every level is in one of them, and stays there."""

from __future__ import annotations

import pytest

from exporter.export.shards import Shard, parse_shard

SPECS = [f"levels/level{number}.level.yaml" for number in range(1000)]


@pytest.mark.parametrize("count", [1, 2, 3, 16, 99])
def test_every_level_is_in_one_shard(count: int) -> None:
    shards = [Shard(number, count) for number in range(1, count + 1)]
    assert all(sum(shard.has(spec) for shard in shards) == 1 for spec in SPECS)


def test_the_shares_are_about_as_large() -> None:
    sizes = [sum(map(Shard(number, 4).has, SPECS)) for number in range(1, 5)]
    assert min(sizes) > 200


def test_which_share_a_level_is_in_never_changes() -> None:
    # Machines that divide the same project may run different versions of Python.
    assert [Shard(1, 3).has(spec) for spec in SPECS[:8]] == [
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0/4", "out of range \\(allowed: 1 to 4"),
        ("5/4", "out of range \\(allowed: 1 to 4"),
        ("1/0", "out of range \\(allowed: 1 to 10000"),
        ("1/99999", "out of range \\(allowed: 1 to 10000"),
        ("3", "is not of the form I/N"),
        ("-1/4", "is not of the form I/N"),
        ("1/4 ", "is not of the form I/N"),
        ("a/b", "is not of the form I/N"),
        ("٣/٤", "is not of the form I/N"),
    ],
)
def test_a_share_that_is_none_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_shard(text)


def test_a_share_is_read_as_it_is_written() -> None:
    assert parse_shard("3/16") == Shard(3, 16)
    assert str(Shard(3, 16)) == "3/16"
