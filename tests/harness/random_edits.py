"""Random things that people do to a project between two exports."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from command_line import run_json
from edited_outputs import ThreeEngines
from exporter.export.clean import clean_stale
from exporter.export.events import Removal
from exporter.store.indexes import INDEX
from silent_reporter import SilentReporter
from small_game import CAVE

LEVELS = ("a", "b", "c")
ALL_SETTINGS = (
    "targets:\n  godot: {path: g}\n  unity: {path: u}\n  tiled: {path: t}\n",
    "targets:\n  godot: {path: g, block_size: 3}\n  unity: {path: u, block_size: 3}\n",
    "targets:\n  godot: {path: g, bitmaps: false}\n  tiled: {path: deep/t}\n",
    "levels: levels/[ab].*\ntargets:\n  tiled: {path: t, blob: false}\n  unity: {path: u}\n",
)


def with_lf(data: bytes) -> bytes:
    """Return a text with the line endings of Unix, and other files as they are."""
    return data if b"\0" in data else data.replace(b"\r\n", b"\n")


class RandomEdits:
    """Does one of many things to a game, chosen by a seed.

    Attributes:
        done: The names of the finished actions.
        edits: The contents, with LF, that were written by hand and not deleted since.
    """

    def __init__(self, game: ThreeEngines, seed: int) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.done: list[str] = []
        self.edits: set[bytes] = set()

    def act(self) -> None:
        """Do one thing."""
        actions: list[tuple[Callable[[], object], int]] = [
            (self.write, 6),
            (self.delete, 3),
            (self.rename_spec, 3),
            (self.rename_level, 3),
            (self.break_spec, 1),
            (self.change_settings, 2),
            (self.edit_output, 4),
            (self.delete_output, 2),
            (self.change_line_endings, 1),
            (self.put_own_file, 1),
            (self.hide_specs, 1),
            (self.damage_index, 1),
            (self.delete_state, 1),
        ]
        action = self.random.choices([a for a, _ in actions], [w for _, w in actions])[0]
        self.done.append(action.__name__)
        action()

    def write(self) -> None:
        self._folder()
        layer = self.random.choice(("ground", "floor"))
        text = CAVE.format(seed=self.random.randrange(20)).replace("ground", layer)
        self._spec().write_text(text)

    def delete(self) -> None:
        self._spec().unlink(missing_ok=True)

    def rename_spec(self) -> None:
        old, new = self._spec(), self._spec()
        if old.exists() and not new.exists():
            old.rename(new)

    def rename_level(self) -> None:
        spec = self._spec()
        if spec.exists():
            name = self.random.choice(("hall", "crypt", "a", "B"))
            lines = [
                splitline
                for splitline in spec.read_text().splitlines()
                if not splitline.startswith("level:")
            ]
            spec.write_text("\n".join([f"level: {name}", *lines]) + "\n")

    def break_spec(self) -> None:
        self._folder()
        self._spec().write_text("size: [3]\n")

    def change_settings(self) -> None:
        self.game.settings(self.random.choice(ALL_SETTINGS))

    def edit_output(self) -> None:
        path = self._output()
        if path is not None:
            self._forget(path)
            data = path.read_bytes()
            number = b"%d" % (1000 + len(self.done))
            # In a sidecar only the keys that we wrote count.
            for key in (b"compress/mode=", b"aniso: ", b"guid: "):
                if key in data:
                    data = re.sub(re.escape(key) + rb"[0-9a-f]+", key + number, data)
                    break
            else:
                data += b"\n " + number
            path.write_bytes(data)
            self.edits.add(with_lf(data))

    def lost_edits(self) -> set[bytes]:
        """Return the edits that are to be found nowhere."""
        return self.edits - {with_lf(data) for data in self.game.files().values()}

    def _forget(self, path: Path) -> None:
        """Take note that a person deletes a file, or writes over it."""
        if path.is_file():
            self.edits.discard(with_lf(path.read_bytes()))

    def delete_output(self) -> None:
        path = self._output()
        if path is not None:
            self._forget(path)
            path.unlink()

    def change_line_endings(self) -> None:
        for name, data in self.game.files().items():
            if b"\0" not in data and b"\r" not in data:
                (self.game.root / name).write_bytes(data.replace(b"\n", b"\r\n"))

    def put_own_file(self) -> None:
        name = self.random.choice(("t/c.tmj", "g/b.tscn", "u/a.ground.png.meta"))
        path = self.game.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self._forget(path)
        path.write_text(f"mine {len(self.done)}")
        self.edits.add(path.read_bytes())

    def hide_specs(self) -> None:
        levels, away = self.game.root / "levels", self.game.root / "away"
        if away.exists():
            shutil.rmtree(levels, ignore_errors=True)
            away.rename(levels)
        elif levels.exists():
            levels.rename(away)
            levels.mkdir()

    def damage_index(self) -> None:
        result = sorted(self.game.root.rglob(INDEX))
        if result:
            index = self.random.choice(result)
            if self.random.random() < 0.5:
                index.unlink()
            else:
                lines = index.read_text().splitlines(keepends=True)
                self.random.shuffle(lines)
                index.write_text("<<<<<<<\n" + "".join(lines[: len(lines) // 2]) + ">>>>>>>\n")

    def delete_state(self) -> None:
        shutil.rmtree(self.game.root / ".exporter", ignore_errors=True)

    def _folder(self) -> None:
        (self.game.root / "levels").mkdir(exist_ok=True)

    def _spec(self) -> Path:
        return self.game.spec(self.random.choice(LEVELS))

    def _output(self) -> Path | None:
        folders = ("g/", "u/", "t/", "deep/")
        result = [path for path in sorted(self.game.files()) if path.startswith(folders)]
        return self.game.root / self.random.choice(result) if result else None


def outputs_and_specs(root: Path) -> dict[str, bytes]:
    """Return all files of a project but its state, with the indexes."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".exporter" not in path.parts
    }


def all_files(root: Path) -> dict[str, tuple[int, bytes]]:
    """Return all files of a project, the state's too, with their times; folders as well.

    The times of files in the cache do not count: they say when a file was used last.
    """
    return {
        path.relative_to(root).as_posix(): (
            path.stat().st_mtime_ns if "cache" not in path.parts else 0,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in root.rglob("*")
    }


def run_export(root: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Export in this process; return the exit code and the document."""
    return run_json("export", root, "--json", "--jobs", 1, *options)


def check_dry_runs(root: Path, seed: int, rounds: int, extra: tuple[str, ...] = ()) -> None:
    """Check that dry runs between random edits report exactly the effects of the run after them."""
    _, edits = _game(root, seed)
    for _ in range(rounds):
        for _ in range(edits.random.randrange(1, 4)):
            edits.act()
        before, all_before = outputs_and_specs(root), all_files(root)
        _, dry = run_export(root, "--dry-run", *extra)
        checked, check = run_export(root, "--check", *extra)
        assert all_files(root) == all_before, edits.done
        code, real = run_export(root, *extra)
        after = outputs_and_specs(root)
        for key, value in _without_seconds(real).items():
            assert _without_seconds(dry)[key] == _without_seconds(check)[key] == value, (
                key,
                edits.done,
            )
        written = set(real["written"])
        removed = {path for item in real["removed"] for path in item["removed"]}
        assert not edits.lost_edits() or "--overwrite" in extra, edits.done
        new = {path for path, data in after.items() if before.get(path) != data}
        deleted = before.keys() - after.keys()
        assert new <= written, edits.done
        assert deleted <= written | removed, edits.done
        # A file that is removed and written again in one run may be unchanged.
        assert written - new - deleted <= removed, edits.done
        assert removed - deleted <= written, edits.done
        moved = {item["to"] for level in real["levels"] for item in level["moved"]}
        assert not set(real["kept"]) & written - moved, edits.done
        assert not set(real["stale"]) & (new | deleted), edits.done
        changes = bool(written or removed or real["stale"])
        assert checked == (1 if changes or code else 0), edits.done
        again, second = run_export(root, "--check")
        if not code and not second["stale"]:
            assert (again, second["written"], second["removed"]) == (0, [], []), edits.done


def check_cleaning(root: Path, seed: int, rounds: int) -> None:
    """Check that cleaning between random edits first lists its removals, and no edit."""
    game, edits = _game(root, seed)
    for _ in range(rounds):
        for _ in range(edits.random.randrange(1, 4)):
            edits.act()
        if edits.random.random() < 0.7:
            game.export()
        before, all_before = outputs_and_specs(root), all_files(root)
        dry, real = SilentReporter(), SilentReporter()
        clean_stale(root, dry, dry_run=True)
        assert all_files(root) == all_before, edits.done
        clean_stale(root, real)
        planned, paths = (
            {
                path
                for event in reporter.events
                if isinstance(event, Removal)
                for path in event.paths
            }
            for reporter in (dry, real)
        )
        assert planned == paths, edits.done
        removed = {path for path in before if path not in outputs_and_specs(root)}
        indexes = {path for path in removed if path.endswith(INDEX)}
        assert removed - indexes == paths, edits.done
        assert clean_stale(root, SilentReporter()) == 0, edits.done
        assert not edits.lost_edits(), edits.done


def _game(root: Path, seed: int) -> tuple[ThreeEngines, RandomEdits]:
    game = ThreeEngines(root)
    game.write("a")
    game.write("b")
    return game, RandomEdits(game, seed)


def _without_seconds(document: dict[str, Any]) -> dict[str, Any]:
    """Return the files in a report, without timings."""
    levels = [
        {key: value for key, value in level.items() if key != "seconds"}
        for level in document["levels"]
    ]
    return {**document, "levels": levels}
