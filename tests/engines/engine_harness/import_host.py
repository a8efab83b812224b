"""One headless editor imports project after project, to save its start.

The editor runs on a separate project. For an import the files of a test's project are moved into
it, the editor scans, and the files are moved back with the imported ones. Both steps are renames,
so times of change stay as they are.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from engine_harness.line_process import LineProcess
from engine_harness.processes import home_environment

PLUGIN = Path(__file__).with_name("import_host")
NAME = PLUGIN.name
# Plugins a project may have: the addon is enabled in the host, too, and the driver imports nothing.
PLUGINS = {"level_exporter", "driver"}
# Sections of project.godot on which no import depends.
SECTIONS = {"application", "autoload", "editor_plugins", "navigation", "physics"}


def enabled_plugins(project: Path) -> set[str]:
    """Return the names of a project's plugins."""
    text = (project / "project.godot").read_text(encoding="utf-8")
    return set(re.findall(r'"res://addons/([^/"]+)/plugin\.cfg"', text))


def can_share(project: Path) -> bool:
    """Whether an editor that was not started on a project imports it as its own would."""
    text = (project / "project.godot").read_text(encoding="utf-8")
    sections = set(re.findall(r"^\[(\w+)\]$", text, re.M))
    return sections <= SECTIONS and enabled_plugins(project) <= PLUGINS


@dataclass
class ImportHost:
    """The editor, started by the first import."""

    command: list[str]
    home: Path
    process: LineProcess | None = field(default=None)

    @property
    def folder(self) -> Path:
        """The project that the editor runs on."""
        return self.home / "import-host"

    def start(self, seconds: float) -> None:
        """Start the editor on a project with nothing but the plugin."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(PLUGIN, self.folder / "addons" / NAME)
        (self.folder / "project.godot").write_text(
            'config_version=5\n\n[application]\n\nconfig/features=PackedStringArray("4.3")\n\n'
            f'[editor_plugins]\n\nenabled=PackedStringArray("res://addons/{NAME}/plugin.cfg")\n',
            encoding="utf-8",
        )
        command = [*self.command, "--editor", "--path", str(self.folder)]
        self.process = LineProcess(command, home_environment(self.home))
        self._scan(seconds)
        (self.folder / ".godot" / "imported").mkdir(exist_ok=True)

    def import_project(self, project: Path, seconds: float) -> str:
        """Import a project's files and return the editor's output.

        Raises:
            EOFError: The editor ended or took too long; the message is its output.
        """
        if self.process is None or not self.process.is_running:
            self.start(seconds)
        plugins = sorted(enabled_plugins(project) & {"level_exporter"})
        with self._files_of(project):
            # At its first start an editor imports a level after the pictures beside it. In a later
            # scan, files whose settings were written beforehand come first.
            output = ""
            if plugins:
                with self._without_levels():
                    output = self._scan(seconds)
            output += self._scan(seconds, plugins)
        # The next project may have other files of these names and times.
        self._scan(seconds)
        return output

    def close(self) -> None:
        """End the editor."""
        if self.process is not None:
            self.process.close()
            self.process = None

    @contextlib.contextmanager
    def _files_of(self, project: Path) -> Iterator[None]:
        """Move a project's files into the host, and all there is back to the project."""
        cache, own_cache = self.folder / ".godot", project / ".godot"
        own_cache.mkdir(exist_ok=True)
        if (own_cache / "imported").exists():
            (cache / "imported").rmdir()
            (own_cache / "imported").rename(cache / "imported")
        _move(project, self.folder)
        try:
            yield
        finally:
            _move(self.folder, project)
            (cache / "imported").rename(own_cache / "imported")
            shutil.copytree(cache, own_cache, dirs_exist_ok=True)
            (cache / "imported").mkdir()

    @contextlib.contextmanager
    def _without_levels(self) -> Iterator[None]:
        """Keep the blobs of levels, and their settings, out of the project."""
        backup = self.folder.with_name("import-host-levels")
        backup.mkdir(exist_ok=True)
        files = [*self.folder.rglob("*.lvb"), *self.folder.rglob("*.lvb.import")]
        remaining = {path: backup / str(number) for number, path in enumerate(files)}
        for path, position in remaining.items():
            path.rename(position)
        try:
            yield
        finally:
            for path, location in remaining.items():
                location.rename(path)

    def _scan(self, seconds: float, plugins: list[str] | None = None) -> str:
        assert self.process is not None
        _, output = self.process.ask({"plugins": plugins or []}, seconds)
        return output


def _move(source: Path, target: Path) -> None:
    """Move everything but the project's file, its cache and the host's plugin."""
    for entry in sorted(source.iterdir()):
        if entry.name == "addons":
            for addon in sorted(entry.iterdir()):
                if addon.name != NAME:
                    (target / "addons").mkdir(exist_ok=True)
                    addon.rename(target / "addons" / addon.name)
        elif entry.name not in ("project.godot", ".godot"):
            entry.rename(target / entry.name)
