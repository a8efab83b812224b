"""The sample project, copied without products of exports or engines, and exported."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import exporter
from command_line import run
from exporter.model.level import Level

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "sample_project"
# Products of an export or an engine in the checkout.
LEFT_BEHIND = (".godot", ".exporter", "addons")
OUTPUT_FOLDERS = ("godot/levels", "godot/models", "unity/Assets/Levels", "tiled")


@dataclass(frozen=True)
class Exported:
    """A copy of the sample project after `exporter export`."""

    folder: Path
    report: dict[str, Any]
    digests: dict[str, str]  # before an engine rewrote its import settings

    @cached_property
    def levels(self) -> list[tuple[dict[str, Any], Level]]:
        """The report of every level, and the level as outputs have it, built again."""
        specs = [(entry, self.folder / entry["spec"]) for entry in self.report["levels"]]
        return [
            (entry, exporter.build_level(exporter.load_level(spec)).exported())
            for entry, spec in specs
        ]

    def files(self, entry: dict[str, Any], target: str, suffix: str) -> list[Path]:
        """The outputs of a level for a target that end like this."""
        return [
            self.folder / output["path"]
            for output in entry["outputs"]
            if output["target"] == target and output["path"].endswith(suffix)
        ]


def export_sample(folder: Path) -> Exported:
    """Copy the committed part of the sample project to `folder` and export it as a user would."""
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
    for outputs in OUTPUT_FOLDERS:
        for file in (folder / outputs).rglob("*"):
            if file.is_file() and file.name != ".gitkeep":
                file.unlink()
    exported = run("export", folder, "--json", "--jobs", "1")
    assert exported.returncode == 0, exported.stderr
    report = json.loads(exported.stdout)
    paths = [output["path"] for entry in report["levels"] for output in entry["outputs"]]
    digests = {path: hashlib.sha256((folder / path).read_bytes()).hexdigest() for path in paths}
    return Exported(folder, report, digests)
