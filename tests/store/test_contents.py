"""Whether a file still has a content that we gave it: line endings are no edits."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.formats.engine_files import EngineFiles
from exporter.store import contents
from exporter.store.contents import NoRules, digest_of, matching

PATH = "t/a.tmj"


class _Comments(NoRules):
    """Of a sidecar the lines that begin with `#` are the engine's."""

    def own_part(self, path: str, data: bytes) -> bytes | None:
        if not path.endswith(".meta"):
            return None
        assert b"\r\n" not in data  # rules need not know of line endings
        return b"".join(x for x in data.splitlines(keepends=True) if not x.startswith(b"#"))


def unchanged_digest(
    data: bytes, *written: bytes, path: str = PATH, sidecar: bool = False
) -> str | None:
    digests = [digest_of(content) for content in written]
    return matching(data, digests, _Comments(), path, sidecar=sidecar)


def test_a_digest_is_the_sha256_in_hexadecimal_digits() -> None:
    assert digest_of(b"abc") == hashlib.sha256(b"abc").hexdigest()


def _texts(*parts: str) -> st.SearchStrategy[bytes]:
    result = st.lists(st.sampled_from(parts), max_size=8)
    return result.map(lambda parts: "".join(parts).encode())


_text = _texts("a", "b\n", "\n", "\r\n", "\r", "é")


@given(_texts("a", "b\n", "\n", "\r\n", "é"))
def test_a_text_matches_itself_and_with_the_other_line_endings(text: bytes) -> None:
    unix = text.replace(b"\r\n", b"\n")
    dos = unix.replace(b"\n", b"\r\n")
    for written in (unix, dos):
        for placed_at in (unix, dos):
            assert unchanged_digest(placed_at, written) == digest_of(written)
    assert unchanged_digest(text, text) == digest_of(text)


@given(_text, _text)
def test_texts_that_differ_in_more_than_line_endings_do_not_match(
    first: bytes, second: bytes
) -> None:
    same = first.replace(b"\r\n", b"\n") == second.replace(b"\r\n", b"\n")
    if not same:
        assert unchanged_digest(first, second) is None


@pytest.mark.parametrize("other", [b"a\r", b"\na", b"a \n", b"a\n\n", b"a", b"", b"A\n"])
def test_anything_else_is_an_edit(other: bytes) -> None:
    assert unchanged_digest(other, b"a\n") is None


def test_of_a_binary_file_every_byte_counts() -> None:
    binary = b"\x89PNG\r\n\x1a\n\0\r\n"
    assert unchanged_digest(binary, binary) == digest_of(binary)
    assert unchanged_digest(binary.replace(b"\r\n", b"\n"), binary) is None
    assert unchanged_digest(binary, binary.replace(b"\r\n", b"\n")) is None


def test_of_a_very_large_file_every_byte_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "MAXIMUM_TEXT", 5)
    assert unchanged_digest(b"a\r\nb\n", b"a\nb\n") == digest_of(b"a\nb\n")
    assert unchanged_digest(b"a\r\nbb\n", b"a\nbb\n") is None
    assert unchanged_digest(b"a\r\nbb\n", b"a\r\nbb\n") == digest_of(b"a\r\nbb\n")


def test_the_content_that_a_file_has_is_named_among_several() -> None:
    assert unchanged_digest(b"two\r\n", b"one\n", b"two\n", b"three\n") == digest_of(b"two\n")
    assert unchanged_digest(b"four\n", b"one\n", b"two\n") is None


def test_nothing_matches_nothing() -> None:
    assert unchanged_digest(b"") is None
    assert unchanged_digest(b"", b"") == digest_of(b"")
    assert matching(b"", [""], _Comments(), PATH, sidecar=True) is None


def test_of_a_sidecar_only_what_we_wrote_counts() -> None:
    for data in (b"a\n# x\n", b"# x\r\na\r\n", b"a\n"):
        assert unchanged_digest(data, b"a\n", path="b.meta", sidecar=True) == digest_of(b"a\n")
    assert unchanged_digest(b"a\n# x\n", b"a\n", path="b.meta", sidecar=False) is None
    assert unchanged_digest(b"a\n# x\n", b"a\n", path="b.txt", sidecar=True) is None
    assert unchanged_digest(b"b\n# x\n", b"a\n", path="b.meta", sidecar=True) is None


def test_without_rules_no_file_is_a_sidecar() -> None:
    rules = NoRules()
    assert rules.own_part("a.meta", b"") is None
    assert rules.merged("a.meta", b"", b"") is None
    assert rules.identity("a.meta", b"") is None
    assert rules.other_identity("a") == "a"


@given(st.binary(max_size=200), st.sampled_from(["a.import", "a.meta", "a.tscn", "a.png"]))
def test_the_engines_rules_read_any_bytes(data: bytes, path: str) -> None:
    rules = EngineFiles()
    for form in (data, b"[remap]\n" + data, b"fileFormatVersion: 2\nguid: " + data):
        own = rules.own_part(path, form)
        assert own is None or isinstance(own, bytes)
        merged = rules.merged(path, form, b'[remap]\n\nimporter="texture"\n')
        assert merged is None or isinstance(merged, bytes)
        identity = rules.identity(path, form)
        if identity is not None:
            other = rules.other_identity(identity)
            assert other != identity
            assert other == rules.other_identity(identity)
