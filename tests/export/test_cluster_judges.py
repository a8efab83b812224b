"""Searches on a cluster give the same results as on one machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from exporter.cli.main import main
from exporter.export import cluster_judges
from exporter.export.cluster import Done, FailedTask
from exporter.model.errors import FarmError

CAVE = """\
size: [24, 20]
layers:
  ground: {generator: cellular_caves, wall_percent: 44}
require: {min_floor: 0.4}
"""
PICTURED = """\
size: [24, 20]
layers:
  drawn: {generator: from_image, image: ../art/a.png}
  ground: {generator: cellular_caves, wall_percent: 44}
  both: {generator: subtract, of: ground, minus: [drawn]}
"""


class Backwards:
    """A cluster that does the last task first, and forgets all plans now and then."""

    sent = 0

    def __init__(self, address: str, do: Callable[[bytes], bytes], remark: object) -> None:
        self.do = do
        self.waiting: list[tuple[int, bytes]] = []
        cluster_judges._MEMORY.plans.clear()
        Backwards.sent = 0

    @property
    def has_room(self) -> bool:
        return len(self.waiting) < 3

    def submit(self, task: bytes) -> int:
        Backwards.sent += 1
        self.waiting.append((Backwards.sent, task))
        return Backwards.sent

    def results(self) -> Iterator[Done | FailedTask]:
        if self.waiting:
            number, task = self.waiting.pop()
            if number % 7 == 0:
                cluster_judges._MEMORY.plans.clear()
            yield Done(number, "tcp://worker:1", self.do(task))

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture(autouse=True)
def backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_judges, "Cluster", Backwards)


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "levels" / "cave.level.yaml"
    path.parent.mkdir()
    path.write_text(CAVE)
    (tmp_path / "exporter.yaml").write_text("targets: {tiled: {path: t}}\n")
    return path


def run(capsys: pytest.CaptureFixture[str], spec: Path, *options: str) -> tuple[int, Any]:
    code = main(["seeds", str(spec), "--json", *options])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "options",
    [
        ("--count", "5", "--budget", "200", "--where", "farthest > 20"),
        (
            "--count", "5", "--budget", "150", "--sort", "-farthest",
            "--vary", "ground.wall_percent=40..48",
        ),
        ("--count", "5", "--budget", "250", "--spread", "floor,farthest"),
        ("--prove", "200"),
        ("--count", "5", "--budget", "60", "--where", "farthest > 20", "--pack", "cave.lvp"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_search_finds_the_same_as_on_one_machine(
    spec: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
) -> None:
    results = []
    for name, machines in (("alone", ("--jobs", "1")), ("cluster", ("--cluster", "tcp://x:1"))):
        folder = spec.parent / name
        folder.mkdir()
        monkeypatch.chdir(folder)
        answer = run(capsys, spec, *options, *machines)
        results.append((answer, [path.read_bytes() for path in folder.iterdir()]))
    assert results[0] == results[1]
    assert Backwards.sent > 3


def test_a_heat_map_has_the_same_levels(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--budget", "150", "--spread", "floor,farthest", "--overwrite")
    pictures = []
    for more in ((), ("--cluster", "tcp://x:1")):
        run(capsys, spec, *options, "--heat", str(tmp_path / "heat.png"), *more)
        pictures.append((tmp_path / "heat.png").read_bytes())
    assert pictures[0] == pictures[1]


def test_files_that_a_spec_reads_go_along_or_are_sent_when_they_are_missed(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec.write_text(PICTURED)
    (tmp_path / "art").mkdir()
    Image.new("RGB", (24, 20)).save(tmp_path / "art" / "a.png")
    options = ("--count", "4", "--budget", "100", "--where", "floor > 0.1")
    alone = run(capsys, spec, *options, "--jobs", "1")
    assert run(capsys, spec, *options, "--cluster", "tcp://x:1") == alone
    monkeypatch.setattr(cluster_judges, "parts_with_files", lambda _spec: ())
    assert run(capsys, spec, *options, "--cluster", "tcp://x:1") == alone


def test_a_file_that_is_not_there_fails_as_it_does_on_one_machine(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_text(PICTURED)
    options = ("--count", "4", "--budget", "40")
    alone = run(capsys, spec, *options, "--jobs", "1")
    assert alone[0] == 1
    assert run(capsys, spec, *options, "--cluster", "tcp://x:1") == alone


def test_a_search_resumes_after_its_cluster_is_lost(
    spec: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Leaving(Backwards):
        def results(self) -> Iterator[Done | FailedTask]:
            if Backwards.sent > 8:
                raise FarmError("the scheduler at tcp://x:1 is gone")
            number, task = self.waiting.pop(0)
            yield Done(number, "tcp://worker:1", self.do(task))

    options = ("--count", "300", "--budget", "300")
    alone = run(capsys, spec, *options, "--cluster", "tcp://x:1")
    whole = Backwards.sent
    monkeypatch.setattr(cluster_judges, "Cluster", Leaving)
    assert main(["seeds", str(spec), *options, "--cluster", "tcp://x:1"]) == 1
    assert "is gone" in capsys.readouterr().err
    monkeypatch.setattr(cluster_judges, "Cluster", Backwards)
    assert run(capsys, spec, *options, "--cluster", "tcp://x:1") == alone
    assert Backwards.sent < whole


def test_a_level_that_ends_workers_ends_the_search(
    spec: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ending(Backwards):
        def results(self) -> Iterator[Done | FailedTask]:
            yield FailedTask(self.waiting.pop()[0], "ended its worker again and again")

    monkeypatch.setattr(cluster_judges, "Cluster", Ending)
    assert main(["seeds", str(spec), "--cluster", "tcp://x:1"]) == 1
    assert "building levels of this spec ended its worker" in capsys.readouterr().err
