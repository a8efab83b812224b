"""Third-party commands: run, listed with ours, and failing."""

from __future__ import annotations

from outside_packages import Packages, page_files

COMMAND = page_files()["ruins_pack/count_levels.py"]
GROUP = "exporter.commands"


def test_a_command_is_run_and_listed(packages: Packages) -> None:
    packages.install("counting", {"counting.py": COMMAND}, {GROUP: {"count-levels": "counting"}})
    assert packages.run("count-levels").stdout.strip().isdecimal()
    listed = packages.run("--help").stdout
    assert "Of other packages:\n  count-levels" in listed


def test_a_command_that_cannot_be_imported_is_an_error_of_its_own(packages: Packages) -> None:
    packages.install(
        "counting", {"counting.py": "import nothing_there"}, {GROUP: {"count": "counting"}}
    )
    done = packages.run("count")
    assert done.returncode == 2
    assert "'count' of counting 1.0 cannot be imported (ModuleNotFoundError" in done.stderr
    assert packages.run("schema").returncode == 0


def test_an_outside_command_replaces_no_built_in_command(packages: Packages) -> None:
    text = COMMAND.replace("count-levels", "check")
    packages.install("counting", {"counting.py": text}, {GROUP: {"check": "counting"}})
    assert not packages.run("check").stdout.strip().isdecimal()
