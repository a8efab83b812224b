"""The panel of the Godot addon that sets the exporter up and runs it, in the real editor."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import sysconfig
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine_harness import Godot
from engine_harness.folders import ROOT
from engine_harness.godot import errors_in
from engine_harness.live_project import LEVEL, LiveProject, new_live_project
from engine_harness.tool_panel import (
    FIND,
    SYSTEM_PATH,
    Panel,
    Programs,
    exporter_command,
    installing_uv,
    is_alive,
    panel_editor,
)
from exporter._version import __version__
from pure_wheel import build_pure_wheel

BAD = "size: [24, 16\n"
LAUNCHER = f"""\
import sys

sys.path.insert(0, {str(ROOT)!r})


def main():
    print("exporter of a wheel", *sys.argv[1:])
"""


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> LiveProject:
    return new_live_project(godot, tmp_path_factory.mktemp("panel"))


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Commands that are not in the project, so that they are run without a question."""
    folder = tmp_path_factory.mktemp("programs")
    return Programs(folder / "bin", folder / "calls")


@pytest.fixture(scope="module")
def editor(godot: Godot, project: LiveProject, programs: Programs) -> Iterator[Panel]:
    """An editor that finds the commands of `programs`."""
    with panel_editor(godot, project, f"{programs.folder}:{SYSTEM_PATH}") as opened:
        yield opened


@pytest.fixture
def panel(editor: Panel, project: LiveProject, programs: Programs) -> Iterator[Panel]:
    """The editor's panel, with no command, nothing installed and no line."""
    programs.clear()
    for folder in (editor.environment, project.root / ".venv"):
        shutil.rmtree(folder, ignore_errors=True)
    project.write(LEVEL.format(seed=1))
    project.target("")
    editor.reset()
    printed = len(editor.editor.output)
    yield editor
    assert errors_in(editor.editor.output[printed:]) == []


def wait_until_removed(panel: Panel, process: int) -> None:
    """Wait for the end of a process that does not depend on the editor."""
    limit = time.monotonic() + 60
    while is_alive(process):
        assert time.monotonic() < limit, panel.editor.output
        time.sleep(0.05)


def test_nothing_is_run_without_a_click_and_a_program_of_the_project_not_without_a_question(
    panel: Panel, project: LiveProject, programs: Programs
) -> None:
    for name in ("exporter", "uv", "python3"):
        programs.add(name)
    own = programs.write(project.root / ".venv" / "bin" / "exporter", "echo here I am")
    panel.refresh()
    panel.press("start")
    assert str(own) in panel.question
    panel.answer(False)
    assert programs.calls == []
    panel.press("start")
    assert programs.calls == []
    panel.answer(True)
    panel.wait_for("here I am")
    panel.wait_until_idle()
    watch = f"exporter watch {project.root} --end-with-input"
    assert programs.calls == [watch]
    # An allowed command is not asked about again while the editor is open.
    panel.press("start")
    panel.wait_for("here I am", 2)
    assert programs.calls == [watch, watch]


def test_one_confirmed_button_installs_and_another_one_watches(
    panel: Panel, project: LiveProject, programs: Programs
) -> None:
    uv = programs.add("uv", installing_uv(programs))
    assert not panel.can_press("start")
    panel.press("set_up")
    wheel = project.root / f"level_exporter-{__version__}-py3-none-any.whl"
    wheel.write_bytes(b"")
    arguments = [
        f"venv --allow-existing --python >=3.11 {panel.environment}",
        f"pip install --python {panel.environment} {wheel}",
    ]
    assert panel.enter_source(f" {wheel} ")
    for line in arguments:
        assert f"{uv} {line}" in panel.set_up_question
    assert f"the exporter from {wheel}" in panel.set_up_question
    assert programs.calls == []
    panel.confirm_set_up()
    panel.wait_for("Ended.")
    assert setting(panel) == str(wheel)
    assert programs.calls == [f"uv {line}" for line in arguments]
    assert "uv says pip" in panel.text
    assert not panel.can_press("set_up")
    # A tool that the user has installed is run without a question.
    panel.press("start")
    panel.wait_for("watching 1 level")
    process = panel.process
    assert is_alive(process)
    project.write(BAD)
    panel.wait_for("crypt.level.yaml:1:7: error: this bracket is never closed")
    assert clicked(panel) == [str(project.root / "levels" / "crypt.level.yaml"), 1]
    project.write(LEVEL.format(seed=2))
    panel.wait_for("files written")
    panel.press("stop")
    panel.wait_for("Ended.", 2)
    assert not is_alive(process)
    assert panel.can_press("start")


def setting(panel: Panel) -> object:
    """Where the exporter was installed from, as the user's editor keeps it."""
    return panel.run(
        'return EditorInterface.get_editor_settings().get_setting("level_exporter/install_from")'
    )


def test_nothing_is_installed_by_a_name_that_anybody_could_register(
    panel: Panel, project: LiveProject, programs: Programs
) -> None:
    programs.add("uv")
    wheel = project.root / "own exporter.whl"
    source = project.root / "source"
    source.mkdir()
    assert setting(panel) == ""
    panel.press("set_up")
    assert panel.set_up_question == ""
    refused = [
        "",
        "level-exporter",
        "level_exporter-0.1.0-py3-none-any.whl",
        "--index-url=https://host",
        "http://host/exporter.whl",
        "https://",
        "res://exporter.whl",
        str(wheel),
        str(source),
    ]
    assert [item for item in refused if panel.enter_source(item)] == []
    assert "no wheel, no folder" in panel.set_up_question
    # Neither the button nor the Enter key does anything then.
    panel.run(
        "panel.set_up_question.source_field.text_submitted.emit('x')\n"
        "panel.set_up_question.confirmed.emit()\nreturn null"
    )
    assert programs.calls == []
    wheel.write_bytes(b"")
    (source / "pyproject.toml").write_text("")
    accepted = {
        str(wheel): f'"{wheel}"',
        str(source): str(source),
        "https://host/exporter.whl": "https://host/exporter.whl",
        "https://host/a.whl#sha256=12": "https://host/a.whl#sha256=12",
        "https://host/team/exporter": "git+https://host/team/exporter",
        "git+ssh://git@host/exporter@v1": "git+ssh://git@host/exporter@v1",
    }
    for typed, installed in accepted.items():
        assert panel.enter_source(typed), typed
        assert f"{panel.environment} {installed}\n" in panel.set_up_question
    assert programs.calls == []
    assert setting(panel) == ""
    # A wheel that is chosen among the files is as good as one that is typed.
    panel.run(f"panel.set_up_question.files.file_selected.emit({str(wheel)!r})\nreturn null")
    assert f"the exporter from {wheel}" in panel.set_up_question


def test_a_real_wheel_is_set_up_by_the_real_uv_and_watches(
    panel: Panel,
    programs: Programs,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    uv = Path(sysconfig.get_path("scripts")) / "uv"
    if not uv.exists():
        pytest.skip("uv is not installed (the extra `test` has it)")
    wheel = build_pure_wheel(tmp_path_factory.mktemp("wheel"))
    # The editor was started without these.
    programs.add(
        "uv",
        "export UV_PYTHON_DOWNLOADS=never\n"
        f'export UV_PYTHON_SEARCH_PATH="{Path(sys.executable).resolve().parent}"\n'
        f'exec "{uv}" "$@"',
    )
    panel.press("set_up")
    assert panel.enter_source(str(wheel))
    panel.confirm_set_up()
    panel.wait_for("Ended")
    if "error sending request" in panel.text:
        pytest.skip("the package index cannot be reached")
    assert "level-exporter==" in panel.text
    assert not panel.can_press("set_up")
    panel.press("start")
    panel.wait_for("watching 1 level")
    assert panel.text.count(str(panel.environment)) > 0
    panel.press("stop")
    panel.wait_until_idle()


def clicked(panel: Panel) -> list[object]:
    """Click along the left edge of the panel's lines; return the opened file and line."""
    opened = panel.run(
        """
var opened := []
panel.open_file = func(path: String, line: int) -> void: opened.append_array([path, line])
# The same lines where they can be clicked on, whatever the editor shows at its bottom.
var output: RichTextLabel = panel.output.get_script().new()
output.folders = panel.output.folders
output.position_requested.connect(panel.output.position_requested.emit)
output.add_lines(panel.output.get_parsed_text().split("\\n"), false)
output.scroll_following = false
output.autowrap_mode = TextServer.AUTOWRAP_OFF
EditorInterface.get_base_control().add_child(output)
output.size = Vector2(600, 400)
output.scroll_to_line(0)
for wait in 3:
	await driver.get_tree().process_frame
for y in range(2, 400, 4):
	for is_pressed: bool in [true, false]:
		var event := InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_LEFT
		event.pressed = is_pressed
		event.position = output.global_position + Vector2(12, y)
		event.global_position = event.position
		output.get_viewport().push_input(event, true)
	if not opened.is_empty():
		break
output.free()
return opened
"""
    )
    assert isinstance(opened, list), panel.editor.output
    return opened


def watch(panel: Panel) -> int:
    """Press *Start*, and return the process when it watches."""
    panel.press("start")
    panel.wait_for("watching 1 level")
    process = panel.process
    assert is_alive(process)
    return process


def test_what_was_started_ends_with_the_plugin(panel: Panel, programs: Programs) -> None:
    programs.add("exporter", exporter_command())
    panel.refresh()
    process = watch(panel)
    switch = 'EditorInterface.set_plugin_enabled("level_exporter", %s)\nreturn null'
    panel.editor.run(switch % "false")
    # It is over before the call returns.
    assert not is_alive(process)
    panel.editor.until(FIND + "return panel == null", True)
    panel.editor.run(switch % "true")
    panel.editor.until(FIND + "return panel != null", True)


@pytest.mark.parametrize("way", ["it is closed", "it is killed"])
def test_what_was_started_ends_with_the_editor(
    godot: Godot, project: LiveProject, programs: Programs, way: str
) -> None:
    project.target("")
    programs.add("exporter", exporter_command())
    with panel_editor(godot, project, f"{programs.folder}:{SYSTEM_PATH}") as panel:
        process = watch(panel)
        if way == "it is closed":
            panel.editor.run("driver.get_tree().quit.call_deferred()\nreturn null")
            panel.editor.process.wait(60)
            assert not is_alive(process)
        else:
            os.kill(panel.editor.process.pid, signal.SIGKILL)
            wait_until_removed(panel, process)
        assert errors_in(panel.editor.output) == []


@pytest.mark.parametrize("input_", ["", "<&-"], ids=["open input", "closed input"])
def test_a_program_that_does_not_listen_is_killed(
    panel: Panel, programs: Programs, input_: str
) -> None:
    programs.add("exporter", f"echo deaf\nexec sleep 1000 {input_}")
    panel.refresh()
    panel.press("start")
    panel.wait_for("deaf")
    process = panel.process
    panel.press("stop")
    panel.wait_for("Killed.")
    assert not is_alive(process)
    assert panel.can_press("start")


def test_without_uv_an_environment_of_python_is_created_and_filled_by_pip(
    panel: Panel, project: LiveProject, programs: Programs
) -> None:
    wheel = project.root / f"level_exporter-{__version__}-py3-none-any.whl"
    write_wheel(wheel)
    panel.run(
        "EditorInterface.get_editor_settings().set_setting("
        f'"level_exporter/install_from", {str(wheel)!r})\nreturn null'
    )
    panel.press("set_up")
    assert f"the exporter from {wheel}" in panel.set_up_question
    assert f"-m venv {panel.environment}" in panel.set_up_question
    panel.confirm_set_up()
    panel.wait_for("Ended")
    assert "Successfully installed level-exporter" in panel.text
    panel.press("start")
    panel.wait_for(f"exporter of a wheel watch {project.root} --end-with-input")


def write_wheel(path: Path) -> None:
    """Write a wheel with a command `exporter`, which needs no other package."""
    information = f"level_exporter-{__version__}.dist-info"
    files = {
        "level_exporter_launcher.py": LAUNCHER,
        f"{information}/METADATA": (
            f"Metadata-Version: 2.1\nName: level-exporter\nVersion: {__version__}\n"
        ),
        f"{information}/WHEEL": (
            "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
        f"{information}/entry_points.txt": (
            "[console_scripts]\nexporter = level_exporter_launcher:main\n"
        ),
    }
    listed = "".join(f"{name},,\n" for name in [*files, f"{information}/RECORD"])
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, f"{information}/RECORD": listed}.items():
            archive.writestr(name, text)


def test_a_command_that_fails_ends_the_set_up(
    panel: Panel, project: LiveProject, programs: Programs
) -> None:
    programs.add("uv", "echo no space left >&2\nexit 3")
    panel.press("set_up")
    assert panel.enter_source("https://host/exporter.whl")
    panel.confirm_set_up()
    panel.wait_for("Ended with exit code 3.")
    assert "no space left" in panel.text
    assert len(programs.calls) == 1
    assert panel.can_press("set_up")
    # The panel keeps the last lines.
    remaining = """
for number in 700:
	panel.output.add_lines(PackedStringArray(["line %d" % number]), false)
return Array(panel.output.get_parsed_text().strip_edges().split("\\n"))
"""
    assert panel.run(remaining) == [f"line {number}" for number in range(200, 700)]


def test_a_project_is_created_where_there_is_none(
    panel: Panel, project: LiveProject, programs: Programs
) -> None:
    programs.add("exporter", exporter_command())
    (project.root / "exporter.yaml").unlink()
    panel.refresh()
    assert not panel.can_press("start")
    panel.press("create")
    assert f"init {project.game}" in panel.question
    panel.answer(True)
    panel.wait_for("Ended")
    assert programs.calls == [f"exporter init {project.game}"]
    assert (project.game / "exporter.yaml").is_file()
    assert panel.can_press("start")
