"""`exporter diff SPEC`: the current file against a commit of a real repository."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from exporter import build_level, load_level, write_blob
from exporter.cli.main import main
from exporter.model.errors import ExporterError
from exporter.project.revisions import find_revision

CAVE = """size: [20, 12]
seed: 4
layers:
  ground: {generator: cellular_caves}
objects: [{name: chest, count: 2}]
"""
PICTURE = """size: [4, 3]
layers:
  ground: {generator: from_image, image: art/plan.png}
"""

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


def git(folder: Path, *arguments: str) -> str:
    """Run Git with a neutral user, without the tester's configuration."""
    names = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE")
    settings = {key: text for key, text in os.environ.items() if key not in names}
    settings |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.com"]
    done = subprocess.run(
        ["git", *who, *arguments],
        cwd=folder,
        env=settings,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout.strip()


def commit(folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "a step")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project in a folder of a repository; the current folder is the project."""
    git(tmp_path, "init", "-q")
    root = tmp_path / "game" / "maps"
    (root / "levels" / "art").mkdir(parents=True)
    (root / "exporter.yaml").write_text("targets:\n  tiled: {path: tiled}\n")
    (root / "levels" / "cave.level.yaml").write_text(CAVE)
    draw(root, 0)
    (root / "levels" / "drawn.level.yaml").write_text(PICTURE)
    commit(tmp_path)
    monkeypatch.chdir(root)
    return root


def draw(root: Path, black: int) -> None:
    pixels = np.full((3, 4), 255, np.uint8)
    pixels[1, black] = 0
    Image.fromarray(pixels).save(root / "levels" / "art" / "plan.png")


def diff(*arguments: str) -> int:
    return main(["diff", *arguments])


SPEC = "levels/cave.level.yaml"
DRAWN = "levels/drawn.level.yaml"


def test_what_is_as_committed_is_equal(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(SPEC) == 0
    head = git(project, "rev-parse", "HEAD")
    assert capsys.readouterr().out == f"HEAD:./{SPEC} ({head[:10]}) -> {SPEC}: equal\n"


def test_a_changed_spec_is_compared_with_the_committed_one(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = git(project, "rev-parse", "HEAD")
    path = project / SPEC
    path.write_text(CAVE.replace("seed: 4", "seed: 5"))
    assert diff(SPEC) == 1
    assert "\nseed: 4 -> 5\n" in capsys.readouterr().out
    commit(project)
    assert diff(SPEC) == 0
    for name in ("HEAD~1", first, first[:12]):
        capsys.readouterr()
        assert diff(SPEC, "--revision", name) == 1
        assert capsys.readouterr().out.startswith(f"{name}:./{SPEC} ({first[:10]}) -> ")


def test_a_seed_is_that_of_both(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / SPEC).write_text(CAVE.replace("seed: 4", "seed: 5"))
    assert diff(f"{SPEC}@7", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["was"]["source"] == f"HEAD:./{SPEC}@7"
    assert document["was"]["commit"] == git(project, "rev-parse", "HEAD")
    assert (document["was"]["seed"], document["now"]["seed"]) == (7, 7)
    assert "commit" not in document["now"]


def test_files_that_a_spec_reads_are_of_the_same_commit(project: Path) -> None:
    draw(project, 2)
    assert diff(DRAWN, "-q") == 1
    commit(project)
    assert diff(DRAWN, "-q") == 0
    # A file deleted by now is still in the commit.
    was, now = project / "levels" / "art", project / "levels" / "pictures"
    was.rename(now)
    (project / DRAWN).write_text(PICTURE.replace("art/", "pictures/"))
    assert diff(DRAWN, "-q") == 0
    assert diff(DRAWN, "-q", "--revision", "HEAD~1") == 1


def test_a_file_that_the_commit_lacks_is_reported_at_its_line(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / DRAWN).write_text(PICTURE.replace("plan", "other"))
    git(project, "add", DRAWN)
    git(project, "commit", "-q", "-m", "without its picture")
    draw(project, 1)
    (project / "levels" / "art" / "plan.png").rename(project / "levels" / "art" / "other.png")
    assert diff(DRAWN) == 2
    output = capsys.readouterr().err
    assert (
        f"HEAD:./{DRAWN}:3:42: error: 'art/other.png' cannot be read (the commit has no such file)"
        in output
    )


def test_hand_edits_are_of_the_same_commit(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edits = project / "levels" / "cave.edits.yaml"
    level = build_level(load_level(SPEC))
    ground = level.layers["ground"]
    names = {tile.id: tile.name for tile in ground.tiles}
    was = names[int(ground.cells[6, 9])]
    now = "wall" if was == "floor" else "floor"
    edits.write_text(f"layers:\n  ground:\n    - {{at: [9, 6], was: {was}, now: {now}}}\n")
    assert diff(SPEC) == 1
    output = capsys.readouterr().out
    assert "layer ground: 1 of 240 cells changed (0.4%), within 1 x 1 at 9,6" in output
    commit(project)
    assert diff(SPEC, "-q") == 0
    edits.unlink()
    assert diff(SPEC, "-q") == 1
    commit(project)
    edits.write_text("layers: [\n")
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "broken edits")
    edits.unlink()
    capsys.readouterr()
    assert diff(SPEC) == 2
    assert "HEAD:./levels/cave.edits.yaml:" in capsys.readouterr().err


def test_a_seed_that_is_searched_for_is_searched_in_the_commit(project: Path) -> None:
    text = PICTURE.replace("size: [4, 3]", "size: [4, 3]\nseed: {search: 3, where: 'floor >= 0'}")
    (project / DRAWN).write_text(text)
    commit(project)
    (project / "levels" / "art").rename(project / "levels" / "gone")
    (project / DRAWN).write_text(text.replace("art/", "gone/"))
    assert diff(DRAWN, "-q") == 0


def test_blobs_have_committed_versions_too(project: Path) -> None:
    spec = load_level(SPEC)
    blob = project / "cave.lvb"
    blob.write_bytes(write_blob(build_level(spec)))
    commit(project)
    blob.write_bytes(write_blob(build_level(spec.with_seed(9))))
    assert diff("cave.lvb", "-q") == 1
    assert diff("cave.lvb", SPEC, "-q") == 1


def test_an_absolute_name_is_reported_from_the_top(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert diff(str(project / SPEC)) == 0
    assert capsys.readouterr().out.startswith(f"HEAD:game/maps/{SPEC} (")


def test_the_repository_is_that_of_the_file(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    # As in a hook of another repository.
    git(elsewhere, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(elsewhere / ".git"))
    assert diff(str(project / SPEC), "-q") == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([SPEC, "--revision", "nowhere"], "has no revision 'nowhere' (a branch, a tag, a hash"),
        ([SPEC, "--revision=--help"], "has no revision '--help'"),
        ([SPEC, "--revision", ""], "has no revision ''"),
        ([SPEC, "--revision", f"HEAD:{SPEC}"], "has no revision 'HEAD:"),
        (
            ["new.level.yaml"],
            "HEAD:./new.level.yaml cannot be read (the commit has no such file; name",
        ),
        (["link.level.yaml"], "HEAD:./link.level.yaml cannot be read (in the commit it is a link"),
        (["gone.level.yaml"], "there is no file 'gone.level.yaml'"),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
def test_trouble_exits_with_2(
    project: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "link.level.yaml").symlink_to(SPEC)
    commit(project)
    (project / "link.level.yaml").unlink()
    (project / "link.level.yaml").write_text(CAVE)
    (project / "new.level.yaml").write_text(CAVE)
    assert diff(*arguments) == 2
    assert said in capsys.readouterr().err


def test_without_a_repository_the_way_out_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cave.level.yaml").write_text(CAVE)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    assert diff("cave.level.yaml") == 2
    output = capsys.readouterr().err
    assert "there is no committed version to compare with (not a git repository" in output
    assert "name two levels instead)" in output
    git(tmp_path, "init", "-q")
    assert diff("cave.level.yaml") == 2
    assert "has no revision 'HEAD'" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(tmp_path))
    assert diff("cave.level.yaml") == 2
    assert "git cannot read the revision 'HEAD' (it is not installed)" in capsys.readouterr().err


def test_nothing_that_a_repository_configures_is_run(project: Path) -> None:
    ran = project / "ran"
    for name in ("filter.evil.smudge", "diff.evil.textconv", "core.fsmonitor"):
        git(project, "config", name, f"touch '{ran}'; cat")
    (project / ".git-hooks").mkdir()
    (project / ".gitattributes").write_text("*.yaml filter=evil diff=evil\n")
    revision = find_revision(project, "HEAD")
    assert revision.read(project / SPEC, 1000).decode() == CAVE
    assert diff(SPEC, "-q") == 0
    assert not ran.exists()


def test_a_file_may_be_no_larger_than_allowed(project: Path) -> None:
    revision = find_revision(project, "HEAD")
    size = len(CAVE)
    assert len(revision.read(project / SPEC, size)) == size
    with pytest.raises(OSError, match=f"it has {size} bytes; allowed: {size - 1}"):
        revision.read(project / SPEC, size - 1)
    with pytest.raises(OSError, match="in the commit it is a folder"):
        revision.read(project / "levels", 1000)
    outside = project.parents[1].parent / "outside.txt"
    outside.write_text("as it is")
    assert revision.read(outside, 100) == b"as it is"


def test_what_is_preserved_by_git_lfs_is_detected_where_it_is(project: Path) -> None:
    content = b"a picture, say"
    digest = hashlib.sha256(content).hexdigest()
    pointer = (
        f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(content)}\n"
    )
    file = project / "levels" / "art" / "big.png"
    file.write_text(pointer)
    commit(project)
    revision = find_revision(project, "HEAD")
    with pytest.raises(
        OSError, match=r"stored by Git LFS and not downloaded \(run `git lfs fetch`\)"
    ):
        revision.read(file, 1000)
    file.write_bytes(content)
    assert revision.read(file, 1000) == content
    file.write_bytes(b"another one")
    top = Path(git(project, "rev-parse", "--show-toplevel"))
    remaining = top / ".git" / "lfs" / "objects" / digest[:2] / digest[2:4] / digest
    remaining.parent.mkdir(parents=True)
    remaining.write_bytes(content)
    assert revision.read(file, 1000) == content
    remaining.write_bytes(b"damaged")
    with pytest.raises(OSError, match="stored by Git LFS"):
        revision.read(file, 1000)


def test_a_revision_is_requested_of_the_folder(tmp_path: Path) -> None:
    with pytest.raises(ExporterError, match="git cannot read the revision"):
        find_revision(tmp_path / "gone", "HEAD")
