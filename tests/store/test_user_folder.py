"""Data kept for the user: a private secret, and the trusted folders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from exporter.model.errors import OutsideError, StoreError
from exporter.store import user_folder as user_folder_module
from exporter.store.user_folder import (
    SECRET,
    TRUSTED,
    Seal,
    trust,
    trusted_folders,
    user_folder,
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a new user, which does not exist yet."""
    home = tmp_path / "user" / "home"
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(home))
    user_folder_module._secret.cache_clear()
    yield home
    user_folder_module._secret.cache_clear()


def fresh_seal(root: Path) -> Seal:
    """Return the seal of a process that has just started."""
    user_folder_module._secret.cache_clear()
    return Seal(root)


# --- where it lies -------------------------------------------------------------------------------


def test_the_users_own_folder_is_where_each_system_keeps_such_things(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("LEVEL_EXPORTER_HOME")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("APPDATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(user_folder_module.sys, "platform", "linux")
    assert user_folder() == tmp_path / ".config" / "level-exporter"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    assert user_folder() == tmp_path / "xdg" / "level-exporter"
    monkeypatch.setattr(user_folder_module.sys, "platform", "darwin")
    expected = tmp_path / "Library" / "Application Support" / "level-exporter"
    assert user_folder() == expected
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "chosen"))
    assert user_folder() == tmp_path / "chosen"


def test_on_windows_it_lies_with_the_roaming_data(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Windows:
        name = "nt"
        environ = os.environ
        devnull = os.devnull

    monkeypatch.delenv("LEVEL_EXPORTER_HOME")
    monkeypatch.setattr(user_folder_module, "os", Windows())
    monkeypatch.setenv("APPDATA", str(tmp_path))
    assert user_folder() == tmp_path / "level-exporter"
    monkeypatch.delenv("APPDATA")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_folder() == tmp_path / "AppData" / "Roaming" / "level-exporter"


# --- the seal ------------------------------------------------------------------------------------


def test_a_seal_fits_its_contents_in_every_process(home: Path, tmp_path: Path) -> None:
    first = fresh_seal(tmp_path).of(b"a", b"b")
    assert len(first) == 32
    assert fresh_seal(tmp_path).of(b"a", b"b") == first
    assert fresh_seal(tmp_path).fits(first, b"a", b"b")


def test_a_seal_fits_no_other_contents_and_no_other_division_of_them(
    home: Path, tmp_path: Path
) -> None:
    seal = Seal(tmp_path)
    result = seal.of(b"ab", b"c")
    for parts in ((b"a", b"bc"), (b"abc",), (b"c", b"ab"), (b"ab", b"c", b""), (b"ab",), ()):
        assert not seal.fits(result, *parts)
    for other in (b"", result[:-1], result + b"\0", bytes(32), result[::-1]):
        assert not seal.fits(other, b"ab", b"c")
    for index in range(len(result)):
        flipped = bytearray(result)
        flipped[index] ^= 1
        assert not seal.fits(bytes(flipped), b"ab", b"c")


def test_another_user_has_another_seal(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = fresh_seal(tmp_path).of(b"a")
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "other user"))
    assert not fresh_seal(tmp_path).fits(result, b"a")


def test_another_position_has_another_seal_and_a_link_to_the_position_the_same(
    home: Path, tmp_path: Path
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "link").symlink_to("one")
    result = Seal(tmp_path / "one").of(b"a")
    assert Seal(tmp_path / "link").fits(result, b"a")
    assert Seal(tmp_path / "x" / ".." / "one").fits(result, b"a")
    (tmp_path / "one").rename(tmp_path / "two")
    assert not Seal(tmp_path / "two").fits(result, b"a")
    assert not Seal(tmp_path).fits(result, b"a")


def test_the_secret_is_for_the_user_alone_and_is_preserved(home: Path, tmp_path: Path) -> None:
    Seal(tmp_path)
    secret = (home / SECRET).read_bytes()
    assert len(secret) == 32
    assert (home / SECRET).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in home.iterdir()] == [SECRET]
    fresh_seal(tmp_path)
    assert (home / SECRET).read_bytes() == secret


@pytest.mark.parametrize("content", [b"", b"short", bytes(33), bytes(31)])
def test_a_damaged_secret_is_created_anew_and_for_the_user_alone(
    home: Path, tmp_path: Path, content: bytes
) -> None:
    home.mkdir(parents=True)
    (home / SECRET).write_bytes(content)
    os.chmod(home / SECRET, 0o644)
    result = fresh_seal(tmp_path).of(b"a")
    assert len((home / SECRET).read_bytes()) == 32
    assert (home / SECRET).stat().st_mode & 0o777 == 0o600
    assert fresh_seal(tmp_path).fits(result, b"a")


@pytest.mark.parametrize("obstacle", ["file", "folder in the place", "no home"])
def test_where_nothing_can_be_preserved_each_process_has_a_seal_of_its_own(
    home: Path, tmp_path: Path, obstacle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if obstacle == "file":
        home.parent.mkdir()
        home.write_bytes(b"in the way")
    elif obstacle == "folder in the place":
        (home / SECRET).mkdir(parents=True)
    else:
        monkeypatch.delenv("LEVEL_EXPORTER_HOME")
        monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)

        def none() -> Path:
            raise RuntimeError("Could not determine home directory.")

        monkeypatch.setattr(user_folder_module.Path, "home", none)
    result = fresh_seal(tmp_path).of(b"a")
    assert Seal(tmp_path).fits(result, b"a")
    assert not fresh_seal(tmp_path).fits(result, b"a")
    assert trusted_folders(tmp_path) == ()
    with pytest.raises(StoreError) if obstacle != "folder in the place" else _nothing():
        trust(tmp_path, tmp_path / "game")


class _nothing:  # noqa: N801
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


def test_processes_that_start_at_once_have_one_secret(home: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from exporter.store.user_folder import Seal\n"
        "sys.stdin.readline()\n"
        "print(Seal(Path(sys.argv[1])).of(b'a').hex())\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    children = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    seals = {child.communicate(timeout=60)[0] for child in children}
    assert len(seals) == 1
    assert [path.name for path in home.iterdir()] == [SECRET]


def test_the_slower_of_two_processes_takes_the_secret_of_the_faster(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = user_folder_module._keep_secret

    def keep(folder: Path, secret: bytes, *, damaged: bool) -> None:
        real(folder, b"f" * 32, damaged=damaged)  # another process, just before
        real(folder, secret, damaged=damaged)

    monkeypatch.setattr(user_folder_module, "_keep_secret", keep)
    Seal(tmp_path)
    assert (home / SECRET).read_bytes() == b"f" * 32
    assert user_folder_module._secret(str(home)) == b"f" * 32
    assert [path.name for path in home.iterdir()] == [SECRET]


# --- trust ---------------------------------------------------------------------------------------


def test_what_is_trusted_is_preserved_by_real_paths(home: Path, tmp_path: Path) -> None:
    project, game = tmp_path / "project", tmp_path / "game"
    project.mkdir()
    game.mkdir()
    (tmp_path / "link").symlink_to("game")
    (tmp_path / "project link").symlink_to("project")
    assert trusted_folders(project) == ()
    assert trust(tmp_path / "project link", tmp_path / "link")
    real = Path(os.path.realpath(game))
    assert trusted_folders(project) == (real,)
    assert not trust(project, project / ".." / "game")
    assert trust(project, tmp_path / "other")
    assert trusted_folders(project) == (real, Path(os.path.realpath(tmp_path / "other")))
    document = json.loads((home / TRUSTED).read_bytes())
    assert list(document["trusted"]) == [os.path.realpath(project)]


def test_trust_is_one_projects_and_stays_behind_when_it_moves(home: Path, tmp_path: Path) -> None:
    item, two = tmp_path / "one", tmp_path / "two"
    item.mkdir()
    two.mkdir()
    trust(item, tmp_path / "game")
    trust(two, tmp_path / "other")
    assert len(trusted_folders(item)) == len(trusted_folders(two)) == 1
    assert trusted_folders(tmp_path) == trusted_folders(item / "inner") == ()
    item.rename(tmp_path / "moved")
    assert trusted_folders(tmp_path / "moved") == ()


@pytest.mark.parametrize("place", [".git", "game/.git/hooks", ".EXPORTER", "game/.svn "])
def test_what_belongs_to_version_control_is_never_trusted(
    home: Path, tmp_path: Path, place: str
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    with pytest.raises(OutsideError, match="where outputs are not allowed"):
        trust(project, tmp_path / place)
    assert trusted_folders(project) == ()
    inner = tmp_path / ".git" / "project"
    assert trust(inner, tmp_path / ".git" / "game")


DAMAGED = [
    b"",
    b"{",
    b"5",
    b"[]",
    b"null",
    b'{"version": 1}',
    b'{"trusted": 5}',
    b'{"trusted": {"a": 5}}',
    b"[" * 100_000,
    b"\xff",
]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_list_of_trusted_folders_trusts_nothing_and_is_not_written_over(
    home: Path, tmp_path: Path, content: bytes
) -> None:
    home.mkdir(parents=True)
    (home / TRUSTED).write_bytes(content)
    with pytest.raises(StoreError, match=r"trusted\.json is damaged"):
        trusted_folders(tmp_path)
    with pytest.raises(StoreError, match=r"trusted\.json is damaged"):
        trust(tmp_path, tmp_path / "game")
    assert (home / TRUSTED).read_bytes() == content


def test_a_list_that_cannot_be_read_is_reported(home: Path, tmp_path: Path) -> None:
    (home / TRUSTED).mkdir(parents=True)
    with pytest.raises(StoreError, match=r"trusted\.json"):
        trusted_folders(tmp_path)
