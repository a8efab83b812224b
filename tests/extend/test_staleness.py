"""A change of a package's code makes levels stale, as a change of our own does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from outside_packages import LEVEL, Packages, generator, generators, level

from exporter.store.code_identity import extensions_identity

POINTS = {"exporter.generators": {"odd": "odd.deep.module"}}


def test_changed_code_makes_levels_stale(packages: Packages) -> None:
    packages.install("odd-pack", {"odd.py": generator()}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))

    def exported() -> tuple[str, bytes]:
        (item,) = packages.json("export", "--json")["levels"]
        return item["status"], (packages.project / "tiled/one.lvb").read_bytes()

    status, before = exported()
    assert status == "built"
    assert exported() == ("unchanged", before)
    module = packages.folder / "odd.py"
    # Of another length: Python distinguishes modules of one second by their sizes.
    module.write_text(module.read_text().replace("floor", "pavement"))
    status, after = exported()
    assert status == "built"
    assert after != before


def test_a_project_without_extensions_has_no_extension_files() -> None:
    assert extensions_identity() == ""


@pytest.fixture
def installed(packages: Packages, monkeypatch: pytest.MonkeyPatch) -> Packages:
    """Return packages that this process sees."""
    monkeypatch.syspath_prepend(packages.folder)
    return packages


def identities(packages: Packages, path: Path) -> tuple[str, str]:
    """Return the identity before and after a file was touched."""
    before = extensions_identity()
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000))
    return before, extensions_identity()


@pytest.mark.parametrize("changed", ["odd/deep/module.py", "odd/table.json"])
def test_every_file_of_the_topmost_package_counts(installed: Packages, changed: str) -> None:
    files = ("__init__.py", "deep/__init__.py", "deep/module.py", "table.json")
    installed.install("odd-pack", {f"odd/{file}": "1 / 0" for file in files}, POINTS)
    before, after = identities(installed, installed.folder / changed)
    assert before
    assert before != after


def test_what_python_makes_itself_does_not_count(installed: Packages) -> None:
    files = {"odd/__init__.py": "", "odd/__pycache__/x.nbi": "", "odd/y.pyc": "", "odd_not.py": ""}
    installed.install("odd-pack", files, POINTS)
    for path in [*files][1:]:
        before, after = identities(installed, installed.folder / path)
        assert before == after


def test_a_module_without_a_package_counts(installed: Packages) -> None:
    installed.install("odd-pack", {"odd.py": ""}, {"exporter.puzzles": {"odd": "odd:build"}})
    before, after = identities(installed, installed.folder / "odd.py")
    assert before != after


def test_of_a_shared_namespace_only_the_own_part_counts(installed: Packages) -> None:
    files = {"odd/deep/__init__.py": "", "odd/deep/module.py": "", "odd/other/__init__.py": ""}
    installed.install("odd-pack", files, POINTS)
    before, after = identities(installed, installed.folder / "odd/deep/module.py")
    assert before != after
    before, after = identities(installed, installed.folder / "odd/other/__init__.py")
    assert before == after


def test_a_package_that_is_installed_for_editing_counts(
    installed: Packages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path / "checkout" / "odd"
    checkout.mkdir(parents=True)
    (checkout / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(checkout.parent)
    installed.install("odd-pack", {}, POINTS)
    before, after = identities(installed, checkout / "__init__.py")
    assert before != after


def test_another_version_counts_although_no_file_changed(
    installed: Packages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install("odd-pack", {"odd.py": ""}, {"exporter.puzzles": {"odd": "odd"}})
    before = extensions_identity()
    newer = Packages(tmp_path / "newer", installed.project)
    newer.install("odd-pack", {}, {"exporter.puzzles": {"odd": "odd"}}, "1.1")
    monkeypatch.syspath_prepend(newer.folder)
    assert extensions_identity() not in ("", before)
