"""Levels requested by the files of a project, and files that need another look."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from exporter.export import project_snapshot
from exporter.export.project_snapshot import ProjectFiles
from exporter.export.tasks import level_key
from exporter.model.errors import SpecError
from exporter.project import settings_file
from exporter.project.spec_files import SearchResult
from exporter.store.entries import ManifestEntry, ProjectMark
from exporter.store.snapshots import Snapshots
from exporter.store.store import Store
from small_game import Game

A = "levels/a.level.yaml"


@pytest.fixture
def game(tmp_path: Path) -> Game:
    game = Game(tmp_path / "game")
    game.write("a")
    return game


def files_of(game: Game, identity: str = "code") -> ProjectFiles:
    return ProjectFiles(game.root, Store(game.root, game.root / ".exporter"), identity)


def test_every_spec_is_requested_with_its_name_and_its_hashes(game: Game) -> None:
    game.write("b", more="level: hall\n")
    expected = files_of(game).read()
    assert expected.specs == [A, "levels/b.level.yaml"]
    assert expected.unreadable == {}
    assert [level.name for level in expected.levels.values()] == ["a", "hall"]
    digest = hashlib.sha256(game.spec("a").read_bytes()).hexdigest()
    level = expected.levels[A]
    assert level.digest == digest
    assert level.key == level_key("code", expected.mark.fingerprint, A, digest)


def test_a_spec_that_goes_while_specs_are_read_is_not_requested(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write("b")
    listed = [A, "levels/between.level.yaml", "levels/b.level.yaml"]
    monkeypatch.setattr(project_snapshot, "look_for_specs", lambda *_: SearchResult(listed, []))
    files = files_of(game)
    expected = files.read()
    assert list(expected.levels) == [A, "levels/b.level.yaml"]
    assert expected.unreadable == {}
    assert not files.differ()


def test_a_spec_that_cannot_be_read_is_reported_and_the_others_are_requested(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write("b")
    real = Snapshots._read
    errors = [PermissionError(13, "Permission denied"), OSError("odd")]

    def refuse(seen: Snapshots, path: str) -> bytes:
        if path == A:
            raise errors[0]
        return real(seen, path)

    monkeypatch.setattr(Snapshots, "_read", refuse)
    files = files_of(game)
    expected = files.read()
    assert list(expected.levels) == ["levels/b.level.yaml"]
    problem = expected.unreadable[A]
    assert problem.message == "cannot be read (Permission denied)"
    assert problem.file.endswith(A)
    assert not files.differ()  # no other try before it changes
    game.write("a", seed=22)
    assert files.differ()
    del errors[0]
    assert files.read().unreadable[A].message == "cannot be read (odd)"


def test_settings_that_cannot_be_read_are_reported(game: Game) -> None:
    (game.root / "exporter.yaml").unlink()
    files = files_of(game)
    with pytest.raises(SpecError) as caught:
        files.read()
    (problem,) = caught.value.problems
    assert problem.message == "cannot be read (No such file or directory)"
    assert problem.file.endswith("exporter.yaml")
    assert not files.differ()
    game.settings("targets:\n  tiled: {path: t}\n")
    assert files.differ()


def test_settings_are_parsed_once_for_each_of_their_texts(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[None] = []
    real = settings_file.load_project

    def counted(root: Path) -> Any:
        parsed.append(None)
        return real(root)

    monkeypatch.setattr(settings_file, "load_project", counted)
    files = files_of(game)
    first = files.read().mark
    assert files.read().mark is first
    assert files.project() is files.project()
    assert len(parsed) == 1
    assert files_of(game, "newer code").read().mark.sha256 != first.sha256
    game.settings("levels: levels/b*.level.yaml\ntargets:\n  tiled: {path: t}\n")
    again = files.read()
    assert again.mark != first
    assert (again.specs, files.project().patterns) == ([], ("levels/b*.level.yaml",))
    assert len(parsed) == 3


def test_what_the_manifest_knows_is_not_parsed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game.write("b")
    expected = files_of(game).read()
    files = files_of(game)
    with files.store:
        files.store.manifest.mark(expected.mark)
        for spec, name in ((A, "known"), ("levels/b.level.yaml", "outdated")):
            key = expected.levels[spec].key if name == "known" else "another key"
            files.store.manifest.put(ManifestEntry(spec, name, key))

    def parse(_root: Path) -> Any:
        raise AssertionError

    monkeypatch.setattr(settings_file, "load_project", parse)
    again = files.read()
    assert again.mark is files.store.project
    assert [level.name for level in again.levels.values()] == ["known", "b"]


def test_globs_are_those_last_read_or_else_those_remembered(game: Game) -> None:
    files = files_of(game)
    assert files.patterns == ()
    with files.store:
        files.store.manifest.mark(ProjectMark("hash", ("old/*.level.yaml",), "print"))
    assert files.patterns == ("old/*.level.yaml",)
    assert files.patterns != files.read().mark.patterns == files.patterns


def test_a_spec_is_built_only_as_it_was_read(game: Game) -> None:
    files = files_of(game)
    files.read()
    assert files.content(A) == game.spec("a").read_bytes()
    game.write("a", seed=2)
    assert files.content(A) is None
    game.spec("a").unlink()
    assert files.content(A) is None


def test_inputs_are_changed_when_their_content_is(game: Game) -> None:
    files = files_of(game)
    path = game.root / "levels" / "map.txt"
    path.write_text("..")
    digest = hashlib.sha256(b"..").hexdigest()
    assert files.digest("levels/map.txt") == digest
    assert files.digest("levels/gone.txt") == ""
    inputs = {"levels/gone.txt": "", "levels/map.txt": digest}
    assert files.changed(inputs) == ()
    path.write_text("...")
    assert files.changed(inputs) == ("levels/map.txt",)
    path.unlink()
    (game.root / "levels" / "gone.txt").touch()
    assert files.changed(inputs) == ("levels/gone.txt", "levels/map.txt")


def test_files_differ_when_one_that_was_read_does(game: Game) -> None:
    files = files_of(game)
    files.read()
    files.digest("levels/map.txt")
    assert not files.differ()
    (game.root / "levels" / "map.txt").touch()
    assert files.differ()
    files.keep(set())
    assert not files.differ()  # no spec uses that input any more
    game.write("b")
    assert files.differ()
    files.read()
    assert not files.differ()
    game.write("b", seed=22)
    assert files.differ()
    files.read()
    game.settings("# the same\ntargets:\n  tiled: {path: t, blob: false, bitmaps: false}\n")
    assert files.differ()


def test_a_spec_that_is_being_saved_is_seen(game: Game) -> None:
    files = files_of(game)
    files.read()
    assert not files.is_amid_a_save()
    game.spec("a").write_bytes(b"x")
    assert not files.is_amid_a_save()
    game.spec("a").write_bytes(b"")
    assert files.is_amid_a_save()
    game.spec("a").unlink()
    assert files.is_amid_a_save()
    files.read()
    assert not files.is_amid_a_save()
    with files.store:
        files.store.manifest.put(ManifestEntry(A, "a"))
    assert files.is_amid_a_save()


def test_of_the_announced_files_only_specs_are_looked_at_for_a_save(game: Game) -> None:
    game.write("b")
    files = files_of(game)
    files.read()
    game.spec("b").write_bytes(b"")
    assert not files.is_amid_a_save([A, "levels/a.level.yaml~"])
    assert files.is_amid_a_save([A, "levels/b.level.yaml"])
    assert files.is_amid_a_save(["levels/a.level.yaml~"])  # names no spec: all are checked


def test_announced_specs_are_read_again_and_nothing_else(game: Game) -> None:
    game.write("b")
    files = files_of(game)
    before = files.read()
    game.write("a", seed=7)
    game.write("b", seed=7)
    game.write("c")
    again = files.read_again(["levels/a.level.yaml~", A])
    assert again is not None
    expected, specs = again
    assert specs == (A,)
    assert expected.specs == before.specs
    other = "levels/b.level.yaml"
    assert expected.levels[other] == before.levels[other]
    game.spec("c").unlink()
    assert expected.levels[A] == files.read().levels[A] != before.levels[A]


def test_without_a_readable_known_spec_of_the_same_name_all_files_must_be_read(game: Game) -> None:
    files = files_of(game)
    assert files.read_again([A]) is None
    files.read()
    assert files.read_again([A]) is not None
    assert files.read_again([]) is None
    assert files.read_again(["levels/b.level.yaml"]) is None
    content = game.spec("a").read_text()
    game.spec("a").write_text("level: other\n" + content)
    assert files.read_again([A]) is None
    game.spec("a").unlink()
    assert files.read_again([A]) is None
    game.spec("a").write_text(content)
    assert files.read_again([A]) is not None
    settings = game.root / "exporter.yaml"
    settings.write_text(settings.read_text() + "# other\n")
    assert files.read_again([A]) is None


def test_folders_behind_links_are_named_by_their_real_paths(game: Game, tmp_path: Path) -> None:
    files = files_of(game)
    files.read()
    assert files.linked_folders() == []
    for name in ("folder", "files"):
        (tmp_path / name).mkdir()
        game.spec("a").rename(tmp_path / name / "x.level.yaml")
        game.write("a")
    (game.root / "levels" / "sub").symlink_to(tmp_path / "folder")
    game.spec("b").symlink_to(tmp_path / "files" / "x.level.yaml")
    expected = files.read()
    assert expected.specs == [A, "levels/b.level.yaml", "levels/sub/x.level.yaml"]
    result = files.linked_folders()
    assert result == [(tmp_path / name).resolve() for name in ("files", "folder")]
    assert files.linked_folders() is result
    game.spec("b").unlink()
    files.read()
    assert files.linked_folders() == [(tmp_path / "folder").resolve()]


def test_a_project_that_is_itself_behind_a_link_has_no_linked_folders(
    game: Game, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(game.root)
    root = tmp_path / "link"
    files = ProjectFiles(root, Store(root, root / ".exporter"), "code")
    files.read()
    assert files.linked_folders() == []
