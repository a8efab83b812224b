"""Finding level specs by globs: which files match, which folders are entered."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporter.project.spec_files import find_specs, fixed_part, look_for_specs
from exporter.project.unmatched_files import warn_of_unmatched_files


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path in (
        "top.yaml",
        "levels/a.yaml",
        "levels/b.yml",
        "levels/A1.yaml",
        "levels/deep/c.yaml",
        "levels/deep/er/d.yaml",
        "levels/.hidden/e.yaml",
        "levels/.f.yaml",
        "levels/Library/g.yaml",
        "levels/Temp/h.yaml",
        "levels/node_modules/i.yaml",
        "levels/__pycache__/j.yaml",
        "levels/folder.yaml/k.txt",
        "more/a.yaml",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("patterns", "result"),
    [
        (["levels/*.yaml"], ["levels/A1.yaml", "levels/a.yaml"]),
        (["./levels//*.yaml"], ["levels/A1.yaml", "levels/a.yaml"]),
        (["levels/?.yaml"], ["levels/a.yaml"]),
        (["levels/[A-Z]*.yaml"], ["levels/A1.yaml"]),
        (["levels/[!A-Z]*.yaml"], ["levels/a.yaml"]),
        (["levels/*/*.yaml"], ["levels/deep/c.yaml"]),
        (["levels/*/*"], ["levels/deep/c.yaml", "levels/folder.yaml/k.txt"]),
        (
            ["levels/**/*.yaml"],
            ["levels/A1.yaml", "levels/a.yaml", "levels/deep/c.yaml", "levels/deep/er/d.yaml"],
        ),
        (["levels/**/er/*.yaml"], ["levels/deep/er/d.yaml"]),
        (["levels/**/**/d.yaml"], ["levels/deep/er/d.yaml"]),
        (["levels/deep/**"], ["levels/deep/c.yaml", "levels/deep/er/d.yaml"]),
        (["**/a.yaml"], ["levels/a.yaml", "more/a.yaml"]),
        (["*.yaml"], ["top.yaml"]),
        (["top.yaml", "levels/a.yaml"], ["levels/a.yaml", "top.yaml"]),
        (["levels/a.yaml", "levels/?.yaml"], ["levels/a.yaml"]),
        (["l*/a.yaml"], ["levels/a.yaml"]),
        (["levels/a.yam"], []),
        (["levels/a.yaml.bak"], []),
        (["evels/a.yaml"], []),
        (["nowhere/*.yaml"], []),
        ([], []),
        (["levels/(a|b).yaml"], []),
        (["levels/a+yaml"], []),
    ],
)
def test_a_glob_matches_whole_paths_and_its_star_stays_in_a_folder(
    root: Path, patterns: list[str], result: list[str]
) -> None:
    assert find_specs(root, tuple(patterns)) == result


@pytest.mark.parametrize(
    ("pattern", "fixed"),
    [
        ("levels/**/*.yaml", "levels"),
        ("levels/deep/a.yaml", "levels/deep"),
        ("./levels//deep/*.yaml", "levels/deep"),
        ("*.yaml", ""),
        ("a.yaml", ""),
        ("a?/b/c.yaml", ""),
        ("a/[bc]/d/e.yaml", "a"),
        ("a/b*/c/d.yaml", "a"),
    ],
)
def test_looking_begins_at_the_last_folder_without_a_wildcard(pattern: str, fixed: str) -> None:
    assert fixed_part(pattern) == fixed


def test_only_what_a_glob_can_match_is_looked_at(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    real = os.scandir

    def scandir(path: str) -> object:
        looked.append(Path(path).relative_to(root).as_posix())
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert find_specs(root, ("levels/deep/**/*.yaml", "levels/deep/*.yaml"))
    assert sorted(looked) == ["levels/deep", "levels/deep/er"]


def test_links_are_followed_and_circles_end(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "far.yaml").write_text("")
    (root / "levels" / "link").symlink_to(outside)
    (root / "levels" / "loop").symlink_to(root / "levels")
    (root / "levels" / "one.yaml").symlink_to(outside / "far.yaml")
    (root / "levels" / "dead.yaml").symlink_to(outside / "gone.yaml")
    specs = find_specs(root, ("levels/**/*.yaml",))
    assert "levels/link/far.yaml" in specs
    assert "levels/one.yaml" in specs
    assert "levels/dead.yaml" not in specs
    assert not [path for path in specs if "loop" in path]
    assert len(specs) == 6


def test_what_vanishes_while_it_is_looked_at_is_passed_over(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Vanishing:
        name = "gone"

        def is_dir(self) -> bool:
            raise PermissionError

    real = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: [Vanishing(), *real(path)])
    assert find_specs(root, ("levels/?.yaml",)) == ["levels/a.yaml"]


def test_a_folder_that_cannot_be_read_is_reported_if_specs_may_be_in_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stat(path: Path | str, **options: bool) -> os.stat_result:
        if Path(path).name == "er":  # nothing in a folder that may only be listed
            raise PermissionError
        return read_status(path, **options)

    read_status = os.stat
    monkeypatch.setattr(os, "stat", stat)

    def warned(*patterns: str) -> list[tuple[str, str]]:
        others = look_for_specs(root, patterns).others
        problems = warn_of_unmatched_files(root, patterns, others)
        return [(item.file[len(str(root)) + 1 :], item.message) for item in problems]

    message = "this folder cannot be read, so level specs in it are not exported (allow reading it)"
    for patterns in (("levels/**/*.yaml", "levels/**"), ("levels/deep/*/?.yaml",)):
        assert ("levels/deep/er", message) in warned(*patterns)
        assert message not in [text for path, text in warned(*patterns) if not path.endswith("/er")]
    assert "levels/deep/er" not in dict(warned("levels/deep/?.yaml", "more/**"))
