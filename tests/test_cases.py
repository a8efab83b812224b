"""A family of cases in one test reports every case that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import each_case


def test_every_failing_case_is_reported_with_its_input() -> None:
    @each_case("number", range(6))
    def check(number: int) -> None:
        assert number % 2 == 0

    with pytest.raises(ExceptionGroup) as caught:
        check()
    assert str(caught.value).startswith("3 of 6 cases fail:")
    for number in (1, 3, 5):
        assert f"case {number}: {{'number': {number}}}" in str(caught.value)
    assert len(caught.value.exceptions) == 3


def test_the_only_failing_case_is_raised_itself_with_its_name() -> None:
    @each_case(("first", "second"), [pytest.param(1, 2, id="apart"), (3, 3)])
    def check(first: int, second: int) -> None:
        if first != second:
            pytest.fail("they differ")

    with pytest.raises(AssertionError, match="they differ") as caught:
        check()
    assert caught.value.__notes__ == ["case apart: {'first': 1, 'second': 2}"]


def test_all_combinations_of_two_families_are_called() -> None:
    called = []

    @each_case("letter", "ab")
    @each_case("number", [1, 2])
    def check(letter: str, number: int) -> None:
        called.append((letter, number))

    check()
    assert called == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]


def test_cases_that_cannot_run_are_skipped_only_if_all_are() -> None:
    @each_case("number", [1, 2])
    def check(number: int, most: int) -> None:
        if number > most:
            pytest.skip("too large")

    check(most=1)
    with pytest.raises(pytest.skip.Exception):
        check(most=0)


def test_a_family_without_cases_or_with_unknown_arguments_is_an_error() -> None:
    @each_case("number", [])
    def check(number: int) -> None:
        pass

    with pytest.raises(AssertionError, match="no cases"):
        check()
    with pytest.raises(AssertionError, match="lacks"):
        each_case("other", [1])(check)


@each_case("name", ["a", "b"])
def test_each_case_has_a_folder_and_patches_of_its_own(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text(name)
    monkeypatch.setitem(globals(), f"patched_{name}", True)
    assert [item for item in globals() if item.startswith("patched_")] == [f"patched_{name}"]
    print(name)
    assert capsys.readouterr().out == f"{name}\n"
