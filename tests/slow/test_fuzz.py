"""A few hundred of the cases that the scripts here run by the hundred thousand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "tests" / "fuzz"
FILES = ("edits", "ldtk", "ldtk worlds", "pack", "tmj", "tmx")

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="peaks of memory are measured on Linux"
)


def judged(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / script), "--jobs", "1", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env=environment,
    )


@pytest.mark.parametrize(
    ("script", "outcomes"),
    [
        ("mutated_blobs.py", {"read", "refused"}),
        ("hostile_specs.py", {"built", "not built", "refused"}),
        ("hostile_files.py", {f"{kind} {end}" for kind in FILES for end in ("read", "refused")}),
    ],
)
def test_some_hundred_cases_end_as_they_should(script: str, outcomes: set[str]) -> None:
    done = judged(script, "--count", "300", "--seed", "7")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("0 failures\n")
    output = dict(re.findall(r"(\d+) ([a-z ]+)", done.stdout.splitlines()[0]))
    assert set(output.values()) == outcomes
    assert sum(map(int, output)) <= 300


FAULTS = """
import os, sys, time
sys.path.insert(0, {here!r})
from watched_workers import Bounds, run

def prepare():
    def judge(case):
        if case == 3:
            raise ValueError("of another kind")
        if case == 5:
            os.abort()
        if case == 7:
            time.sleep(600)
        if case == 9:
            bytearray(300 << 20)
        if case == 11:
            began = time.process_time()
            while time.process_time() - began < 0.55:
                pass
        return "fine"
    return judge

if __name__ == "__main__":
    print(run(prepare, (), range(14), 2, Bounds(0.5, 256)).report())
"""


def test_the_watch_notices_what_goes_wrong(tmp_path: Path) -> None:
    script = tmp_path / "faults.py"
    script.write_text(FAULTS.format(here=str(SCRIPTS)))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    for said in (
        "case 3: Traceback",
        "of another kind",
        "case 5: died with -6",
        "case 7: no end after 15.0 s",
        "case 9: took 3",
        "case 11: took 0.",
        "5 failures",
    ):
        assert said in done.stdout, done.stdout + done.stderr
    assert "11 fine" in done.stdout
