"""A repository of Git with a small project in it, as a team has one."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from daemon_harness import Project

CHECKOUT = Path(__file__).resolve().parents[2]
SETTINGS = "targets:\n  tiled: {path: tiled}\n"
WRONG = "size: [12, 12]\nwrong: 1\nlayers: {ground: {generator: cellular_caves}}\n"


class Repository:
    """A repository with a project in `my game`; the exporter is the one of this checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.project = Project(root / "my game", SETTINGS)
        self.git("init", "-q")
        self.git("config", "user.email", "someone@example.org")
        self.git("config", "user.name", "Someone")
        self.project.write("cave")
        (self.project.root / ".gitignore").write_text(".exporter/\n")

    def git(self, *arguments: str) -> str:
        """Run Git in the repository."""
        return subprocess.run(
            ["git", *arguments], cwd=self.root, check=True, capture_output=True, text=True
        ).stdout

    def exporter(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the exporter in the repository."""
        return self.run([sys.executable, "-P", "-m", "exporter", *arguments])

    def run(self, command: list[str], **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the repository, with some variables more."""
        return subprocess.run(
            command,
            cwd=self.root,
            env=environment(**more),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
        )


def environment(**more: str) -> dict[str, str]:
    """Return variables with which every Python here finds this exporter and its dependencies."""
    packages = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    inherited = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    path = dict.fromkeys([str(CHECKOUT), *filter(None, inherited), *packages])
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    return {**plain, "PYTHONPATH": os.pathsep.join(path), **more}
