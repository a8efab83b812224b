"""Input files: only inside the project, not too large, and remembered with their hashes."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from pathlib import Path

import pytest

from exporter.build import files
from exporter.build.files import InputFiles
from exporter.model.errors import ParameterError


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "levels").mkdir(parents=True)
    (root / "levels" / "near.txt").write_bytes(b"near")
    (root / "art.txt").write_bytes(b"art")
    (tmp_path / "secret.txt").write_bytes(b"secret")
    return root


def inputs(root: Path) -> InputFiles:
    return InputFiles(root, root / "levels")


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_files_are_read_relative_to_the_spec_and_remembered(project: Path) -> None:
    read = inputs(project)
    assert read.read("near.txt") == b"near"
    assert read.read("../art.txt") == b"art"
    assert read.hashes == {"levels/near.txt": digest(b"near"), "art.txt": digest(b"art")}


@pytest.mark.parametrize("name", ["../../secret.txt", "/etc/hostname", "../../missing"])
def test_a_path_outside_the_project_is_refused(project: Path, name: str) -> None:
    read = inputs(project)
    for attempt in (read.read, read.digest):
        with pytest.raises(ParameterError, match="outside the project"):
            attempt(name)
    assert not read.hashes


def test_a_link_that_leads_outside_is_refused(project: Path) -> None:
    (project / "levels" / "link.txt").symlink_to(project.parent / "secret.txt")
    with pytest.raises(ParameterError, match="outside the project"):
        inputs(project).read("link.txt")


def test_a_link_that_stays_inside_is_read(project: Path) -> None:
    (project / "levels" / "link.txt").symlink_to(project / "art.txt")
    read = inputs(project)
    assert read.read("link.txt") == b"art"
    assert read.hashes == {"art.txt": digest(b"art")}


def test_the_largest_file_is_read_and_one_more_byte_is_not(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAXIMUM_INPUT_BYTES", 4)
    assert inputs(project).read("near.txt") == b"near"
    (project / "levels" / "near.txt").write_bytes(b"nearer")
    read = inputs(project)
    for attempt in (read.read, read.digest):
        with pytest.raises(ParameterError, match=r"too large \(allowed: 4 bytes\)"):
            attempt("near.txt")


@pytest.mark.parametrize(("disk", "spec"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_name_in_the_other_unicode_form_is_detected(project: Path, disk: str, spec: str) -> None:
    name = "Kürbis/é.png"
    position = project / unicodedata.normalize(disk, name)
    position.parent.mkdir()
    position.write_bytes(b"here")
    files = InputFiles(project, project)
    assert files.read(unicodedata.normalize(spec, name)) == b"here"
    assert files.hashes == {unicodedata.normalize(disk, name): digest(b"here")}


def test_a_missing_file_is_remembered_as_missing(project: Path) -> None:
    read = inputs(project)
    with pytest.raises(ParameterError, match=r"cannot be read \(no such file or directory\)"):
        read.read("gone.txt")
    assert read.hashes == {"levels/gone.txt": ""}


def test_asking_for_the_key_depends_on_nothing(project: Path) -> None:
    read = inputs(project)
    assert read.digest("near.txt") == digest(b"near")
    assert read.digest("gone.txt") == ""
    assert not read.hashes


@pytest.mark.parametrize("missing", ["root", "folder"])
def test_a_spec_without_a_folder_reads_nothing(project: Path, missing: str) -> None:
    read = InputFiles(
        None if missing == "root" else project, None if missing == "folder" else project
    )
    with pytest.raises(ParameterError, match="the spec has no folder"):
        read.read("art.txt")


def test_a_file_may_have_64_mebibytes(project: Path) -> None:
    with open(project / "large.bin", "wb") as file:
        file.truncate((64 << 20) + 1)
    with pytest.raises(ParameterError, match=r"too large \(allowed: 67108864 bytes\)"):
        inputs(project).read("../large.bin")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no such files")
def test_a_pipe_is_refused_without_waiting(project: Path) -> None:
    os.mkfifo(project / "levels" / "pipe")
    read = inputs(project)
    with pytest.raises(ParameterError, match=r"'pipe' cannot be read \(it is a named pipe\)"):
        read.read("pipe")
    assert read.hashes == {"levels/pipe": ""}
    assert read.digest("pipe") == ""


def test_a_folder_is_refused(project: Path) -> None:
    with pytest.raises(ParameterError, match=r"cannot be read \(it is a folder\)"):
        inputs(project).read("../levels")


def test_all_files_together_have_a_limit_each_counted_once(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAXIMUM_ALL_INPUT_BYTES", 7)
    read = inputs(project)
    for _ in range(5):
        read.read("near.txt")
        read.read("../art.txt")
    (project / "levels" / "one").write_bytes(b"1")
    with pytest.raises(ParameterError, match=r"too large with 'one': 8 bytes \(allowed: 7; "):
        read.read("one")
    assert read.hashes["levels/one"] == digest(b"1")


def test_a_file_that_is_too_large_makes_the_level_stale_when_it_changes(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAXIMUM_INPUT_BYTES", 3)
    read = inputs(project)
    with pytest.raises(ParameterError):
        read.read("near.txt")
    assert read.hashes == {"levels/near.txt": ""}
