"""Soak the daemon: saves, renames, deletions, hand edits and kills.

    python tests/harness/soak.py [--edits 1000] [--seed N]

Saves follow the styles of seven editors. Afterwards no hand edit is lost, and all else equals a
fresh export of the same tree once stale files have been cleaned; the manifest names exactly the
files present.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from command_line import run
from daemon_harness import Daemon, Project, fresh_copy, leftovers, level_text

BROKEN = ("", "size: [12", "size: [12, 12]\nlayers: {a: {generator: nothing}}\n", "\x00", "- 1\n")
EDIT = b"edited by hand, number %d\n"
SETTINGS = (
    "targets:\n  godot: {path: godot/levels}\n  tiled: {path: tiled}\n",
    "targets:\n  godot: {path: godot/levels, block_size: 3}\n  tiled: {path: tiled}\n",
    "targets:\n  tiled: {path: tiled, encoding: zlib}\n",
)
# Godot's and Unity's numbers of files: a renamed level keeps those of its former name.
_NUMBERS = re.compile(rb"uid://[a-z0-9]+|\bguid: [0-9a-f]{32}")


# --- how editors save ---------------------------------------------------------------------------
# See the events each of them causes in the documentation of watchdog's observers.


def save_in_place(path: Path, text: str, _outside: Path) -> None:
    """Truncate and write (VS Code, nano): for a moment the file is empty."""
    path.write_text(text)


def save_as_vim(path: Path, text: str, _outside: Path) -> None:
    """Move the file to a backup, write a new one, remove the backup."""
    backup = path.with_name(path.name + "~")
    if path.exists():
        path.rename(backup)
    path.write_text(text)
    backup.unlink(missing_ok=True)


def save_as_jetbrains(path: Path, text: str, _outside: Path) -> None:
    """Write a temporary file, move the old file away and the new one onto its name."""
    new, old = (
        path.with_name(path.name + "___jb_tmp___"),
        path.with_name(path.name + "___jb_old___"),
    )
    new.write_text(text)
    if path.exists():
        path.rename(old)
    new.rename(path)
    old.unlink(missing_ok=True)


def save_by_replacing(path: Path, text: str, _outside: Path) -> None:
    """Write a temporary file beside the file and put it in its place."""
    new = path.with_name("new.tmp")
    new.write_text(text)
    os.replace(new, path)


def save_from_outside(path: Path, text: str, outside: Path) -> None:
    """Write a temporary file outside the project and put it in the file's place."""
    new = outside / "new.tmp"
    new.write_text(text)
    os.replace(new, path)


def save_by_deleting(path: Path, text: str, _outside: Path) -> None:
    """Delete the file and create it again."""
    path.unlink(missing_ok=True)
    time.sleep(0.02)
    path.write_text(text)


def save_in_pieces(path: Path, text: str, _outside: Path) -> None:
    """Write a piece after the other, with pauses between."""
    path.write_text("")
    for start in range(0, len(text), 1 + len(text) // 4):
        with open(path, "a") as file:
            file.write(text[start : start + 1 + len(text) // 4])
        time.sleep(0.005)


STYLES: tuple[Callable[[Path, str, Path], None], ...] = (
    save_in_place,
    save_as_vim,
    save_as_jetbrains,
    save_by_replacing,
    save_from_outside,
    save_by_deleting,
    save_in_pieces,
)


class Person:
    """Acts like people on a project, and records their hand edits.

    Attributes:
        edits: The contents that were written by hand and are to be found in the end.
        given_up: Paths whose edited files the person removed or wrote over again.
    """

    def __init__(self, project: Project, seed: int, outside: Path) -> None:
        self.project = project
        self.outside = outside
        self.random = random.Random(seed)
        self.names = [f"level{number}" for number in range(12)]
        self.folders = ["", "a/", "a/b/", "c/"]
        self.edits: set[bytes] = set()
        self.saves = dict.fromkeys((style.__name__ for style in STYLES), 0)
        self._number = 0

    def act(self) -> None:
        """Do one thing; files that are not there are no reason to stop."""
        actions = (
            (self.write, 52),
            (self.break_spec, 8),
            (self.delete, 10),
            (self.rename, 8),
            (self.rename_folder, 3),
            (self.touch, 4),
            (self.edit_output, 6),
            (self.delete_output, 4),
            (self.change_settings, 3),
            (self.delete_cache, 1),
            (self.delete_state, 1),
        )
        action = self.random.choices([a for a, _ in actions], [w for _, w in actions])[0]
        try:
            action()
        except OSError:
            return

    def _spec(self) -> Path:
        folder, name = self.random.choice(self.folders), self.random.choice(self.names)
        return self.project.root / "levels" / f"{folder}{folder[:1]}{name}.level.yaml"

    def _there(self) -> Path:
        result = sorted((self.project.root / "levels").rglob("*.level.yaml"))
        return self.random.choice(result) if result else self._spec()

    def _text(self) -> str:
        layer = self.random.choice(("ground", "floor"))
        more = self.random.choice(("", "visibility: {radius: 3}\n", "# remark\n"))
        return level_text(self.random.randrange(50), layer=layer, more=more)

    def write(self) -> None:
        """Save a spec as one of the editors does."""
        spec = self._spec() if self.random.random() < 0.7 else self._there()
        spec.parent.mkdir(parents=True, exist_ok=True)
        style = self.random.choice(STYLES)
        style(spec, self._text(), self.outside)
        self.saves[style.__name__] += 1

    def break_spec(self) -> None:
        self._there().write_text(self.random.choice(BROKEN))

    def delete(self) -> None:
        self._there().unlink()

    def rename(self) -> None:
        target = self._spec()
        target.parent.mkdir(parents=True, exist_ok=True)
        self._there().rename(target)

    def rename_folder(self) -> None:
        levels = self.project.root / "levels"
        first, second = self.random.sample(("a", "c", "d", "e/f"), 2)
        (levels / second).parent.mkdir(parents=True, exist_ok=True)
        (levels / first).rename(levels / second)

    def touch(self) -> None:
        os.utime(self._there())

    def _output(self) -> Path | None:
        """Return an output that is not edited yet."""
        result = [path for path, data in self.project.outputs().items() if data not in self.edits]
        return self.project.root / self.random.choice(sorted(result)) if result else None

    def edit_output(self) -> None:
        """Edit an output or sidecar; the edit must never be lost."""
        path = self._output()
        if path is None:
            return
        self._number += 1
        data = EDIT % self._number
        with open(path, "r+b") as file:  # it may be replaced just now: then that one is edited
            file.truncate()
            file.write(data)
        if path.exists() and path.read_bytes() == data:
            self.edits.add(data)

    def delete_output(self) -> None:
        path = self._output()
        if path is not None:
            path.unlink()

    def change_settings(self) -> None:
        text = "levels: levels/**/*.level.yaml\n" + self.random.choice(SETTINGS)
        (self.project.root / "exporter.yaml").write_text(text)

    def delete_cache(self) -> None:
        shutil.rmtree(self.project.root / ".exporter" / "cache", ignore_errors=True)

    def delete_state(self) -> None:
        """Delete the manifest; the indexes list our files."""
        for name in ("manifest.json", "manifest.journal"):
            (self.project.root / ".exporter" / name).unlink(missing_ok=True)


def mend(project: Project) -> None:
    """Make every spec one that can be exported, and every level's name its own."""
    used: set[str] = set()
    for number, spec in enumerate(sorted((project.root / "levels").rglob("*.level.yaml"))):
        if spec.name in used:
            spec.unlink()
            continue
        used.add(spec.name)
        try:
            whole = spec.read_text().startswith("size: [12, 12]\nseed")
        except UnicodeDecodeError:
            whole = False
        if not whole:
            spec.write_text(level_text(number))


def soak(folder: Path, edits: int, seed: int) -> dict[str, int]:
    """Work on a project under a daemon, which is killed now and then; then compare.

    Returns:
        How often each style of saving was used, and how many outputs were edited by hand.
    """
    project = Project(folder / "project")
    (folder / "outside").mkdir()
    person = Person(project, seed, folder / "outside")
    for _ in range(5):
        person.write()
    done = 0
    while done < edits:
        with Daemon(project) as daemon:
            burst = min(edits - done, person.random.randrange(edits // 4, edits // 2 + 1))
            for _ in range(burst):
                person.act()
                time.sleep(person.random.choice((0, 0, 0.01, 0.05, 0.15, 0.3)))
                _assert_nothing_dropped(project, person)
            done += burst
            daemon.kill()  # as it is, in the middle of whatever it does
            person.act()
    mend(project)
    exported = project.export("--jobs", "1")
    assert exported.returncode == 0, exported.stderr + exported.stdout
    cleaned = run("clean", "--stale", str(project.root))
    assert cleaned.returncode == 0, cleaned.stderr + cleaned.stdout
    _assert_nothing_dropped(project, person)
    _assert_as_fresh(project, fresh_copy(project, folder / "fresh"), person.edits)
    assert not leftovers(project.root)
    return {**person.saves, "edited by hand": len(person.edits)}


def _assert_nothing_dropped(project: Project, person: Person) -> None:
    """Assert that every edit is still there, under its name or that of a renamed level."""
    for _ in range(50):
        dropped = person.edits - set(_read(project).values())
        if not dropped:
            return
        time.sleep(0.1)  # a file that is being renamed may have been missed
    raise AssertionError(f"lost: {sorted(dropped)}")


def _read(project: Project) -> dict[str, bytes]:
    """Return the outputs, though files come and go."""
    while True:
        try:
            return project.outputs()
        except OSError:
            continue


def _assert_as_fresh(project: Project, fresh: Project, edits: set[bytes]) -> None:
    """Assert that all unedited files are as in a fresh export, apart from engines' numbers."""
    result = fresh.export("--jobs", "1")
    assert result.returncode == 0, result.stderr + result.stdout
    results, expected = project.outputs(), fresh.outputs()
    own = {path for path, data in results.items() if data in edits}
    differing = sorted(
        path
        for path in (results.keys() | expected.keys()) - own
        if _NUMBERS.sub(b"NUMBER", results.get(path, b"-"))
        != _NUMBERS.sub(b"NUMBER", expected.get(path, b"-"))
    )
    assert not differing, differing
    assert set(project.manifest()) == set(expected)
    # Another export has nothing left to do.
    again = project.export("--check")
    assert again.returncode == 0, again.stdout
