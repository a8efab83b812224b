"""Saving texts: only over the text they were made from, whole, with rights and links kept."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from exporter.model.errors import ChangedFileError, StoreError
from exporter.project import saving
from exporter.project.saving import check_text, save_spec, save_text
from exporter.store.folder import Directory

OLD, NEW = b"seed: 1\n", b"seed: 2\n"


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "levels" / "cave.level.yaml"
    path.parent.mkdir()
    path.write_bytes(OLD)
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_spec_is_replaced_and_keeps_its_rights(spec: Path) -> None:
    spec.chmod(0o640)
    save_spec(spec, OLD, NEW, spec.parents[1])
    assert spec.read_bytes() == NEW
    assert names(spec.parent) == [spec.name]
    if os.name != "nt":
        assert spec.stat().st_mode & 0o777 == 0o640


def test_what_somebody_saved_meanwhile_stays_and_is_reported(spec: Path) -> None:
    spec.write_bytes(b"seed: 3\n")
    with pytest.raises(ChangedFileError, match="it changed meanwhile") as caught:
        save_spec(spec, OLD, NEW)
    assert caught.value.present == b"seed: 3\n"
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.present) == (str(caught.value), b"seed: 3\n")
    assert spec.read_bytes() == b"seed: 3\n"
    assert names(spec.parent) == [spec.name]


def test_what_is_saved_while_the_new_text_goes_to_the_disk_stays(
    spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Directory.create

    def create(folder: Directory, name: str, data: bytes, *, durable: bool) -> str:
        temporary = real(folder, name, data, durable=durable)
        spec.write_bytes(b"seed: 3\n")
        return temporary

    monkeypatch.setattr(Directory, "create", create)
    with pytest.raises(ChangedFileError):
        save_spec(spec, OLD, NEW)
    assert spec.read_bytes() == b"seed: 3\n"
    assert names(spec.parent) == [spec.name]


def test_a_file_that_was_removed_meanwhile_is_not_created_again(spec: Path) -> None:
    spec.unlink()
    with pytest.raises(ChangedFileError) as caught:
        save_spec(spec, OLD, NEW)
    assert caught.value.present is None
    assert names(spec.parent) == []


def test_a_new_text_is_created_only_where_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "cave.edits.yaml"
    save_text(path, None, NEW)
    assert path.read_bytes() == NEW
    with pytest.raises(ChangedFileError):
        save_text(path, None, OLD)
    check_text(path, NEW)
    with pytest.raises(ChangedFileError):
        check_text(path, None)


def test_a_link_stays_a_link_and_the_file_it_leads_to_is_replaced(spec: Path) -> None:
    link = spec.parents[1] / "link.level.yaml"
    link.symlink_to(spec)
    save_spec(link, OLD, NEW, spec.parents[1])
    assert link.is_symlink()
    assert spec.read_bytes() == NEW


def test_a_link_out_of_the_project_is_refused(spec: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.level.yaml").symlink_to(spec)
    with pytest.raises(StoreError, match=r"is outside the project \(name the file itself\)"):
        save_spec(project / "a.level.yaml", OLD, NEW, project)
    assert spec.read_bytes() == OLD


def test_a_read_only_spec_is_refused(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(StoreError, match="it is read-only"):
        save_spec(spec, OLD, NEW)


def test_a_spec_with_other_hard_links_is_refused(spec: Path) -> None:
    os.link(spec, spec.with_name("twin"))
    with pytest.raises(StoreError, match="other hard links"):
        save_spec(spec, OLD, NEW)
    assert spec.read_bytes() == OLD


def test_a_folder_in_the_position_of_a_spec_is_named(spec: Path) -> None:
    spec.unlink()
    spec.mkdir()
    with pytest.raises(StoreError, match="something that is not a file has this name"):
        save_spec(spec, OLD, NEW)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_what_is_no_regular_file_is_refused_without_waiting(spec: Path) -> None:
    spec.unlink()
    os.mkfifo(spec)
    with pytest.raises(StoreError):
        save_text(spec, OLD, NEW)


def test_a_missing_folder_and_a_circle_of_links_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        save_spec(tmp_path / "none" / "a.level.yaml", OLD, NEW)
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(StoreError):
        save_spec(tmp_path / "a", OLD, NEW)


def test_nothing_is_left_behind_where_the_file_cannot_be_renamed(
    spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replace(folder: Directory, old: str, new: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Directory, "replace", replace)
    with pytest.raises(StoreError, match="Permission denied"):
        saving.save_text(spec, OLD, NEW)
    assert names(spec.parent) == [spec.name]
    assert spec.read_bytes() == OLD
