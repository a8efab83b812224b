"""An extension that `exporter init` started is built, installed, tested and exported with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from exporter.cli.main import main

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: list[str], folder: Path) -> str:
    """Run a command that finds this exporter and its dependencies; it must succeed."""
    result = [str(CHECKOUT), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(result), "PYTHONWARNINGS": ""}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_writes_a_package_that_works(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("exporter.cli.own_command.own_command", lambda: "exporter")
    assert main(["init", "--extension", "fallen-halls"]) == 0
    output = capsys.readouterr().out.splitlines()
    package = here / "fallen-halls"
    position = os.path.join(".", "fallen-halls")
    assert output[-2].startswith("next: ")
    assert output[-2].endswith(f" -m pip install -e {position}")
    assert output[-1] == "      exporter export fallen-halls"
    assert "wrote fallen_halls/generator.py" in output
    run([sys.executable, "-m", "venv", "environment"], here)
    folder = here / "environment"
    python = next(
        item for item in (folder / "bin/python", folder / "Scripts/python.exe") if item.exists()
    )
    alone = ["--quiet", "--no-build-isolation", "--no-deps", "--no-index"]
    run([str(python), "-m", "pip", "wheel", *alone, "-w", "wheels", str(package)], here)
    (wheel,) = (here / "wheels").iterdir()
    assert "fallen_halls/generator.py" in zipfile.ZipFile(wheel).namelist()
    run([str(python), "-m", "pip", "install", *alone, "-e", "fallen-halls"], here)
    listed = json.loads(run([str(python), "-m", "exporter", "plugins", "--json"], here))["plugins"]
    (own,) = [item for item in listed if item["name"] == "fallen_halls"]
    assert (own["kind"], own["origin"]) == ("generator", "fallen-halls 0.1.0")
    assert own["summary"] == "A hall with pillars in rows."
    assert "3 passed" in run([str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider"], package)
    report = json.loads(run([str(python), "-m", "exporter", "export", "--json"], package))
    assert [item["status"] for item in report["levels"]] == ["built"]
    # Workers see the package, too, and make the same.
    text = (package / "levels/hall.level.yaml").read_text()
    alone = (package / "exported/hall.tmj").read_bytes()
    (package / "levels/other.level.yaml").write_text(text)
    forced = [str(python), "-m", "exporter", "export", "--json", "--force", "--jobs", "2"]
    report = json.loads(run(forced, package))
    assert [item["status"] for item in report["levels"]] == ["built"] * 2
    assert (package / "exported/hall.tmj").read_bytes() == alone
    assert (package / "exported" / "hall.tmj").is_file()
    run(
        [str(python), "-m", "exporter", "preview", "levels/hall.level.yaml", "-o", "p.png"], package
    )
    assert (package / "p.png").read_bytes().startswith(b"\x89PNG")
