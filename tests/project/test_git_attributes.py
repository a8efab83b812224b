"""Lines for `.gitattributes`: appended to the file, and read by git as meant."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.project.git_attributes import attribute_lines, missing_lines, with_lines
from exporter.project.start_files import attributes_file
from exporter.project.start_plan import ExistingFile, PlannedFile

FOLDERS = ["godot/levels", "My Game, v2/levels", "odd[1]/a b", "Höhle"]
LINES = attribute_lines(FOLDERS)
TEXTS = [line.text for line in LINES]


def git(folder: Path, *arguments: str, fails: bool = False) -> str:
    """Run git apart from the user's and the system's configuration; return its output."""
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.com",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.com",
    }
    done = subprocess.run(
        ["git", "-c", "core.quotepath=false", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout


def attributes(folder: Path, path: str) -> dict[str, str]:
    """Return git's attributes of a file, without unspecified ones."""
    reported = git(folder, "check-attr", "-a", "--", path)
    return dict(line.removeprefix(f"{path}: ").split(": ", 1) for line in reported.splitlines())


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    return tmp_path


def write_attributes(folder: Path, *places: str, before: bytes = b"") -> None:
    (folder / ".gitattributes").write_bytes(with_lines(before, attribute_lines(places)))


@pytest.mark.parametrize("inner", FOLDERS)
def test_git_reads_the_lines_as_they_are_meant(repository: Path, inner: str) -> None:
    write_attributes(repository, *FOLDERS, before=b"*.exr filter=lfs diff=lfs merge=lfs -text")
    for name in ("a.tscn", "deep/er/a.tmj", "a.png"):
        assert attributes(repository, f"{inner}/{name}") == {"merge": "unset"}
    for name in ("a.lvb", "a.r16", "a.raw", "deep/a.lvb"):
        assert attributes(repository, f"{inner}/{name}") == {
            "binary": "set",
            "diff": "unset",
            "merge": "unset",
            "text": "unset",
        }
    # The storage of large files is unchanged.
    assert attributes(repository, f"{inner}/a.exr")["filter"] == "lfs"
    index = f"{inner}/.level-exporter-index"
    assert attributes(repository, index) == {"text": "set", "eol": "lf", "merge": "union"}


@pytest.mark.parametrize(
    "path", ["a.tscn", "godot/a.lvb", "deep/godot/levels/a.tscn", "odd1/a b/x"]
)
def test_files_elsewhere_are_not_concerned(repository: Path, path: str) -> None:
    write_attributes(repository, *FOLDERS)
    assert attributes(repository, path) == {}


def test_the_lines_hold_in_a_project_that_is_a_folder_of_the_repository(repository: Path) -> None:
    (repository / "sub").mkdir()
    write_attributes(repository / "sub", "tiled")
    assert attributes(repository, "sub/tiled/a.tmj") == {"merge": "unset"}
    assert attributes(repository, "tiled/a.tmj") == {}


def test_a_merge_keeps_whole_outputs_and_both_sides_of_the_index(repository: Path) -> None:
    write_attributes(repository, "out")
    out = repository / "out"
    out.mkdir()
    (repository / "own.txt").write_text("base\n")

    def save(side: str) -> None:
        (out / "map.tmj").write_text(f"{side}\nsame\n")
        (out / f"{side}.lvb").write_bytes(side.encode() + b"\0")
        (repository / "own.txt").write_text(f"{side}\n")
        names = sorted({*(path.name for path in out.glob("*.lvb")), "map.tmj"})
        index = "".join(f"{len(side)} {name}\n" for name in names)
        (out / ".level-exporter-index").write_text(index)
        git(repository, "add", "-A")
        git(repository, "commit", "-qm", side)

    save("base")
    git(repository, "switch", "-qc", "theirs")
    save("theirs")
    git(repository, "switch", "-q", "main")
    save("ours-")
    reported = git(repository, "merge", "theirs", fails=True)
    # A map of two halves would look whole; the text beside it merges as ever.
    assert (out / "map.tmj").read_text() == "ours-\nsame\n"
    assert "out/map.tmj" in reported
    assert "<<<<<<<" in (repository / "own.txt").read_text()
    index = (out / ".level-exporter-index").read_text()
    assert "<<<<<<<" not in index
    assert {line.split()[1] for line in index.splitlines()} == {
        "base.lvb",
        "map.tmj",
        "ours-.lvb",
        "theirs.lvb",
    }
    assert "index" not in git(repository, "diff", "--name-only", "--diff-filter=U")


def test_the_index_has_unix_line_ends_in_every_checkout(repository: Path) -> None:
    write_attributes(repository, "out")
    (repository / "out").mkdir()
    for name in (".level-exporter-index", "a.tscn", "a.lvb"):
        (repository / "out" / name).write_bytes(b"one\ntwo\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "one")
    git(repository.parent, "clone", "-q", "-c", "core.autocrlf=true", repository.name, "clone")
    out = repository.parent / "clone" / "out"
    assert (out / ".level-exporter-index").read_bytes() == b"one\ntwo\n"
    assert (out / "a.lvb").read_bytes() == b"one\ntwo\n"
    assert (out / "a.tscn").read_bytes() == b"one\r\ntwo\r\n"


def test_the_default_file_of_a_godot_game_takes_nothing_from_merges(repository: Path) -> None:
    (repository / "game").mkdir()
    (repository / "game" / ".gitattributes").write_text("* text=auto eol=lf\n")
    write_attributes(repository, "game/levels")
    assert attributes(repository, "game/levels/a.tscn")["merge"] == "unset"
    assert attributes(repository, "game/levels/a.lvb")["merge"] == "unset"
    index = attributes(repository, "game/levels/.level-exporter-index")
    assert (index["merge"], index["eol"]) == ("union", "lf")


def test_the_page_for_teams_has_the_lines() -> None:
    page = Path(__file__).parents[2] / "exporter" / "docs" / "how-to" / "teams.md"
    lines = with_lines(b"", attribute_lines(["godot/levels"])).decode()
    assert lines in page.read_text(encoding="utf-8")


# --- adding --------------------------------------------------------------------------------------


def test_each_kind_of_line_is_explained_once() -> None:
    text = with_lines(b"", LINES).decode()
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert len(comments) == len(set(comments)) == 3
    assert [line for line in text.splitlines() if not line.startswith("#")] == TEXTS


@pytest.mark.parametrize(
    ("before", "end"),
    [
        (b"*.png binary\n", b"\n"),
        (b"*.png binary", b"\n"),
        (b"*.png binary\r\n", b"\r\n"),
        (b"# one\r\n*.png binary", b"\r\n"),
        (b"\r\n", b"\r\n"),
        (b"", b"\n"),
        (b"a b\n\r\n", b"\n"),
        (b"\xef\xbb\xbf# \xe9\n", b"\n"),
    ],
)
def test_what_is_there_stays_and_sets_the_line_ends(before: bytes, end: bytes) -> None:
    after = with_lines(before, LINES)
    assert after.startswith(before)
    added = after.removeprefix(before)
    if before and not before.endswith(b"\n"):
        assert added.startswith(end)
        added = added.removeprefix(end)
    assert added.endswith(end)
    assert added.count(b"\r\n") == (added.count(b"\n") if end == b"\r\n" else 0)
    assert [line for line in added.decode().splitlines() if line[:1] != "#"] == TEXTS


def test_lines_that_are_there_in_their_order_are_enough() -> None:
    whole = with_lines(b"", LINES)
    assert missing_lines(whole, LINES) == []
    spaced = whole.replace(b" ", b"\t ").replace(b"\n", b" \r\n\r\n*.mine text\r\n")
    without_quotes = [line for line in LINES if '"' not in line.text]
    assert missing_lines(spaced, without_quotes) == []
    uncommented = "\n".join(TEXTS).encode()
    assert missing_lines(uncommented, LINES) == []


def test_a_line_that_would_come_too_early_is_added_again() -> None:
    merge, index, *_ = attribute_lines(["out"])
    expected = [merge, index]
    # The later line wins, so that of the index has to follow that of all files.
    assert missing_lines(f"{merge.text}\n".encode(), expected) == [index]
    assert missing_lines(f"{index.text}\n".encode(), expected) == expected
    assert missing_lines(f"{index.text}\n{merge.text}\n".encode(), expected) == [index]
    assert missing_lines(f"# {merge.text}\n".encode(), expected) == expected


PIECES = st.sampled_from([b"*.png binary", b"", b"# x", *(line.encode() for line in TEXTS)])
ENDS = st.sampled_from([b"\n", b"\r\n", b"\n\n"])


@given(st.lists(st.tuples(PIECES, ENDS), max_size=12), PIECES)
def test_adding_changes_nothing_before_and_leaves_nothing_to_add(
    lines: list[tuple[bytes, bytes]], last: bytes
) -> None:
    before = b"".join(line + end for line, end in lines) + last
    after = with_lines(before, missing_lines(before, LINES))
    assert after.startswith(before)
    assert missing_lines(after, LINES) == []
    assert with_lines(after, missing_lines(after, LINES)) == after


def test_a_file_that_git_cannot_read_is_preserved(tmp_path: Path) -> None:
    path = tmp_path / ".gitattributes"
    assert isinstance(attributes_file(tmp_path, ["out"]), PlannedFile)
    path.write_bytes("*.png binary\r\n".encode("utf-16"))
    assert isinstance(attributes_file(tmp_path, ["out"]), ExistingFile)
    path.unlink()
    (tmp_path / "shared").write_bytes(b"")
    path.symlink_to("shared")
    assert isinstance(attributes_file(tmp_path, ["out"]), ExistingFile)
    path.unlink()
    path.mkdir()
    assert isinstance(attributes_file(tmp_path, ["out"]), ExistingFile)
