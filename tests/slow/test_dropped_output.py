"""Standard output that takes nothing: an error in words and exit code 1, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from small_game import Game

COMMAND = (sys.executable, "-m", "exporter")
FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="has no device that is always full")


def run(*arguments: str, unbuffered: bool, redirect: str = ">/dev/full") -> tuple[int, str]:
    environment = dict(os.environ)
    environment.pop("PYTHONUNBUFFERED", None)
    if unbuffered:
        environment["PYTHONUNBUFFERED"] = "1"
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirect}', "sh", *COMMAND, *arguments],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env=environment,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("arguments", "unbuffered"),
    [
        (("plugins",), True),
        (("schema",), False),
        (("inspect", __file__), True),
        (("export", "--help"), False),
    ],
    ids=lambda item: " ".join(item) if isinstance(item, tuple) else "",
)
def test_full_device_is_an_error_in_one_line(arguments: tuple[str, ...], unbuffered: bool) -> None:
    code, said = run(*arguments, unbuffered=unbuffered)
    assert said == "exporter: standard output cannot be written (No space left on device)\n"
    assert code == 1


@pytest.mark.parametrize("unbuffered", [False, True])
def test_export_reports_a_full_device_after_its_work_is_done(
    tmp_path: Path, unbuffered: bool
) -> None:
    game = Game(tmp_path / "game")
    game.write("a")
    code, said = run("export", str(game.root), "--json", unbuffered=unbuffered)
    assert code == 1
    assert said.endswith("standard output cannot be written (No space left on device)\n")
    assert "Traceback" not in said
    assert (game.root / "t" / "a.tmj").is_file()


def test_wrong_arguments_stay_exit_code_2() -> None:
    code, said = run("nonsense", unbuffered=False)
    assert code == 2
    assert "there is no command 'nonsense'" in said


def test_a_closed_output_and_a_reader_that_has_seen_enough_are_no_errors() -> None:
    assert run("plugins", unbuffered=False, redirect=">&-") == (0, "")
    for arguments in (("schema",), ("--help",)):
        code, said = run(*arguments, unbuffered=False, redirect="| true")
        assert (code, said) == (0, "")


def test_diff_ends_with_its_code_for_readers_of_the_first_line(tmp_path: Path) -> None:
    spec = tmp_path / "a.level.yaml"
    spec.write_text("size: [20, 12]\nlayers: {ground: {generator: cellular_caves}}\n")
    for other, code in ((f"{spec}@5", 1), (spec, 0)):
        with subprocess.Popen(
            [*COMMAND, "diff", spec, other, "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            process.stdout.close()  # before anything is printed
            assert process.wait(timeout=120) == code
