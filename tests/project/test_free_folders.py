"""Folders that may be used: without foreign files, on every file system."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from exporter.model.errors import StoreError
from exporter.project.free_folders import (
    Content,
    content_of,
    first_folder,
    output_folders,
    spec_folders,
)


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)


@pytest.mark.parametrize(
    ("names", "content"),
    [
        ((), Content.NOTHING),
        (("a/",), Content.NOTHING),
        (("a/b/",), Content.NOTHING),
        (("a/b/c/d/",), Content.NOTHING),
        (("a/b/.gitkeep", "a/b/Thumbs.db", "a/other.png"), Content.NOTHING),
        (("a/b/one.level.yaml",), Content.SPECS),
        (("a/b/c/one.level.yaml", "a/b/own"), Content.SPECS),
        (("a/b/own",), Content.NOTHING),
        (("a/b/c/own",), Content.OTHER),
        (("a/b/one.level.yaml", "a/b/x.png"), Content.OTHER),
        (("a/b/c/x.png",), Content.OTHER),
        (("a/b/.hidden",), Content.OTHER),
        (("a/b",), Content.OTHER),
        (("a",), Content.OTHER),
        (("a/B/",), Content.OTHER),
        (("a/B",), Content.OTHER),
    ],
)
def test_what_a_folder_holds(tmp_path: Path, names: tuple[str, ...], content: Content) -> None:
    make(tmp_path, *names)
    assert content_of(tmp_path, "a/b", lambda name, path: name == "own") is content


def test_links_lead_elsewhere(tmp_path: Path) -> None:
    make(tmp_path, "empty/", "full/x.png", "a/")
    (tmp_path / "a" / "b").symlink_to(tmp_path / "empty")
    assert content_of(tmp_path, "a/b") is Content.OTHER
    (tmp_path / "linked").symlink_to(tmp_path / "empty")
    assert content_of(tmp_path, "linked/b") is Content.OTHER
    (tmp_path / "a" / "c").symlink_to(tmp_path / "nowhere")
    assert content_of(tmp_path, "a/c") is Content.OTHER
    make(tmp_path, "a/d/")
    (tmp_path / "a" / "d" / "link").symlink_to(tmp_path / "full")
    assert content_of(tmp_path, "a/d") is Content.OTHER


def test_a_folder_that_need_not_exist_in_a_root_that_need_not(tmp_path: Path) -> None:
    assert content_of(tmp_path / "new", "a") is Content.NOTHING


def test_a_folder_that_cannot_be_read_is_somebody_elses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a/b/")

    def refuse(path: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("exporter.project.free_folders.os.scandir", refuse)
    assert content_of(tmp_path, "a/b") is Content.OTHER


def test_similar_names_are_suggested() -> None:
    assert list(islice(spec_folders(), 4)) == [
        "levels",
        "level_specs",
        "level_specs_2",
        "level_specs_3",
    ]
    assert list(islice(output_folders("a/levels"), 3)) == [
        "a/levels",
        "a/levels_exported",
        "a/levels_exported_2",
    ]
    assert list(islice(output_folders("Assets/Levels"), 3)) == [
        "Assets/Levels",
        "Assets/LevelsExported",
        "Assets/LevelsExported2",
    ]


def test_the_first_that_is_accepted_is_accepted_and_none_is_an_error() -> None:
    assert (
        first_folder(spec_folders(), lambda spec_folder: spec_folder.endswith("_3"))
        == "level_specs_3"
    )
    with pytest.raises(
        StoreError, match=r"a folder like a/b cannot be made, because a is not a regular"
    ):
        first_folder(output_folders("a/b"), lambda output_folder: False)
