"""Differences of two texts of a spec: their report, and its bounded time."""

from __future__ import annotations

import time

import pytest

from exporter.studio.differences import MAXIMUM_LINES, differing_lines, merged_text

# One text with these lines held up the server for a minute, and all tabs with it.
REPEATING = ("\n".join(["a", "b"] * 1000).encode(), "\n".join(["b", "a", "c"] * 666).encode())
SHUFFLED = (
    "\n".join(str(index % 25) for index in range(740)).encode(),
    "\n".join(str(index * 7 % 26) for index in range(740)).encode(),
)


def test_a_changed_line_is_reported_with_those_around_it() -> None:
    theirs = "\n".join(map(str, range(20))).encode()
    assert [
        (differing_line["side"], differing_line["text"])
        for differing_line in differing_lines(b"x\n" + theirs, theirs)
    ] == [
        ("mine", "x"),
        ("both", "0"),
        ("both", "1"),
    ]
    mine = theirs.replace(b"\n10\n", b"\nten\n").replace(b"\n17\n", b"\n")
    assert [
        (differing_line["side"], differing_line["text"])
        for differing_line in differing_lines(mine, theirs)
    ] == [
        ("both", "8"),
        ("both", "9"),
        ("theirs", "10"),
        ("mine", "ten"),
        ("both", "11"),
        ("both", "12"),
        ("both", "15"),
        ("both", "16"),
        ("theirs", "17"),
        ("both", "18"),
        ("both", "19"),
    ]


def test_lines_that_a_long_text_repeats_are_still_matched() -> None:
    theirs = [str(index % 60) for index in range(300)]
    mine = theirs.copy()
    mine[20], mine[280] = "x", "y"
    base, changed = ("".join(f"{line}\n" for line in lines).encode() for lines in (theirs, mine))
    lines = differing_lines(changed, base)
    assert [line["text"] for line in lines if line["side"] == "mine"] == ["x", "y"]
    other = base.replace(b"59\n0\n", b"59\nnew\n0\n", 1)
    assert merged_text(base, changed, other) == changed.replace(b"59\n0\n", b"59\nnew\n0\n", 1)


def test_the_same_text_has_no_differences() -> None:
    assert differing_lines(b"a\nb", b"a\nb") == []


@pytest.mark.parametrize("texts", [REPEATING, SHUFFLED])
def test_no_texts_take_long_to_compare(texts: tuple[bytes, bytes]) -> None:
    begun = time.process_time()
    result = differing_lines(*texts)
    assert time.process_time() - begun < 1
    assert {"mine", "theirs"} <= {item["side"] for item in result}
    assert len(result) <= MAXIMUM_LINES


def test_of_long_texts_both_sides_are_reported() -> None:
    mine, theirs = (b"\n".join(b"%d" % n for n in range(k, k + 5000)) for k in (0, 9000))
    result = differing_lines(mine, theirs)
    assert [item["side"] for item in result] == ["theirs"] * 200 + ["mine"] * 200
