"""The team's workflow, with real git: outputs and indexes are committed, clones have no state."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from command_line import run

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

SETTINGS = "targets:\n  godot: {path: game/levels}\n  tiled: {path: maps}\n"
CAVE = "size: [12, 9]\nseed: {seed}\nlayers:\n  ground: {{generator: cellular_caves}}\n"
FOLDERS = ("game/levels", "maps")
# As `exporter init` writes them: outputs are never merged by lines, indexes keep both sides'.
ATTRIBUTES = "".join(
    f"/{folder}/** -merge\n/{folder}/.level-exporter-index text eol=lf merge=union\n"
    for folder in FOLDERS
)
# Indexes are merged as texts and get conflict markers.
WITH_MARKERS = ATTRIBUTES.replace("merge=union", "merge=text")
# Indexes are not merged either: one side wins.
UNMERGED = "".join(f"/{folder}/** -merge\n" for folder in FOLDERS)


class Clone:
    """A clone of the team's repository."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def git(self, *arguments: str, ok: bool = True) -> str:
        """Run git; return its output."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, capture_output=True, text=True, timeout=60
        )
        assert not ok or done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def write(self, name: str, seed: int) -> None:
        """Write a level's spec."""
        spec = self.root / "levels" / f"{name}.level.yaml"
        spec.parent.mkdir(exist_ok=True)
        spec.write_text(CAVE.format(seed=seed))

    def commit(self, message: str) -> None:
        """Commit everything."""
        self.git("add", "-A")
        self.git("commit", "-m", message)

    def share(self) -> None:
        """Push the committed changes."""
        self.git("push", "origin", "HEAD:main")

    def outputs(self) -> dict[str, bytes]:
        """Return the content of the files in the targets, with the indexes, as git stores them."""
        result = {}
        for folder in FOLDERS:
            for path in sorted((self.root / folder).rglob("*")):
                if path.is_file():
                    data = path.read_bytes()
                    text = data if b"\0" in data else data.replace(b"\r\n", b"\n")
                    result[path.relative_to(self.root).as_posix()] = text
        return result


def export(clone: Clone, *options: str) -> dict[str, Any]:
    """Export a clone; return the report."""
    done = run("export", clone.root, "--json", *options)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


class Team:
    """A shared repository and its clones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shared = folder / "shared.git"
        if not self.shared.exists():
            subprocess.run(
                ["git", "init", "--bare", "-b", "main", str(self.shared)],
                check=True,
                capture_output=True,
            )

    def clone(self, name: str, *options: str) -> Clone:
        """Return a fresh clone."""
        root = self.folder / name
        subprocess.run(
            ["git", "clone", *options, str(self.shared), str(root)], check=True, capture_output=True
        )
        clone = Clone(root)
        clone.git("config", "user.name", name)
        clone.git("config", "user.email", f"{name}@example.org")
        clone.git("checkout", "-B", "main")
        return clone


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a shared repository of three exported levels."""
    result = Team(tmp_path_factory.mktemp("origin"))
    ann = result.clone("ann")
    (ann.root / "exporter.yaml").write_text(SETTINGS)
    (ann.root / ".gitattributes").write_text(ATTRIBUTES)
    for seed, name in enumerate(("cave", "hall", "maze")):
        ann.write(name, seed)
    assert run("export", ann.root).returncode == 0
    ann.commit("levels and their outputs")
    ann.share()
    assert ".exporter/" not in ann.git("ls-files")
    assert "maps/.level-exporter-index" in ann.git("ls-files")
    return result.folder


@pytest.fixture
def team(request: pytest.FixtureRequest, origin: Path, tmp_path: Path) -> Team:
    """A shared repository, by default with the attributes that `exporter init` writes."""
    shutil.copytree(origin / "shared.git", tmp_path / "shared.git")
    result = Team(tmp_path)
    attributes = getattr(request, "param", ATTRIBUTES)
    if attributes != ATTRIBUTES:
        ann = result.clone("ann")
        (ann.root / ".gitattributes").write_text(attributes)
        ann.commit("other attributes")
        ann.share()
    return result


def clones(team: Team) -> list[Clone]:
    """Return three fresh clones, one as on Windows."""
    return [
        team.clone("bob"),
        team.clone("eve", "-c", "core.autocrlf=true"),
        team.clone("ida"),
    ]


def test_fresh_clone_passes_the_check_and_stays_clean(team: Team) -> None:
    _, eve, _ = three = clones(team)
    assert b"\r\n" in (eve.root / "maps" / "cave.tmj").read_bytes()
    assert b"\r\n" in (eve.root / "game" / "levels" / "cave.ground.png.import").read_bytes()
    for clone in three:
        document = export(clone, "--check")
        assert (document["written"], document["kept"], document["stale"]) == ([], [], [])
        assert not (clone.root / ".exporter").exists()
        export(clone)
        assert clone.git("status", "--porcelain") == ""


def test_a_spec_edited_in_a_fresh_clone_is_exported(team: Team) -> None:
    outputs = []
    for number, clone in enumerate(clones(team)):
        clone.write("cave", 100)
        document = export(clone)
        levels = {level["level"]: level for level in document["levels"]}
        assert "maps/cave.tmj" in levels["cave"]["written"]
        assert levels["hall"]["written"] == []
        assert (document["kept"], document["stale"], document["removed"]) == ([], [], [])
        changed = {line[3:] for line in clone.git("status", "--porcelain").splitlines()}
        assert changed >= {"maps/cave.tmj", "levels/cave.level.yaml", "maps/.level-exporter-index"}
        assert not any("hall" in path for path in changed)
        outputs.append(clone.outputs())
        if number == 0:
            clone.commit("another cave")
            clone.share()
    assert outputs[0] == outputs[1] == outputs[2]
    build = team.clone("build")
    export(build, "--check")


def test_what_is_deleted_in_one_clone_goes_in_all(team: Team) -> None:
    bob, eve, _ = clones(team)
    for clone in (bob, eve):
        export(clone)
    (bob.root / "levels" / "cave.level.yaml").unlink()
    export(bob)
    bob.commit("no cave")
    bob.share()
    eve.git("pull", "--no-rebase", "origin", "main")
    assert not [path for path in eve.outputs() if "cave" in path]
    export(eve, "--check")
    assert eve.outputs() == bob.outputs()


@pytest.mark.parametrize(
    ("team", "prepared"),
    [(ATTRIBUTES, True), (WITH_MARKERS, False), (UNMERGED, True)],
    indirect=["team"],
    ids=["union, exported before", "markers, fresh", "unmerged, exported before"],
)
def test_merged_branches_are_settled_by_exporting_again(team: Team, prepared: bool) -> None:
    bob, eve, ida = clones(team)
    if prepared:
        for clone in (bob, eve, ida):
            export(clone)
    bob.write("cave", 200)
    bob.write("new", 5)
    bob.write("both", 6)
    export(bob)
    bob.commit("bob's")
    bob.share()
    eve.write("cave", 300)
    eve.write("hall", 301)
    eve.write("other", 7)
    eve.write("both", 6)
    export(eve)
    eve.commit("eve's")
    eve.git("pull", "--no-rebase", "origin", "main", ok=False)
    unmerged = eve.git("diff", "--name-only", "--diff-filter=U").split()
    assert "levels/cave.level.yaml" in unmerged  # conflicts that people have to resolve
    assert any(path.startswith("maps/cave") for path in unmerged)
    eve.write("cave", 300)  # eve's is taken
    document = export(eve)
    assert (document["kept"], document["stale"]) == ([], [])
    eve.commit("merged")
    eve.share()
    build = team.clone("build")
    checked = export(build, "--check")
    assert (checked["kept"], checked["stale"]) == ([], [])
    fresh = team.clone("fresh")
    for folder in FOLDERS:
        shutil.rmtree(fresh.root / folder)
    export(fresh)
    assert fresh.outputs() == eve.outputs() == build.outputs()
    ida.git("pull", "--no-rebase", "origin", "main")
    assert export(ida)["kept"] == []
    assert ida.outputs() == eve.outputs()
    assert ida.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("team", "side"),
    [(ATTRIBUTES, "--theirs"), (WITH_MARKERS, "--ours"), (UNMERGED, "--theirs")],
    indirect=["team"],
    ids=["union", "markers", "unmerged"],
)
def test_either_side_of_a_merge_conflict_is_exported_again(team: Team, side: str) -> None:
    bob, eve, _ = clones(team)
    for clone, seed in ((bob, 200), (eve, 300)):
        clone.write("cave", seed)
        export(clone)
        clone.commit(f"seed {seed}")
    bob.share()
    eve.git("pull", "--no-rebase", "origin", "main", ok=False)
    for path in eve.git("diff", "--name-only", "--diff-filter=U").split():
        markers = path.endswith("-index") and b"<<<<<<<" in (eve.root / path).read_bytes()
        if path.startswith(FOLDERS) and not markers:
            eve.git("checkout", side, "--", path)
    eve.write("cave", 400)  # and another is decided for
    document = export(eve)
    assert (document["kept"], document["stale"]) == ([], [])
    eve.commit("merged")
    eve.share()
    export(team.clone("build"), "--check")


def test_an_edited_output_that_is_committed_is_preserved_in_every_clone(team: Team) -> None:
    bob, eve, _ = clones(team)
    edited = "maps/cave.tmj"
    export(bob)
    export(eve)
    path = bob.root / edited
    path.write_text(path.read_text().replace('"height"', '"painted": true,\n "height"', 1))
    content = bob.outputs()[edited]
    assert export(bob)["kept"] == [edited]
    bob.commit("painted by hand")
    bob.share()
    eve.git("pull", "--no-rebase", "origin", "main")
    build = team.clone("build")
    for clone in (eve, build):
        assert export(clone, "--check")["kept"] == [edited]
        clone.write("cave", 500)
        assert export(clone)["kept"] == [edited]
        assert clone.outputs()[edited] == content
    assert export(eve, "--overwrite")["kept"] == []
    assert eve.outputs()[edited] != content


def test_the_state_of_a_clone_that_lags_behind_harms_nothing(team: Team) -> None:
    bob, eve, _ = clones(team)
    export(eve)
    for seed in (600, 601):
        bob.write("cave", seed)
        export(bob)
        bob.commit(f"seed {seed}")
    bob.share()
    eve.git("pull", "--no-rebase", "origin", "main")
    # The files there were written by bob's exporter: the index says so.
    document = export(eve)
    assert (document["kept"], document["stale"], document["removed"]) == ([], [], [])
    assert eve.git("status", "--porcelain") == ""
    eve.git("checkout", "HEAD~2", "--", ".")
    document = export(eve)
    assert (document["kept"], document["stale"]) == ([], [])
