"""Files that another program holds open: waiting time and messages."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from exporter.model.errors import HeldError, StoreError
from exporter.store import held_files
from exporter.store.held_files import ATTEMPTS, insist, is_held, refused


class _Refusals:
    """An action that the system refuses some times, and then does."""

    def __init__(self, error: OSError, times: int) -> None:
        self.error = error
        self.left = times
        self.calls = 0

    def __call__(self) -> None:
        self.calls += 1
        if self.left:
            self.left -= 1
            raise self.error


def windows_error(number: int) -> OSError:
    """Return an error as Windows raises it."""
    error = PermissionError(errno.EACCES, "in use")
    error.winerror = number  # type: ignore[attr-defined]
    return error


def plain_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    result: list[float] = []
    monkeypatch.setattr(held_files.time, "sleep", result.append)
    return result


HELD = [
    windows_error(5),
    windows_error(32),
    windows_error(33),
    plain_error(errno.EBUSY),
    plain_error(errno.ETXTBSY),
]
NOT_HELD = [
    windows_error(2),
    windows_error(112),
    plain_error(errno.EACCES),
    plain_error(errno.EPERM),
    plain_error(errno.ENOSPC),
    plain_error(errno.ENOENT),
]


@pytest.mark.parametrize("error", HELD)
@pytest.mark.parametrize("times", [0, 1, ATTEMPTS - 1])
def test_a_file_that_is_held_for_a_moment_is_done_in_the_end(
    pauses: list[float], error: OSError, times: int
) -> None:
    action = _Refusals(error, times)
    insist(action)
    assert action.calls == times + 1
    assert len(pauses) == times


@pytest.mark.parametrize("error", HELD)
def test_a_file_that_stays_held_is_refused_after_about_a_second(
    pauses: list[float], error: OSError
) -> None:
    action = _Refusals(error, 10 * ATTEMPTS)
    with pytest.raises(OSError, match=r".") as caught:
        insist(action)
    assert caught.value is error
    assert is_held(error)
    assert action.calls == ATTEMPTS
    assert 0.5 < sum(pauses) < 2
    assert max(pauses) < 0.2


@pytest.mark.parametrize("error", NOT_HELD)
def test_any_other_refusal_is_final(pauses: list[float], error: OSError) -> None:
    action = _Refusals(error, 1)
    with pytest.raises(OSError, match=r".") as caught:
        insist(action)
    assert caught.value is error
    assert not is_held(error)
    assert action.calls == 1
    assert pauses == []


def test_what_is_held_is_reported_as_worth_another_try() -> None:
    for error in HELD:
        reported = refused(error, Path("a/b"))
        assert type(reported) is HeldError
        assert str(reported).startswith(f"{Path('a/b')} is held open by another program")


def test_what_the_system_refused_is_reported_in_its_words() -> None:
    reported = refused(plain_error(errno.ENOSPC), "a")
    assert type(reported) is StoreError
    assert str(reported) == f"a: {os.strerror(errno.ENOSPC)}"
    assert str(refused(OSError("odd"), "a")) == "a: odd"
