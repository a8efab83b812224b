"""The index of a target folder: it is read back as written, and nothing else counts."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.store.indexes import index_text, is_digest, is_inside, read_index

A, B, C = (hashlib.sha256(text).hexdigest() for text in (b"a", b"b", b"c"))

_part = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="/\\:"),
    min_size=1,
).filter(lambda part: part not in (".", ".."))
_paths = st.lists(_part, min_size=1, max_size=4).map("/".join)
_digests = st.binary(min_size=1).map(lambda data: hashlib.sha256(data).hexdigest())
_lines = st.dictionaries(_paths, st.frozensets(_digests, min_size=1, max_size=3), max_size=8)


@given(_lines)
def test_what_is_written_is_read(lines: dict[str, frozenset[str]]) -> None:
    text = index_text(lines)
    assert read_index(text) == lines
    assert text.splitlines() == sorted(text.splitlines())
    assert index_text(read_index(text)) == text
    assert index_text(dict(reversed(lines.items()))) == text
    # As version control may bring it.
    assert read_index(text.replace(b"\n", b"\r\n")) == lines
    assert read_index(text.removesuffix(b"\n")) == lines
    assert read_index(b"\xef\xbb\xbf\n" + text) == lines


@given(_lines, _lines, _lines)
def test_of_two_sides_of_a_conflict_both_count(
    base: dict[str, frozenset[str]],
    ours: dict[str, frozenset[str]],
    theirs: dict[str, frozenset[str]],
) -> None:
    merged = b"".join(
        (
            index_text(base),
            b"<<<<<<< HEAD\n",
            index_text(ours),
            b"||||||| parent\n=======\n",
            index_text(theirs),
            b">>>>>>> branch\n",
        )
    )
    expected: dict[str, frozenset[str]] = {}
    for side in (base, ours, theirs):
        for path, digests in side.items():
            expected[path] = expected.get(path, frozenset()) | digests
    assert read_index(merged) == expected


@given(st.binary(max_size=300))
def test_any_bytes_are_an_index_that_stays_inside(data: bytes) -> None:
    for path, digests in read_index(data).items():
        assert is_inside(path)
        assert all(map(is_digest, digests))


@pytest.mark.parametrize(
    "line",
    [
        f"{A}  ../canary",
        f"{A}  /etc/passwd",
        f"{A}  a/../../canary",
        f"{A}  a/..",
        f"{A}  .",
        f"{A}  ./a",
        f"{A}  a//b",
        f"{A}  a/",
        f"{A}  ..\\canary",
        f"{A}  C:/canary",
        f"{A}  a:stream",
        f"{A}  a\0b",
        f"{A}  a\x1b[2Jb",
        f"{A}  a\u202eb",
        f"{A}  ",
        f"{A}   a",
        f"{A} a",
        f"{A} *a",
        f"{A.upper()}  a",
        f"{A[:-1]}  a",
        f"{A}0  a",
        f" {A}  a",
        f"# {A}  a",
        "",
        "  ",
    ],
)
def test_a_line_that_leads_out_or_is_none_is_skipped(line: str) -> None:
    assert read_index(f"{B}  b\n{line}\n{C}  c\n".encode()) == {
        "b": frozenset((B,)),
        "c": frozenset((C,)),
    }


def test_a_path_that_cannot_be_decoded_is_no_path_of_ours() -> None:
    assert list(read_index(f"{A}  ".encode() + b"a\xff\n")) == ["a\N{REPLACEMENT CHARACTER}"]


@pytest.mark.parametrize("path", ["a", "a/b", ".a", "...", "a..b", "a b", "é/ü", "..a", "a.."])
def test_plain_paths_stay_inside(path: str) -> None:
    assert is_inside(path)


@pytest.mark.parametrize("path", ["", "/", "\ud800", "a\n", "a\r", "\x7f", "\x9b", "a\u2028b"])
def test_other_paths_do_not(path: str) -> None:
    assert not is_inside(path)


def test_only_a_sha256_in_small_letters_is_one() -> None:
    assert is_digest(A)
    for other in (A[:-1], A + "0", A.upper(), A + "\n", "", None, 5, True, ["a"], A.encode()):
        assert not is_digest(other)


def test_an_empty_index_lists_nothing() -> None:
    assert index_text({}) == index_text({"a": ()}) == b""
    assert read_index(b"") == {}
