"""A soak of the daemon: random edits, renames, deletions, vandalism and kills.

    python tests/harness/soak.py [--edits 1000] [--seed N]

Afterwards a fresh export of the same tree gives byte-identical outputs, and the manifest names
exactly the files present.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import tempfile
import time
from pathlib import Path

from daemon_harness import Daemon, Project, fresh_copy, leftovers, level_text, wait_until

BROKEN = ("", "size: [12", "size: [12, 12]\nlayers: {a: {generator: nothing}}\n", "\x00", "- 1\n")
DAMAGE = b"damaged"
SETTINGS = (
    "targets:\n  godot: {path: godot/levels}\n  tiled: {path: tiled}\n",
    "targets:\n  godot: {path: godot/levels, block_size: 3}\n  tiled: {path: tiled}\n",
    "targets:\n  tiled: {path: tiled, encoding: zlib}\n",
)


class Vandal:
    """Does random things to a project."""

    def __init__(self, project: Project, seed: int) -> None:
        self.project = project
        self.random = random.Random(seed)
        self.names = [f"level{number}" for number in range(12)]
        self.folders = ["", "a/", "a/b/", "c/"]

    def act(self) -> None:
        """Do one thing; files that are not there are no reason to stop."""
        actions = (
            (self.write, 40),
            (self.replace, 12),
            (self.break_spec, 8),
            (self.delete, 12),
            (self.rename, 8),
            (self.rename_folder, 4),
            (self.touch, 4),
            (self.damage_output, 8),
            (self.change_settings, 3),
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
        found = sorted((self.project.root / "levels").rglob("*.level.yaml"))
        return self.random.choice(found) if found else self._spec()

    def _text(self) -> str:
        layer = self.random.choice(("ground", "floor"))
        more = self.random.choice(("", "visibility: {radius: 3}\n", "# remark\n"))
        return level_text(self.random.randrange(50), layer=layer, more=more)

    def write(self) -> None:
        spec = self._spec()
        spec.parent.mkdir(parents=True, exist_ok=True)
        spec.write_text(self._text())

    def replace(self) -> None:
        spec = self._there()
        new = spec.with_name("new.tmp")
        new.write_text(self._text())
        os.replace(new, spec)

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

    def damage_output(self) -> None:
        # Sidecars are the engine's and the user's once they are written.
        found = [path for path in self.project.outputs() if not path.endswith(".import")]
        if found:
            path = self.project.root / self.random.choice(sorted(found))
            if self.random.random() < 0.5:
                path.unlink()
            else:
                path.write_bytes(DAMAGE)

    def change_settings(self) -> None:
        text = "levels: levels/**/*.level.yaml\n" + self.random.choice(SETTINGS)
        (self.project.root / "exporter.yaml").write_text(text)

    def delete_state(self) -> None:
        """Delete the cache; without the manifest damaged outputs would be nobody's."""
        shutil.rmtree(self.project.root / ".exporter" / "cache", ignore_errors=True)


def mend(project: Project) -> None:
    """Make every spec one that can be exported, and every level's name its own."""
    taken: set[str] = set()
    for number, spec in enumerate(sorted((project.root / "levels").rglob("*.level.yaml"))):
        if spec.name in taken:
            spec.unlink()
            continue
        taken.add(spec.name)
        try:
            whole = spec.read_text().startswith("size: [12, 12]\nseed")
        except UnicodeDecodeError:
            whole = False
        if not whole:
            spec.write_text(level_text(number))
    # What was edited by hand and then given up by its level is the user's: only they remove it.
    for path, data in project.outputs().items():
        if data == DAMAGE:
            (project.root / path).unlink(missing_ok=True)


def soak(folder: Path, edits: int, seed: int) -> None:
    """Do random things to a project under a daemon, which is killed now and then; then compare."""
    project = Project(folder / "project")
    vandal = Vandal(project, seed)
    for _ in range(5):
        vandal.write()
    done = 0
    while done < edits:
        with Daemon(project) as daemon:
            burst = min(edits - done, vandal.random.randrange(edits // 4, edits // 2 + 1))
            for _ in range(burst):
                vandal.act()
                time.sleep(vandal.random.choice((0, 0, 0.01, 0.05, 0.15, 0.3)))
            done += burst
            daemon.kill()  # as it is, in the middle of whatever it does
            vandal.act()
    with Daemon(project) as daemon:
        mend(project)
        fresh = fresh_copy(project, folder / "fresh")
        result = fresh.export("--jobs", "1")
        assert result.returncode == 0, result.stderr + result.stdout
        wanted = fresh.outputs()

        def same() -> bool:
            return project.outputs() == wanted and _names(project) == set(wanted)

        try:
            wait_until(same)
        except AssertionError:
            _explain(project.outputs(), wanted, _names(project))
            raise
        assert daemon.process.poll() is None
    project.assert_true()
    fresh.assert_true()
    assert not leftovers(project.root)


def _names(project: Project) -> set[str]:
    return set(project.manifest())


def _explain(found: dict[str, bytes], wanted: dict[str, bytes], named: set[str]) -> None:
    print("too many:", sorted(found.keys() - wanted.keys()))
    print("missing:", sorted(wanted.keys() - found.keys()))
    both = found.keys() & wanted.keys()
    print("different:", sorted(path for path in both if found[path] != wanted[path]))
    print("named, not there:", sorted(named - found.keys()))
    print("there, not named:", sorted(found.keys() - named))


def main() -> None:
    """Run the long soak."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        began = time.monotonic()
        soak(Path(name), options.edits, options.seed)
        print(
            f"{options.edits} random edits: all as freshly exported "
            f"({time.monotonic() - began:.0f} s)"
        )


if __name__ == "__main__":
    main()
