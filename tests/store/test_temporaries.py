"""Names of temporary files: they cannot be guessed, and leftovers are recognised."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from exporter.store import file_names
from exporter.store.atomic_files import replace_file
from exporter.store.file_names import is_leftover, process_lives, temporary_name

NOBODY = 999_999_999  # more than any system counts its processes to
DIGITS = "0123456789abcdef"


class _Windows:
    """The `os` module as on Windows, as far as names show it."""

    name = "nt"

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    @staticmethod
    def kill(*_: object) -> None:
        pytest.fail("there, a signal of 0 is Ctrl+C")


def test_names_are_never_the_same_and_hold_64_random_bits() -> None:
    names = {temporary_name() for _ in range(500)}
    assert len(names) == 500
    parts = [name.split(".") for name in names]
    assert all(part[:3] == ["", "level-exporter", str(os.getpid())] for part in parts)
    assert all(part[4:] == ["tmp"] and len(part[3]) == 16 for part in parts)
    # Every digit occurs at every position of some name: none of them is fixed or counted up.
    for index in range(16):
        assert {part[3][index] for part in parts} == set(DIGITS)


def test_a_name_does_not_follow_from_seeded_random_numbers() -> None:
    import random

    state = random.getstate()
    random.seed(1)
    first = temporary_name()
    random.seed(1)
    assert temporary_name() != first
    random.setstate(state)


def test_files_that_have_all_guessable_names_are_in_missing_way(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    canary.write_bytes(b"theirs")
    folder = tmp_path / "folder"
    folder.mkdir()
    guessed = [f".a.{os.getpid()}.tmp", f".level-exporter.{os.getpid()}.{0:016x}.tmp", "a.tmp"]
    for name in guessed:
        (folder / name).symlink_to(canary)
    replace_file(folder / "a", b"new")
    assert canary.read_bytes() == b"theirs"
    assert sorted(path.name for path in folder.iterdir()) == sorted([*guessed, "a"])


HEX = "0123456789abcdef"


@pytest.mark.parametrize(
    ("name", "leftover"),
    [
        (f".level-exporter.{NOBODY}.{HEX}.tmp", True),
        (f".level-exporter.{{own}}.{HEX}.tmp", True),  # of an earlier process
        (f".level-exporter.{{parent}}.{HEX}.tmp", False),
        (f".level-exporter.{NOBODY}.{HEX}.tmp.bak", False),
        (f"level-exporter.{NOBODY}.{HEX}.tmp", False),
        (f".level-exporter.{NOBODY}.{HEX}.TMP", False),
        (f".level-exporter.{NOBODY}.{HEX}", False),
        (f".level-exporter.{HEX}.tmp", False),
        (f".level-exporter.{9_999_999_999}.{HEX}.tmp", True),
        (f".level-exporter.{10**10}.{HEX}.tmp", False),  # no process has such a number
        (f".level-exporter.-5.{HEX}.tmp", False),
        (f".level-exporter.{NOBODY}.{HEX}.tmp\n", False),
        (f".a.{NOBODY}.tmp", False),
        (".tmp", False),
        ("", False),
    ],
)
def test_only_the_temporary_file_of_a_dead_process_is_a_leftover(name: str, leftover: bool) -> None:
    # Not in the names of the tests: those are the same in every process that runs them.
    name = name.format(own=os.getpid(), parent=os.getppid())
    assert is_leftover(name) == leftover


def test_our_own_names_are_leftovers_once_we_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("waits for a child process")
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.write(write, temporary_name().encode())
        os._exit(0)
    name = os.read(read, 100).decode()
    os.waitpid(child, 0)
    os.close(read)
    os.close(write)
    assert is_leftover(name)


def test_a_process_of_another_user_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(number: int) -> None:
        def refused(*_: object) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "kill", refused)

    refuse(errno.EPERM)
    assert process_lives(NOBODY)
    refuse(errno.ESRCH)
    assert not process_lives(NOBODY)


def test_on_windows_no_process_is_requested_with_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_names, "os", _Windows())
    assert process_lives(NOBODY)
    assert not process_lives(os.getpid())
