"""The one way to write: nothing outside of a project is written, whatever links lie in it.

Every test runs with folder handles, and without them as on Windows.
"""

from __future__ import annotations

import errno
import os
import socket
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from exporter.model.errors import OutsideError
from exporter.store import folder as folder_module
from exporter.store import held_files
from exporter.store.file_names import check_names, reserved_name
from exporter.store.folder import Directory, Folder, parts_beside, split

if os.name == "nt":
    pytest.skip("links need rights there", allow_module_level=True)
import resource  # unknown on Windows


@pytest.fixture(params=["handles", "paths"], autouse=True)
def handles(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the system has folder handles."""
    if request.param == "paths":
        monkeypatch.setattr(folder_module, "_HANDLES", False)
        monkeypatch.setattr(folder_module, "_NOFOLLOW", 0)
    elif not folder_module._HANDLES:
        pytest.skip("this system has none")
    return bool(request.param == "handles")


Tree = dict[str, tuple[Any, ...]]


def tree(root: Path) -> Tree:
    """Return all that lies below a folder, with contents and times."""
    result: Tree = {}
    for path in sorted(root.rglob("*")):
        status = path.lstat()
        content: Any = None
        if path.is_symlink():
            content = os.readlink(path)
        elif path.is_file():
            content = path.read_bytes()
        result[path.relative_to(root).as_posix()] = (status.st_mode, status.st_mtime_ns, content)
    return result


class Location:
    """A project beside other folders."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.root = base / "project"
        self.other = base / "other"
        self.game = base / "game"
        for folder in (self.root / "inside" / "deep", self.other / "deep", self.game / "deep"):
            folder.mkdir(parents=True)
            (folder / "canary").write_bytes(b"theirs")
            (folder.parent / "canary").write_bytes(b"theirs")
        self.folder = Folder(self.root)
        self.trusting = Folder(self.root, lambda: [self.game])


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[Location]:
    """A project; files outside of it must be the same at the end."""
    position = Location(Path(os.path.realpath(tmp_path)))
    before = tree(position.other)
    yield position
    assert tree(position.other) == before


def attempts(folder: Folder, path: str, name: str = "canary") -> list[Callable[[], Any]]:
    """Return everything that can be done to a file below a folder."""

    def create() -> None:
        with folder.open(path, make=True) as directory:
            directory.create(name, b"evil", durable=False)

    return [
        create,
        lambda: folder.write(f"{path}/{name}", b"evil", make=True),
        lambda: folder.write(f"{path}/{name}", b"evil"),
        lambda: folder.remove(f"{path}/{name}"),
        lambda: folder.read(f"{path}/{name}"),
        lambda: folder.check(path),
    ]


# --- where a path really lies --------------------------------------------------------------------


LINKS = {
    "the last folder": ("out", "../other", "out"),
    "a folder in the middle": ("out", "../other", "out/deep"),
    "a folder deep inside": ("inside/out", "../../other/deep", "inside/out"),
    "an absolute one": ("out", "{other}", "out"),
    "one that dangles outside": ("out", "../other/none", "out"),
    "one in a folder that dangles": ("out", "../other/none", "out/more"),
    "back out of a folder": ("inside/up", "..", "inside/up/../other"),
    "no link at all": ("unused", ".", "../other"),
    "through a folder that is not there": ("unused", ".", "none/../../other"),
    "the folder above": ("up", "..", "up"),
    "the root of the system": ("up", "/", "up/tmp"),
}


@pytest.mark.parametrize("case", LINKS)
@pytest.mark.parametrize("trusting", [False, True])
def test_nothing_is_done_outside(folders: Location, case: str, trusting: bool) -> None:
    link, leads, path = LINKS[case]
    (folders.root / link).symlink_to(leads.format(other=folders.other))
    folder = folders.trusting if trusting else folders.folder
    for attempt in attempts(folder, path):
        with pytest.raises(OutsideError, match="is outside the project") as caught:
            attempt()
        assert caught.value.trustable
        assert repr(path) in str(caught.value)
    folder.remove_empty(path)
    assert sorted(tree(folders.game)) == ["canary", "deep", "deep/canary"]


def test_a_chain_of_links_is_judged_by_its_end(folders: Location) -> None:
    (folders.root / "one").symlink_to("two")
    (folders.root / "two").symlink_to("inside/three")
    (folders.root / "inside" / "three").symlink_to("../../other")
    (folders.root / "four").symlink_to("inside/five")
    (folders.root / "inside" / "five").symlink_to("../../project/inside/deep")
    with pytest.raises(OutsideError):
        folders.folder.write("one/a", b"evil")
    folders.folder.write("four/a", b"ours")
    assert (folders.root / "inside/deep/a").read_bytes() == b"ours"


def test_links_in_a_circle_are_refused(folders: Location) -> None:
    (folders.root / "one").symlink_to("two")
    (folders.root / "two").symlink_to("one")
    for path in ("one", "one/more"):
        with pytest.raises(OSError, match=r".|"):
            folders.folder.write(f"{path}/a", b"")
    assert sorted(path.name for path in folders.root.iterdir()) == ["inside", "one", "two"]


def test_a_neighbour_with_the_projects_prefix_is_outside(folders: Location) -> None:
    (folders.base / "project2").mkdir()
    (folders.base / "game2").mkdir()
    for path in ("../project2", "../game2"):
        with pytest.raises(OutsideError):
            folders.trusting.check(path)


@pytest.mark.parametrize("path", ["link", "link/deep", "up/project/inside", "../project/inside"])
def test_ways_that_end_inside_are_open(folders: Location, path: str) -> None:
    (folders.root / "link").symlink_to("inside")
    (folders.root / "up").symlink_to("..")
    folders.folder.write(f"{path}/new", b"ours")
    assert (folders.root / path / "new").read_bytes() == b"ours"
    assert folders.folder.read(f"{path}/new")[0] == b"ours"
    folders.folder.remove(f"{path}/new")
    assert not (folders.root / path / "new").exists()


@pytest.mark.parametrize("path", ["../game", "../game/deep", "../game/new/folder", "link/deep"])
def test_trusted_folders_are_written_and_nothing_beside_them(folders: Location, path: str) -> None:
    (folders.root / "link").symlink_to("../game")
    with pytest.raises(OutsideError):
        folders.folder.write(f"{path}/a", b"evil", make=True)
    folders.trusting.write(f"{path}/a", b"ours", make=True)
    assert (folders.root / path / "a").read_bytes() == b"ours"
    for outside in ("..", "../other", "../game/../other", "../new"):
        with pytest.raises(OutsideError):
            folders.trusting.write(f"{outside}/a", b"evil", make=True)
    (folders.game / "out").symlink_to("../other")
    with pytest.raises(OutsideError):
        folders.trusting.write("../game/out/a", b"evil")


def test_a_trusted_folder_is_created_and_the_project_is_not(folders: Location) -> None:
    folder = Folder(folders.root, lambda: [folders.base / "new" / "game"])
    with pytest.raises(FileNotFoundError):
        folder.write("../new/game/a", b"")
    assert not (folders.base / "new").exists()
    folder.write("../new/game/deep/a", b"ours", make=True)
    assert (folders.base / "new/game/deep/a").read_bytes() == b"ours"
    with pytest.raises(OutsideError):
        folder.write("../new/b", b"", make=True)


def test_what_the_user_trusts_is_requested_for_only_outside(folders: Location) -> None:
    requested: list[int] = []

    def trusted() -> list[Path]:
        requested.append(1)
        return []

    folder = Folder(folders.root, trusted)
    folder.write("inside/deep/a", b"")
    folder.check(".")
    assert requested == []
    with pytest.raises(OutsideError):
        folder.check("../game")
    assert requested == [1]


def test_what_is_trusted_is_requested_for_every_time(folders: Location) -> None:
    trusted: list[Path] = []
    folder = Folder(folders.root, lambda: trusted)
    with pytest.raises(OutsideError):
        folder.write("../game/a", b"")
    trusted.append(folders.game)
    folder.write("../game/a", b"")
    trusted.clear()
    with pytest.raises(OutsideError):
        folder.write("../game/b", b"")


def test_who_trusts_the_root_of_the_system_trusts_everything(folders: Location) -> None:
    Folder(folders.root, lambda: [Path("/")]).write("../game/a", b"")
    assert (folders.game / "a").exists()


def test_a_project_that_is_reached_through_a_link_is_written_itself(folders: Location) -> None:
    (folders.base / "link").symlink_to("project")
    folder = Folder(folders.base / "link")
    folder.write("inside/a", b"ours")
    assert (folders.root / "inside/a").read_bytes() == b"ours"
    with pytest.raises(OutsideError):
        folder.check("../other")


def test_a_project_that_is_not_there_is_not_created(folders: Location) -> None:
    for make in (False, True):
        with pytest.raises(FileNotFoundError):
            Folder(folders.base / "gone").write("a/b", b"", make=make)
    assert not (folders.base / "gone").exists()


def test_folders_are_created_only_when_requested(folders: Location) -> None:
    with pytest.raises(FileNotFoundError):
        folders.folder.write("new/folder/a", b"")
    assert not (folders.root / "new").exists()
    folders.folder.write("new/folder/a", b"1", make=True)
    folders.folder.write("new/folder/a", b"2", make=True)
    assert (folders.root / "new/folder/a").read_bytes() == b"2"


# --- without following links ---------------------------------------------------------------------


@pytest.mark.parametrize("leads", ["inside", "../other", "../none", "{other}"])
@pytest.mark.parametrize("path", ["state", "state/deep", "more/state"])
def test_a_folder_that_does_not_follow_takes_no_link_wherever_it_leads(
    folders: Location, leads: str, path: str
) -> None:
    folder = Folder(folders.root, closed=False, follow=False)
    link = folders.root / path.replace("/deep", "")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(leads.format(other=folders.other))
    before = tree(folders.root)
    for attempt in attempts(folder, path)[:-1]:
        with pytest.raises(OSError, match=r"."):
            attempt()
    folder.remove_empty(path)
    assert tree(folders.root) == before


def test_a_folder_that_does_not_follow_works_without_links(folders: Location) -> None:
    folder = Folder(folders.root, closed=False, follow=False)
    folder.write("./inside/./deep/a", b"ours")
    assert (folders.root / "inside/deep/a").read_bytes() == b"ours"
    folder.write(".exporter/cache/a", b"ours", make=True)
    assert folder.read(".exporter/cache/a")[0] == b"ours"


def test_no_child_is_entered_through_a_link(folders: Location) -> None:
    (folders.root / "link").symlink_to("inside")
    (folders.root / "file").write_bytes(b"")
    with folders.folder.open(".") as directory:
        for name in ("link", "file"):
            for make in (False, True):
                with pytest.raises(OSError, match=r".") as caught:
                    directory.enter(name, make=make)
                assert caught.value.errno in (errno.ENOTDIR, errno.ELOOP)
        with pytest.raises(FileNotFoundError):
            directory.enter("none", make=False)
        with directory.enter("new", make=True) as new:
            assert new.names() == []
            assert new.path == f"{folders.root}/new"
    assert (folders.root / "new").is_dir()


# --- a folder swapped for a link -----------------------------------------------------------------


@pytest.mark.parametrize("swapped", ["inside", "inside/deep"])
def test_a_folder_swapped_after_it_was_resolved_makes_the_work_fail(
    folders: Location, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    real = Folder._resolve

    def resolve(self: Folder, path: str) -> Any:
        result = real(self, path)
        if not (folders.root / swapped).is_symlink():
            (folders.root / swapped).rename(folders.root / "away")
            (folders.root / swapped).symlink_to(folders.other)
        return result

    monkeypatch.setattr(Folder, "_resolve", resolve)
    for attempt in attempts(folders.folder, "inside/deep")[:3]:
        with pytest.raises(OSError, match=r".") as caught:
            attempt()
        assert caught.value.errno in (errno.ENOTDIR, errno.ELOOP)
        (folders.root / swapped).unlink()
        (folders.root / "away").rename(folders.root / swapped)


def test_a_folder_swapped_while_it_is_open_is_still_the_one_that_was_opened(
    folders: Location, handles: bool
) -> None:
    if not handles:
        pytest.skip("without handles the last look is the one before")
    with folders.folder.open("inside/deep") as directory:
        (folders.root / "inside/deep").rename(folders.root / "away")
        (folders.root / "inside/deep").symlink_to(folders.other)
        temporary = directory.create("a", b"ours", durable=False)
        directory.replace(temporary, "a")
        directory.unlink("canary")
        assert directory.names() == ["a"]
        assert directory.read("a")[0] == b"ours"
    assert [path.name for path in (folders.root / "away").iterdir()] == ["a"]


# --- paths that are no files ---------------------------------------------------------------------


def odd(path: Path, kind: str, folders: Location) -> None:
    """Make something that is no regular file."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        server = socket.socket(socket.AF_UNIX)
        os.chdir(path.parent)  # names of sockets are short
        server.bind(path.name)
        server.close()
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "link outside":
        path.symlink_to(folders.other / "canary")
    elif kind == "link inside":
        path.symlink_to("inside/canary")
    elif kind == "link that dangles":
        path.symlink_to(folders.other / "new")


KINDS = [
    "pipe",
    "folder",
    "socket",
    "device",
    "link outside",
    "link inside",
    "link that dangles",
]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_regular_file_is_not_read(
    folders: Location, kind: str, handles: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folders.base)
    odd(folders.root / "a", kind, folders)
    with pytest.raises(OSError, match=r"."):
        folders.folder.read("a")
    assert not folders.folder.is_file("a")
    assert folders.folder.exists("a")
    assert stat.S_ISLNK(folders.folder.status("a").st_mode) == (
        kind.startswith("link") or kind == "device"
    )


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "folder"])
def test_what_is_no_regular_file_is_replaced_itself(
    folders: Location, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folders.base)
    odd(folders.root / "a", kind, folders)
    folders.folder.write("a", b"ours")
    assert folders.folder.is_file("a")
    assert (folders.root / "a").read_bytes() == b"ours"
    assert (folders.root / "inside/canary").read_bytes() == b"theirs"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "folder"])
def test_what_is_no_regular_file_is_removed_itself(
    folders: Location, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folders.base)
    odd(folders.root / "a", kind, folders)
    folders.folder.remove("a")
    assert not folders.folder.exists("a")
    assert (folders.root / "inside/canary").read_bytes() == b"theirs"


@pytest.mark.parametrize("kind", ["pipe", "link outside", "link inside", "link that dangles"])
def test_nothing_is_appended_to_what_is_no_regular_file(folders: Location, kind: str) -> None:
    odd(folders.root / "a", kind, folders)
    with folders.folder.open(".") as directory, pytest.raises(OSError, match=r"."):
        os.close(directory.append("a"))
    assert (folders.root / "inside/canary").read_bytes() == b"theirs"


def test_a_folder_in_the_position_of_a_file_stays_and_nothing_is_left(folders: Location) -> None:
    (folders.root / "a").mkdir()
    with pytest.raises(OSError, match=r"."):
        folders.folder.write("a", b"ours")
    with pytest.raises(OSError, match=r"."):
        folders.folder.remove("a")
    assert sorted(path.name for path in folders.root.iterdir()) == ["a", "inside"]


def test_a_file_in_the_position_of_a_folder_is_reported(folders: Location) -> None:
    (folders.root / "a").write_bytes(b"theirs")
    for attempt in attempts(folders.folder, "a")[:5]:
        with pytest.raises(NotADirectoryError):
            attempt()
    assert (folders.root / "a").read_bytes() == b"theirs"


def test_a_file_larger_than_requested_for_is_not_read(folders: Location) -> None:
    (folders.root / "a").write_bytes(b"12345")
    assert folders.folder.read("a", 5)[0] == b"12345"
    with pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        folders.folder.read("a", 4)


def test_a_huge_file_without_content_is_not_read(folders: Location) -> None:
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if limit != resource.RLIM_INFINITY:
        pytest.skip("no file may be so large here")
    with open(folders.root / "a", "wb") as file:
        file.truncate(folder_module.MAXIMUM_BYTES + 1)
    with pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        folders.folder.read("a")


def test_a_file_that_grows_while_it_is_read_is_read_no_further(
    folders: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folders.root / "a").write_bytes(b"12345")
    real = os.fstat

    def fstat(descriptor: int) -> os.stat_result:
        status = real(descriptor)
        (folders.root / "a").write_bytes(b"1234567890")
        return status

    monkeypatch.setattr(folder_module.os, "fstat", fstat)
    assert folders.folder.read("a", 7)[0] == b"1234567"


# --- names that no output may have ---------------------------------------------------------------


RESERVED = [
    *(".git", ".GIT", ".Git", ".git.", ".git ", ".git. .", ".hg", ".svn", ".exporter", ".EXPORTER"),
    *("con", "CON", "con.png", "Con.tar.gz", "prn", "aux", "nul", "com1", "lpt9", "nul ", "aux."),
]
OPEN = ["git", ".gitignore", ".github", "x.git", "console", "com", "com0", "com10", "lpt", "icon"]


def test_reserved_names_are_no_folders_of_outputs(folders: Location) -> None:
    written = []
    for name in RESERVED:
        assert reserved_name(["a", name]) == name
        for path in (name, f"a/{name}", f"{name}/a", f"../game/{name}", f"../game/a/{name}/b"):
            try:
                folders.trusting.write(f"{path}/file", b"", make=True)
            except OutsideError as error:
                if error.trustable or f"{name!r}" not in str(error):
                    written.append(str(error))
            else:
                written.append(path)
    assert not written
    assert sorted(path.name for path in folders.root.iterdir()) == ["inside"]
    assert sorted(path.name for path in folders.game.iterdir()) == ["canary", "deep"]


def test_names_that_only_look_reserved_are_open(folders: Location) -> None:
    assert [name for name in OPEN if reserved_name([name])] == []
    for name in OPEN:
        check_names([name], name)
        folders.folder.write(f"{name}/file", b"", make=True)


def test_a_link_to_a_reserved_folder_does_not_lead_there(folders: Location) -> None:
    (folders.root / ".git" / "hooks").mkdir(parents=True)
    (folders.root / "out").symlink_to(".git/hooks")
    with pytest.raises(OutsideError, match=r"'\.git'"):
        folders.folder.write("out/post-checkout", b"evil")
    assert list((folders.root / ".git/hooks").iterdir()) == []


def test_names_on_the_way_to_the_project_do_not_matter(folders: Location) -> None:
    root = folders.base / ".git" / "aux" / "project"
    root.mkdir(parents=True)
    Folder(root).write("a/b", b"", make=True)
    Folder(root, closed=False).write(".exporter/a", b"", make=True)
    assert (root / ".exporter/a").exists()


@pytest.mark.parametrize(
    ("real", "parts"),
    [
        ("/a/b/c", ["c"]),
        ("/a/x/y", ["x", "y"]),
        ("/a", []),
        ("/a/b", []),
        ("/x", ["x"]),
        ("/a/bb", ["bb"]),
        ("/x/b", ["x", "b"]),
    ],
)
def test_a_position_beside_a_project_is_judged_from_where_it_leaves_it(
    real: str, parts: list[str]
) -> None:
    assert parts_beside("/a/b", real) == parts


def test_a_path_is_split_at_its_last_slash() -> None:
    assert split("a/b/c") == ("a/b", "c")
    assert split("c") == (".", "c")


# --- writing -------------------------------------------------------------------------------------


def test_a_new_file_lies_in_missing_position(
    folders: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even with a known random name: an existing file of that name is not opened, link or not."""
    monkeypatch.setattr(folder_module, "temporary_name", lambda: ".known")
    for make in (
        lambda: (folders.root / ".known").symlink_to(folders.other / "canary"),
        lambda: (folders.root / ".known").symlink_to(folders.other / "new"),
        lambda: (folders.root / ".known").write_bytes(b"theirs"),
    ):
        make()
        with pytest.raises(FileExistsError):
            folders.folder.write("a", b"evil")
        assert (folders.root / ".known").is_symlink() or (
            (folders.root / ".known").read_bytes() == b"theirs"
        )
        (folders.root / ".known").unlink()
        assert not (folders.root / "a").exists()


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_permissions_are_those_of_the_file_that_is_replaced(folders: Location, mode: int) -> None:
    folders.folder.write("a", b"", mode=0o600)
    assert (folders.root / "a").stat().st_mode & 0o777 == 0o600
    os.chmod(folders.root / "a", mode)
    folders.folder.write("a", b"", mode=0o666)
    assert (folders.root / "a").stat().st_mode & 0o777 == mode


def test_a_new_file_may_be_what_any_new_file_may(folders: Location) -> None:
    (folders.root / "plain").write_bytes(b"")
    with folders.folder.open(".") as directory:
        directory.replace(directory.create("a", b"", durable=False), "a")
        os.close(directory.append("b"))
    folders.folder.write("c", b"")
    modes = {(folders.root / name).stat().st_mode for name in ("plain", "a", "b", "c")}
    assert len(modes) == 1


def test_permissions_are_not_accepted_from_what_a_link_leads_to(folders: Location) -> None:
    (folders.root / "run").write_bytes(b"")
    os.chmod(folders.root / "run", 0o777)
    (folders.root / "a").symlink_to("run")
    (folders.root / "plain").write_bytes(b"")
    folders.folder.write("a", b"")
    assert (folders.root / "a").stat().st_mode == (folders.root / "plain").stat().st_mode


@pytest.mark.parametrize("call", ["replace", "fsync", "write"])
def test_a_write_that_is_refused_leaves_the_old_file_and_nothing_else(
    folders: Location, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    folders.folder.write("a", b"old")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if call == "write":
        monkeypatch.setattr(folder_module, "open", refuse, raising=False)
    else:
        monkeypatch.setattr(folder_module.os, call, refuse)
    with pytest.raises(OSError, match="No space"):
        folders.folder.write("a", b"new")
    monkeypatch.undo()
    assert (folders.root / "a").read_bytes() == b"old"
    assert sorted(path.name for path in folders.root.iterdir()) == ["a", "inside"]


@pytest.mark.parametrize("action", ["replace", "unlink"])
def test_a_file_that_is_held_for_a_moment_is_waited_for(
    folders: Location, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    folders.folder.write("a", b"old")
    real = getattr(os, action)
    refusals = [errno.EBUSY, errno.ETXTBSY]

    def held(*arguments: Any, **more: Any) -> None:
        if refusals:
            raise OSError(refusals.pop(), "in use")
        real(*arguments, **more)

    monkeypatch.setattr(folder_module.os, action, held)
    monkeypatch.setattr(held_files, "PAUSE", 0.0)
    if action == "replace":
        folders.folder.write("a", b"new")
        assert (folders.root / "a").read_bytes() == b"new"
    else:
        folders.folder.remove("a")
        assert not (folders.root / "a").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_nothing_stays_open(folders: Location) -> None:
    (folders.root / "out").symlink_to("../other")
    (folders.root / "inside" / "link").symlink_to("deep")
    folders.folder.write("inside/a", b"")
    before = len(os.listdir("/proc/self/fd"))
    unfollowing = Folder(folders.root, follow=False)
    for _ in range(3):
        folders.folder.write("inside/deep/a", b"")
        folders.folder.read("inside/deep/a")
        for path in ("out/a", "inside/none/a", "inside/a/b"):
            with pytest.raises((OSError, OutsideError)):
                folders.folder.read(path)
        with pytest.raises(OSError, match=r"."):
            unfollowing.read("inside/link/a")
        folders.folder.remove("inside/deep/a")
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_file_is_given_to_another_folder(folders: Location) -> None:
    with folders.folder.open("inside") as source, folders.folder.open("inside/deep") as target:
        source.move("canary", target, "moved")
        assert sorted(target.names()) == ["canary", "moved"]
    assert not (folders.root / "inside/canary").exists()


def test_a_second_name_must_be_free(folders: Location, monkeypatch: pytest.MonkeyPatch) -> None:
    folders.folder.write("a", b"first")
    folders.folder.write("b", b"second")
    with folders.folder.open(".") as directory:
        with pytest.raises(FileExistsError):
            directory.link("a", "b")
        directory.link("a", "c")
        assert (folders.root / "b").read_bytes() == b"second"
        assert (folders.root / "c").read_bytes() == b"first"

        def none(*_: object, **__: object) -> None:
            raise OSError(errno.EPERM, "no such names here")

        monkeypatch.setattr(folder_module.os, "link", none)
        directory.link("a", "d")
        assert (folders.root / "d").read_bytes() == b"first"


def test_times_are_set_to_now_or_as_requested_and_never_through_a_link(folders: Location) -> None:
    folders.folder.write("a", b"")
    with folders.folder.open(".") as directory:
        directory.set_time("a", 5)
        assert directory.status("a").st_mtime_ns == 5
        directory.set_time("a")
        assert directory.status("a").st_mtime_ns > 10**18
        (folders.root / "link").symlink_to("inside/canary")
        before = (folders.root / "inside/canary").stat().st_mtime_ns
        directory.set_time("link", 5)
    assert (folders.root / "inside/canary").stat().st_mtime_ns == before


# --- empty folders -------------------------------------------------------------------------------


def test_empty_folders_go_up_to_the_first_that_is_not(folders: Location) -> None:
    folders.folder.write("inside/one/two/three/a", b"", make=True)
    folders.folder.remove("inside/one/two/three/a")
    folders.folder.remove_empty("inside/one/two/three")
    assert not (folders.root / "inside/one").exists()
    assert (folders.root / "inside").is_dir()
    for path in (".", "", "..", "../game/..", "none"):
        folders.trusting.remove_empty(path)
    assert folders.root.is_dir()


def test_a_trusted_folder_itself_stays_when_it_is_empty(folders: Location) -> None:
    empty = folders.base / "empty"
    (empty / "one").mkdir(parents=True)
    Folder(folders.root, lambda: [empty]).remove_empty("../empty/one")
    assert list(empty.iterdir()) == []


def test_a_link_to_an_empty_folder_is_no_empty_folder(folders: Location) -> None:
    (folders.root / "empty").mkdir()
    (folders.root / "link").symlink_to("empty")
    folders.folder.remove_empty("link")
    assert (folders.root / "link").is_symlink()
    assert (folders.root / "empty").is_dir()


def test_a_directory_is_closed_once(folders: Location) -> None:
    directory = Directory(str(folders.root), None)
    directory.close()
    with folders.folder.open(".") as opened:
        opened.close()
