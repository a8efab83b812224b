"""Imports of each command: starting Python is most of the waiting time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPEC = "levels/cavern.level.yaml"
PROGRAM = """
import json, sys
from exporter.cli.main import main
try:
    code = main(sys.argv[1:])
except SystemExit as end:
    code = end.code
print("\\n" + json.dumps([code, sorted(sys.modules)]))
"""
DEPENDENCIES = {
    "PIL",
    "numpy",
    "pydantic",
    "watchdog",
    "websockets",
    "yaml",
}
# Heavy parts of the standard library and of numpy.
HEAVY = {"email", "http.client", "multiprocessing", "numpy.ma", "ssl", "urllib.request"}
# How many of our modules a command may import, and which dependencies.
ALLOWED = {
    "--help": (10, set()),
    f"check {SPEC}": (350, {"numpy", "yaml"}),
    f"stats {SPEC}": (230, {"numpy", "yaml"}),
    f"preview {SPEC} -o cavern.png": (195, {"numpy", "yaml"}),
    "export": (365, {"numpy", "yaml"}),
    "export --quiet": (60, set()),  # nothing to do
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "levels").mkdir()
    spec = ROOT / "sample_project" / SPEC
    (folder / SPEC).write_bytes(spec.read_bytes())
    targets = "{godot: {path: godot}, unity: {path: unity/Assets}, tiled: {path: tiled}}"
    (folder / "exporter.yaml").write_text(f"targets: {targets}\n")
    return folder


def test_commands_import_no_more_than_they_need(project: Path) -> None:
    too_many = {}
    for command, (limit, dependencies) in ALLOWED.items():
        call = [sys.executable, "-c", PROGRAM, *command.split()]
        ended = subprocess.run(call, cwd=project, capture_output=True, text=True, check=True)
        code, modules = json.loads(ended.stdout.splitlines()[-1])
        assert code == 0, ended.stderr
        ours = [name for name in modules if name.partition(".")[0] == "exporter"]
        foreign = ({name.partition(".")[0] for name in modules} & DEPENDENCIES) - dependencies
        foreign |= HEAVY & set(modules)
        if len(ours) > limit or foreign:
            too_many[command] = len(ours), foreign
    assert not too_many


def test_the_studio_serves_its_first_tab_without_numpy() -> None:
    names = "serving, sessions, seed_sheets, exporting, draft_files, session_builds"
    program = f"import sys; from exporter.studio import {names}; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert not {b"numpy", b"pydantic"} & {*ended.stdout.split()}
