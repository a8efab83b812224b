"""The types of the studio's page, checked by TypeScript."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SETTINGS = Path(__file__).parents[1] / "studio" / "tsconfig.json"


def test_types_are_right() -> None:
    compiler = shutil.which("tsc")
    if compiler is None:
        pytest.skip("TypeScript (command tsc) is not installed; .ci/install-engines installs it")
    checked = subprocess.run([compiler, "-p", str(SETTINGS)], capture_output=True, text=True)
    assert checked.stdout == ""
    assert checked.returncode == 0
