"""The code's identity changes with every file that runs, and with nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporter.model.installed import EntryPoint
from exporter.store import code_identity as module
from exporter.store.code_identity import code_identity, extensions_identity, portable_identity


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of which `code_identity` believes it is part."""
    package = tmp_path / "exporter"
    (package / "store").mkdir(parents=True)
    (package / "store" / "code_identity.py").write_text("# code")
    (package / "kernel.so").write_bytes(b"compiled")
    monkeypatch.setattr(module, "__file__", str(package / "store" / "code_identity.py"))
    monkeypatch.setattr(module, "entry_points", tuple)
    return package


def test_the_codes_identity_changes_with_every_file_that_runs(package: Path) -> None:
    identity = code_identity.__wrapped__
    seen = {identity()}
    for name in (
        "kernel.so",
        "kernel.pyd",
        "new.py",
        "new.art",
        "store/code_identity.py",
        "store/other.py",
    ):
        (package / name).write_bytes(b"anything else")
        seen.add(identity())
    os.utime(package / "new.py", (5, 5))
    seen.add(identity())
    (package / "new.py").rename(package / "newer.py")
    seen.add(identity())
    assert len(seen) == 9


def test_the_codes_identity_changes_with_the_version(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = code_identity.__wrapped__()
    monkeypatch.setattr(module, "__version__", "another")
    assert code_identity.__wrapped__() != before


def test_the_codes_identity_is_the_same_for_what_does_not_run(package: Path) -> None:
    identity = code_identity.__wrapped__
    before = identity()
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "kernel.py").write_text("")
    (package / "notes.txt").write_text("")
    assert identity() == before
    assert code_identity() is code_identity()


def test_the_codes_identity_does_not_depend_on_the_order_of_a_listing(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (package / "zebra").mkdir()
    (package / "zebra" / "a.py").write_text("")
    identity = code_identity.__wrapped__
    before = identity()
    real = os.scandir

    class Backwards:
        def __init__(self, path: str) -> None:
            with real(path) as entries:
                self.entries = sorted(entries, key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> Backwards:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def __iter__(self) -> Backwards:
            return self

        def __next__(self) -> os.DirEntry[str]:
            if not self.entries:
                raise StopIteration
            return self.entries.pop(0)

        def close(self) -> None:
            pass

    def first_last(path: str) -> Backwards:
        return Backwards(path)

    monkeypatch.setattr(os, "scandir", first_last)
    assert identity() == before


# --- other packages ------------------------------------------------------------------------------


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder from which packages can be imported."""
    folder = tmp_path / "outside"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def brings(monkeypatch: pytest.MonkeyPatch, *values: str, **more: str) -> None:
    """Let some entry points be installed."""
    points = tuple(
        EntryPoint(
            more.get("group", "exporter.generators"),
            more.get("name", "ruins"),
            value,
            more.get("distribution", "ruins 1.0"),
        )
        for value in values
    )
    monkeypatch.setattr(module, "entry_points", lambda: points)


def test_the_code_of_other_packages_is_part_of_ours(
    package: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (outside / "ruins_a.py").write_text("")
    seen = {code_identity.__wrapped__(), ""}
    for more in ({}, {"group": "exporter.codecs"}, {"name": "x"}, {"distribution": "ruins 1.1"}):
        brings(monkeypatch, "ruins_a:make", **more)
        seen.add(code_identity.__wrapped__())
    brings(monkeypatch, "ruins_a:other")
    seen.add(code_identity.__wrapped__())
    (outside / "ruins_a.py").write_text("# changed")
    seen.add(code_identity.__wrapped__())
    assert len(seen) == 8


def test_of_a_namespace_a_single_module_counts_alone(
    outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (outside / "space_of_modules").mkdir()
    own, other = (outside / "space_of_modules" / name for name in ("mine.py", "theirs.py"))
    own.write_text("")
    other.write_text("")
    brings(monkeypatch, "space_of_modules.mine:make")
    before = extensions_identity()
    other.write_text("changed")
    assert extensions_identity() == before
    own.write_text("changed")
    assert extensions_identity() != before


def test_a_package_that_cannot_be_detected_still_counts_by_its_name(
    outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set()
    for value in ("nowhere_1:make", "nowhere_2:make", "nowhere_2.deep:make", ".:make", "sys:path"):
        brings(monkeypatch, value)
        seen.add(extensions_identity())
    assert len(seen) == 5


def test_a_file_that_vanishes_while_it_is_looked_at_counts_for_nothing(
    outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (outside / "ruins_c").mkdir()
    (outside / "ruins_c" / "__init__.py").write_text("")
    brings(monkeypatch, "ruins_c:make")
    before = extensions_identity()
    (outside / "ruins_c" / "link.py").symlink_to(outside / "gone.py")
    assert extensions_identity() == before


def test_the_portable_identity_is_the_same_wherever_the_same_code_is_installed(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = portable_identity.__wrapped__
    before = identity()
    for number, path in enumerate(package.rglob("*")):
        os.utime(path, (number, number))
    (package / "kernel.so").write_bytes(b"compiled for another machine")
    (package / "store" / "code_identity.py").write_bytes(b"# code")
    assert identity() == before
    (tmp_path / "deeper").mkdir()
    elsewhere = package.rename(tmp_path / "deeper" / "exporter")
    monkeypatch.setattr(module, "__file__", str(elsewhere / "store" / "code_identity.py"))
    assert identity() == before


def test_the_portable_identity_changes_with_every_source(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = portable_identity.__wrapped__
    source = package / "store" / "code_identity.py"
    source.write_bytes(b"one\ntwo\n")
    seen = {identity()}
    source.write_bytes(b"one\r\ntwo\r\n")
    assert identity() in seen
    source.write_bytes(b"two\none\n")
    seen.add(identity())
    source.rename(package / "store" / "other.py")
    seen.add(identity())
    monkeypatch.setattr(module, "__version__", "another")
    seen.add(identity())
    assert len(seen) == 4


def test_the_portable_identity_has_every_file_of_an_extension_by_content(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = portable_identity.__wrapped__
    seen = {identity()}
    points = [EntryPoint("exporter.generators", "a", "more_levels.a:A", "more 1")]
    for folder in ("here", "there"):
        own = tmp_path / folder / "more_levels"
        own.mkdir(parents=True)
        (own / "__init__.py").write_text("")
        (own / "data.bin").write_bytes(b"1")
    monkeypatch.setattr(module, "entry_points", lambda: points)
    monkeypatch.setattr(module, "_places", lambda _point: [str(tmp_path / "here" / "more_levels")])
    here = identity()
    monkeypatch.setattr(module, "_places", lambda _point: [str(tmp_path / "there" / "more_levels")])
    assert identity() == here
    seen.add(here)
    (own / "data.bin").write_bytes(b"2")
    seen.add(identity())
    assert len(seen) == 3
