"""The panel of the Godot addon that runs the exporter, in an editor, with a test's programs."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine_harness.driven import Driven, driven
from engine_harness.folders import ROOT
from engine_harness.godot import Godot, GodotError
from engine_harness.live_project import LiveProject

SYSTEM_PATH = "/usr/bin:/bin"
# The beginning of all scripts for the panel.
FIND = """\
var panel: Control = EditorInterface.get_base_control().find_child(
	"LevelExporterTool", true, false
)
"""


@dataclass(frozen=True, slots=True)
class Programs:
    """A folder of commands that note each call of them, and the notes."""

    folder: Path
    notes: Path

    @property
    def calls(self) -> list[str]:
        """Every call so far: the command's name and its arguments."""
        return self.notes.read_text(encoding="utf-8").splitlines() if self.notes.exists() else []

    def write(self, path: Path, then: str = "") -> Path:
        """Write a command that notes its call, and then runs lines of shell."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "${{0##*/}} $*" >>"{self.notes}"\n{then}\n', "utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def clear(self) -> None:
        """Remove all commands and notes."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.notes.unlink(missing_ok=True)

    def add(self, name: str, then: str = "") -> Path:
        """Write a command into the folder."""
        return self.write(self.folder / name, then)


def exporter_command() -> str:
    """Return the shell line that runs the exporter of this checkout."""
    return f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -m exporter "$@"'


def installing_uv(programs: Programs) -> str:
    """Return lines of a `uv` that installs the exporter of this checkout into an environment."""
    content = f'#!/bin/sh\necho "exporter $*" >>"{programs.notes}"\n{exporter_command()}\n'
    script = programs.folder / "exporter.source"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(content, encoding="utf-8")
    return (
        'echo "uv says $1"\n'
        'if [ "$1" = pip ]; then\n'
        f'  mkdir -p "$4/bin" && cp "{script}" "$4/bin/exporter" && chmod +x "$4/bin/exporter"\n'
        "fi"
    )


@contextmanager
def panel_editor(
    godot: Godot, project: LiveProject, path: str, *, window: bool = False
) -> Iterator[Panel]:
    """Open an editor that searches for commands in `path`, with a separate home folder."""
    # Not in the project: a tool there is not run without a question.
    home = godot.home / project.root.name
    godot.import_project(project.game)
    # An editor's first start in a home writes its list of all classes there.
    shutil.copytree(godot.home / "cache", home / "cache", dirs_exist_ok=True)
    before = os.environ["PATH"]
    os.environ["PATH"] = path
    try:
        opened = driven(replace(godot, home=home), project.game, "--editor", window=window)
        editor = opened.__enter__()
    finally:
        os.environ["PATH"] = before
    try:
        panel = Panel(editor, home)
        panel.editor.until(FIND + "return panel != null", True)
        yield panel
    finally:
        opened.__exit__(None, None, None)


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel in an editor that runs."""

    editor: Driven
    home: Path

    @property
    def environment(self) -> Path:
        """The folder that *Set Up* installs into."""
        return self.home / "data" / "level-exporter" / "environment"

    def run(self, body: str) -> Any:
        """Run lines of GDScript that know the panel as `panel`."""
        return self.editor.run(FIND + body)

    def reset(self) -> None:
        """End the running program, and remove the lines, questions and settings of another test."""
        self.run("panel.stop_button.pressed.emit()\nreturn null")
        self.wait_until_idle()
        self.run("""
EditorInterface.get_editor_settings().set_setting("level_exporter/install_from", "")
panel.output.clear()
panel.question.hide()
panel.set_up_question.hide()
return null
""")
        self.refresh()

    def refresh(self) -> None:
        """Have the panel look for its programs, as when the editor comes to the front."""
        self.run("panel.refresh()\nreturn null")

    def press(self, button: str) -> None:
        """Press a button that can be pressed."""
        pressed = f"""
var button: Button = panel.{button}_button
if not button.visible or button.disabled:
	return false
button.pressed.emit()
return true
"""
        assert self.run(pressed) is True, f"{button} cannot be pressed\n{self.text}"

    def can_press(self, button: str) -> bool:
        """Whether a button is there and not disabled."""
        body = f"return panel.{button}_button.visible and not panel.{button}_button.disabled"
        return bool(self.run(body))

    @property
    def question(self) -> str:
        """Return the question, if any."""
        return str(self.run('return panel.question.dialog_text if panel.question.visible else ""'))

    def answer(self, yes: bool) -> None:
        """Press a button of the question."""
        which = "ok" if yes else "cancel"
        self.run(f"panel.question.get_{which}_button().pressed.emit()\nreturn null")
        self.editor.until(FIND + "return panel.question.visible", False)

    @property
    def set_up_question(self) -> str:
        """Return the text of the dialog *Set Up*; empty if it is not there."""
        return str(
            self.run('return panel.set_up_question.text() if panel.set_up_question.visible else ""')
        )

    def enter_source(self, source: str) -> bool:
        """Type where the exporter is to be installed from; return whether it can be confirmed."""
        return bool(
            self.run(f"""
var field: LineEdit = panel.set_up_question.source_field
field.text = {json.dumps(source)}
field.text_changed.emit(field.text)
return not panel.set_up_question.get_ok_button().disabled
""")
        )

    def confirm_set_up(self) -> None:
        """Press the button that installs."""
        self.run("panel.set_up_question.get_ok_button().pressed.emit()\nreturn null")
        self.editor.until(FIND + "return panel.set_up_question.visible", False)

    @property
    def text(self) -> str:
        """The lines that the panel shows."""
        return str(self.run("return panel.output.get_parsed_text()"))

    def wait_for(self, text: str, times: int = 1, seconds: float = 300) -> None:
        """Wait until the panel shows a text so often."""
        body = f"return panel.output.get_parsed_text().count({text!r}) >= {times}"
        try:
            self.editor.until(FIND + body, True, seconds)
        except GodotError as error:
            raise GodotError(f"{error}\n--- the panel ---\n{self.text}") from None

    def wait_until_idle(self) -> None:
        """Wait until nothing runs."""
        self.editor.until(FIND + "return panel.process.is_running()", False)

    @property
    def process(self) -> int:
        """The number of the process that runs."""
        return int(self.run("return panel.process._pid"))


def is_alive(process: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state.rpartition(")")[2].split()[0] != "Z"
