"""`exporter migrate`: specs are rewritten in place, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporter.cli.main import main

OLD = "size: [9, 9]\nlayers:\n  a: {generator: maze, braid: 3}\n"
NEW = OLD.replace("braid", "braid_percent")
BROKEN = "size: [9, 9\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "exporter.yaml").write_text("levels: maps/*.yaml\ntargets: {tiled: {path: t}}\n")
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "a.yaml").write_text(OLD)
    (tmp_path / "maps" / "b.yaml").write_text(NEW)
    (tmp_path / "elsewhere.level.yaml").write_text(OLD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_specs_of_the_project_are_rewritten_and_no_others(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["migrate"]) == 0
    told = capsys.readouterr().out
    assert told == "maps/a.yaml:3: braid -> braid_percent\n1 of 2 specs changed\n"
    assert (project / "maps" / "a.yaml").read_text() == NEW
    assert (project / "elsewhere.level.yaml").read_text() == OLD
    assert main(["migrate", "."]) == 0
    assert capsys.readouterr().out == "0 of 2 specs changed\n"


def test_a_dry_run_tells_and_writes_nothing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["migrate", "--dry-run", "exporter.yaml", "elsewhere.level.yaml", "maps/a.yaml"]) == 0
    )
    assert capsys.readouterr().out.splitlines() == [
        "maps/a.yaml:3: braid -> braid_percent",
        "elsewhere.level.yaml:3: braid -> braid_percent",
        "2 of 3 specs would change",
    ]
    assert (project / "maps" / "a.yaml").read_text() == OLD


def test_a_spec_that_cannot_be_read_fails_and_the_others_are_done(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "maps" / "0.yaml").write_text(BROKEN)
    assert main(["migrate"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("maps/0.yaml:1:7: error: ")
    assert "1 of 3 specs changed" in captured.out
    assert (project / "maps" / "a.yaml").read_text() == NEW
    assert (project / "maps" / "0.yaml").read_text() == BROKEN


def test_a_broken_project_file_fails_and_lone_specs_are_done(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "exporter.yaml").write_text("targets: 3\n")
    assert main(["migrate", ".", "elsewhere.level.yaml"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("exporter.yaml:1:10: error: ")
    assert (project / "elsewhere.level.yaml").read_text() == NEW


def test_what_does_not_exist_is_wrong_usage(project: Path) -> None:
    assert main(["migrate", "nothing.level.yaml"]) == 2


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_linked_spec_stays_a_link(project: Path) -> None:
    link = project / "maps" / "link.yaml"
    link.symlink_to(project / "elsewhere.level.yaml")
    assert main(["migrate", str(link)]) == 0
    assert link.is_symlink()
    assert (project / "elsewhere.level.yaml").read_text() == NEW


def test_a_disk_that_refuses_leaves_the_old_spec(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("exporter.store.atomic_files.os.replace", refuse)
    assert main(["migrate"]) == 1
    captured = capsys.readouterr()
    assert "No space left on device" in captured.err
    assert "braid" not in captured.out
    assert (project / "maps" / "a.yaml").read_text() == OLD
    assert not list((project / "maps").glob(".*"))


def test_a_layer_of_an_unknown_generator_is_left_with_a_warning(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = "size: [9, 9]\nlayers:\n  a: {generator: rooms-and-corridors, room_min: [3, 3]}\n"
    (project / "maps" / "a.yaml").write_text(odd)
    assert main(["migrate", "maps/a.yaml"]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("maps/a.yaml:3:18: warning: ")
    assert "did you mean 'rooms_and_corridors'" in captured.err
    assert (project / "maps" / "a.yaml").read_text() == odd


@pytest.mark.parametrize("text", ["notes", "- room_min", ""])
def test_a_file_that_is_not_a_spec_is_refused(
    project: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "notes.txt").write_text(text)
    assert main(["migrate", "notes.txt"]) == 1
    assert "this is not a level spec" in capsys.readouterr().err


def test_a_file_with_other_hard_links_is_not_replaced(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.link(project / "maps" / "a.yaml", project / "twin")
    assert main(["migrate", "maps/a.yaml"]) == 1
    assert "hard links" in capsys.readouterr().err
    assert (project / "maps" / "a.yaml").read_text() == OLD


def test_a_read_only_file_is_not_replaced(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    assert main(["migrate", "maps/a.yaml"]) == 1
    assert "read-only" in capsys.readouterr().err
    assert (project / "maps" / "a.yaml").read_text() == OLD


def test_an_added_limit_is_printed_as_added(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "size: [9, 9]\nlayers:\n  a: {generator: rooms_and_corridors, corridor_min: 15}\n"
    (project / "maps" / "a.yaml").write_text(text)
    assert main(["migrate", "maps/a.yaml"]) == 0
    assert "maps/a.yaml:3: added max_corridor_length: 15\n" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="files have other rights there")
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_byte_order_mark_and_rights_stay(project: Path, mark: bytes) -> None:
    path = project / "maps" / "a.yaml"
    path.write_bytes(mark + OLD.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    assert main(["migrate", "maps/a.yaml"]) == 0
    assert path.read_bytes() == mark + NEW.replace("\n", "\r\n").encode()
    assert path.stat().st_mode & 0o777 == 0o640


def test_what_was_saved_meanwhile_is_not_written_over(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from exporter.reading import migration

    path, real = project / "maps" / "a.yaml", migration.migrate

    def migrate_while_somebody_saves(content: bytes, file: str) -> migration.Migration:
        path.write_text(OLD + "# and more\n")
        return real(content, file)

    monkeypatch.setattr(migration, "migrate", migrate_while_somebody_saves)
    assert main(["migrate", "maps/a.yaml"]) == 1
    captured = capsys.readouterr()
    assert "it changed meanwhile (run the command again)" in captured.err
    assert "braid" not in captured.out
    assert path.read_text() == OLD + "# and more\n"
