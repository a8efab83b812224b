"""Packs: each level as if exported alone, the same bytes however made, and hostile files."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import random
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exporter
from cases import each_case
from command_line import run_json
from exporter.blob import UnstorableError, level_chunks
from exporter.build.build import Build
from exporter.build.trials import varied
from exporter.cli.main import main
from exporter.codecs import Limits
from exporter.explore.candidates import Candidate
from exporter.explore.varying import parse_varied
from exporter.model.errors import BlobError, ParameterError, SpecError
from exporter.model.expressions import ExpressionError
from exporter.packs import format as format_module
from exporter.packs import whole_levels
from exporter.packs.columns import decode_column, encode_column
from exporter.packs.format import HEADER, PackFile, _entry, encode_pack
from exporter.packs.making import BuiltPack, make_pack
from exporter.packs.plan import plan_of_spec, plan_pack
from exporter.packs.progress import PackProgress, empty_ranges, empty_words
from exporter.packs.shapes import Bits, Field, Observed, ShapeReader, packed
from exporter.packs.whole_levels import MeasuredLevels
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import parse_level
from exporter.targets.single_maps import map_and_picture
from mission_judge import stranded_states

VECTORS = Path(__file__).parent.parent / "vectors"
SPEC = b"""size: [24, 18]
layers:
  ground: {generator: cellular_caves, wall_percent: 42, connect: guaranteed}
  biomes: {generator: voronoi, sites: 5, role: picture}
visibility: {layer: ground, radius: 5}
objects:
  - {name: stairs, properties: {to: deeper}}
  - {name: chest, count: 3, spacing: 4, required: false, reachable_from: stairs}
"""
VARY = "ground.wall_percent=36..48"


def spec(extra: bytes = b"") -> LevelSpec:
    return parse_level(SPEC + extra, "caves.level.yaml")


def build_pack(count: int = 30, jobs: int = 1, **more: Any) -> BuiltPack:
    options = {"varied": [parse_varied(VARY, spec())], "budget": 400, **more}
    lines = {key: options.pop(key) for key in ("judged", "built", "progress") if key in options}
    return make_pack(plan_pack(spec(), count=count, **options), jobs, **lines)


def opened(data: bytes, folder: Path) -> exporter.Pack:
    path = folder / "caves.lvp"
    path.write_bytes(data)
    return exporter.open_pack(path)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[exporter.Pack]:
    data = build_pack(spread=("floor", "farthest"), measures=("dead_ends",), sight="full").data
    with opened(data, tmp_path_factory.mktemp("pack")) as result:
        yield result


def test_each_level_equals_the_same_parameters_exported_alone(pack: exporter.Pack) -> None:
    differing = []
    for index, (seed, parameters) in enumerate(zip(pack.seeds, pack.parameters, strict=True)):
        settings = [(*name.split("."), value) for name, value in parameters.items()]
        alone = exporter.build_level(varied(spec(), int(seed), settings))
        metrics = exporter.measure(alone, ["floor", "farthest", "dead_ends"])
        same = dict(zip(pack.metrics.dtype.names, pack.metrics[index].tolist(), strict=True))
        if pack.blob(index) != exporter.write_blob(alone) or same != metrics:
            differing.append(index)
    assert len(pack) == 30
    assert differing == []
    assert np.array_equal(
        pack[-1].visibility.visible_from(3, 3), alone.visibility.visible_from(3, 3)
    )


@each_case("sight", ["none", "exposure"])
def test_sight_decides_what_levels_tell(sight: str, tmp_path: Path) -> None:
    with opened(build_pack(2, sight=sight).data, tmp_path) as result:
        assert result[1].visibility is None
        assert ("exposure" in result[1].layers) == (sight == "exposure")


@each_case(
    "options",
    [{}, {"where": "farthest > 12"}, {"where": "farthest > 12", "spread": ("floor", "farthest")}],
)
def test_the_bytes_are_the_same_for_any_number_of_processes(options: dict[str, Any]) -> None:
    one, two = (build_pack(40, jobs, **options) for jobs in (1, 2))
    assert one.data == two.data
    assert one.document() == two.document()


def test_levels_that_are_judged_and_built_at_once_are_the_same() -> None:
    at_once = build_pack(30, measures=("floor",), sight="exposure")
    apart = build_pack(30, measures=("floor",), sight="exposure", where="floor >= 0")
    assert at_once.data == apart.data
    assert at_once.document() == apart.document()


def test_a_level_that_fails_a_requirement_is_built_once() -> None:
    search = plan_pack(spec(b"require: {min_floor: 0.55}"), count=30, measures=("floor",))
    builds: list[int] = []

    def counted(candidate: LevelSpec, root: Path | None) -> Build:
        builds.append(candidate.seed)
        return Build(candidate, root)

    judge = MeasuredLevels.of(search).judge(counted)
    results = [judge(Candidate(number, number, ())) for number in range(20)]
    assert {attempt.values is None for attempt, _ in results} == {True, False}
    assert {attempt.distance is None for attempt, _ in results} == {True, False}
    assert len(builds) == 20


def test_a_side_layer_is_used_in_packs_only_where_it_helps() -> None:
    heights = b"  relief: {generator: heightmap, terraces: 8, terrace_sharpness_percent: 100}\n"
    caves = b"size: [64, 64]\nlayers:\n  ground: {generator: cellular_caves}\n" + heights
    level = Build(parse_level(caves, "a.level.yaml"), None).level()[0].exported()
    quick, whole = (
        sum(len(chunk.payload) for chunk in level_chunks(level, 0, "small", quick=quick))
        for quick in (True, False)
    )
    assert quick < 1.2 * whole


MISSION = b"""size: [64, 40]
layers:
  rooms: {generator: rooms_and_corridors, connect: guaranteed}
mission:
  start: entrance
  goal: throne
  locks: [{name: red, kind: key}, {name: small, kind: small_key, count: 2}]
"""


def test_the_missions_of_a_pack_are_proven_again(tmp_path: Path) -> None:
    plan = plan_pack(parse_level(MISSION, "vault.level.yaml"), count=4, budget=400)
    with opened(make_pack(plan, 1).data, tmp_path) as result:
        stranded = []
        for level in result:
            assert level.mission is not None
            cells = {item.name: (item.x, item.y) for item in level.objects}
            keys = [item for item in level.objects if "opens" in item.properties]
            count = stranded_states(
                level.walkable().tolist(),
                cells[level.mission.start],
                cells[level.mission.goal],
                [
                    (lock.name, lock.kind, lock.cells, lock.opened_from)
                    for lock in level.mission.locks
                ],
                [((item.x, item.y), item.properties["opens"]) for item in keys],
            )
            stranded.append(count)
        assert stranded == [0] * 4


def test_spread_fills_many_niches_and_progress_tells_how_many() -> None:
    reported: list[str] = []
    spread = build_pack(
        40,
        spread=("floor", "farthest"),
        budget=700,
        progress=lambda state: reported.append(state.text(2.0)),
    )
    assert spread.count == 40
    assert spread.niches[0] > 25
    assert spread.document()["niches"] == {"filled": spread.niches[0], "of": 100}
    expected = "40 of 40 levels, 700 of 700 tried, 350/s; [0-9]{2} of 100 niches"
    assert re.match(expected, reported[-1])


def test_fewer_levels_than_niches_cover_the_whole_range(tmp_path: Path) -> None:
    spans: list[float] = []
    for count in (3, 40):
        (tmp_path / "a.lvp").write_bytes(build_pack(count, spread=("floor",), budget=100).data)
        with exporter.open_pack(tmp_path / "a.lvp") as pack:
            spans.append(np.ptp(pack.metrics["floor"]))
    assert spans[0] > 0.8 * spans[1]


def test_the_widest_empty_part_of_each_range_is_named() -> None:
    metrics = ("floor", "farthest", "loops", "dead_ends", "doors")
    ranges = ((0.0, 1.0), (20.0, 30.0), (5.0, 5.0), (3.0, 7.0), (0.0, 4.0))
    places = [(0.05, 22.0, 5.0, 3.0, 0.0), (0.1, 29.0, 5.0, 5.0, 1.0), (0.5, 24.0, 5.0, 7.0, 2.0)]
    places += [(0.5, 24.0, 5.0, float(number), 0.0) for number in (4, 6)]
    empty = empty_ranges(metrics, ranges, places)
    assert [list(item.document().values()) for item in empty] == [
        ["floor", pytest.approx(0.6), 1.0],
        ["farthest", 25, 28],
        ["doors", 3, 4],
    ]
    assert empty_words(empty) == ", none with floor 0.6 to 1 or farthest 25 to 28 or doors 3 to 4"


class MemoryLines:
    """Lines in memory."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def read(self) -> Iterator[str]:
        return iter(list(self.lines))

    def keep(self, count: int) -> None:
        del self.lines[count:]

    def append(self, lines: Sequence[str]) -> bool:
        self.lines += lines
        return True

    def remove(self) -> None:
        self.lines.clear()


def test_an_interrupted_making_goes_on_to_the_same_bytes() -> None:
    judged, built = MemoryLines(), MemoryLines()

    def interrupt(progress: PackProgress) -> None:
        if progress.built == 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_pack(100, judged=judged, built=built, progress=interrupt)
    assert len(built.lines) == 70
    built.lines[40:] = ["cut sho"]
    assert build_pack(100, judged=judged, built=built).data == build_pack(100).data
    assert len(built.lines) == 100


def test_a_killed_making_has_the_measures_of_the_levels_that_it_built() -> None:
    judged = MemoryLines()

    class Built(MemoryLines):
        def append(self, lines: Sequence[str]) -> bool:
            assert judged.lines
            return super().append(lines)

    assert build_pack(70, judged=judged, built=Built()).count == 70


@each_case("entry", json.loads((VECTORS / "manifest.json").read_text())["packs"])
def test_a_vector_answers_as_the_manifest_says(entry: dict[str, Any]) -> None:
    assert hashlib.sha256((VECTORS / entry["file"]).read_bytes()).hexdigest() == entry["sha256"]
    with exporter.open_pack(VECTORS / entry["file"]) as result:
        assert result.seeds.tolist() == entry["seeds"]
        for name, values in entry["metrics"].items():
            assert result.metrics[name].tolist() == values
        for question, answer in entry["find"]:
            assert result.find(question) == answer
        for date, level in entry["daily"]:
            assert result.daily(date) == level
        for seed, order in entry["shuffled"]:
            assert result.shuffled(seed) == order


def test_an_impossible_pack_is_empty_and_says_why(tmp_path: Path) -> None:
    pack = build_pack(5, where="farthest > 9999", budget=20, spread=("floor",))
    assert "farthest > 9999 fails" in pack.missing()
    with opened(pack.data, tmp_path) as result:
        assert (len(result), result.shuffled(1), result.find("farthest >= 0")) == (0, [], [])
        with pytest.raises(ParameterError, match="no levels"):
            result.daily("2026-01-01")


def test_a_level_that_no_blob_can_hold_is_replaced_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failures = ["a place has no form"]

    def chunks(*arguments: Any, **named: Any) -> Any:
        if failures:
            raise UnstorableError(failures.pop())
        return level_chunks(*arguments, **named)

    monkeypatch.setattr(whole_levels, "level_chunks", chunks)
    pack = build_pack(2, budget=3)
    assert (pack.count, pack.tried, pack.missing()) == (2, 3, "")
    assert pack.failure == "a place has no form"


def test_a_day_repeats_no_level_before_all_were_there(pack: exporter.Pack) -> None:
    first = datetime.date(1970, 1, 1) + datetime.timedelta(700 * len(pack))
    days = [pack.daily(first + datetime.timedelta(day)) for day in range(len(pack))]
    assert sorted(days) == list(range(len(pack)))


def test_an_unknown_measure_is_refused_at_its_place(pack: exporter.Pack) -> None:
    with pytest.raises(ExpressionError, match="dead_ends") as error:
        pack.find("floor > 0 and dead_end > 1")
    assert error.value.start == 14


@each_case(
    "values",
    [[3, -4, 70_000], [0.25, 0.5, 0.875], [1 / 3, 2 / 3, 1.0], [0.1 + 0.2, 1e300], [5, 5.5],
     [1 << 60, 3], [(1 << 60) + 1, (1 << 60) + 3], [True, None, "ä", [1, 2]], [0] * 300],
)  # fmt: skip
def test_a_column_gives_its_values_back(values: list[Any]) -> None:
    column, payload = encode_column("x", values, 432)
    again = decode_column(column, payload, len(values))
    again = again.tolist() if isinstance(again, np.ndarray) else again
    assert (column["name"], again) == ("x", values)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 60), 1 << 60) | st.floats(0, 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


def read_again(values: list[Any]) -> tuple[Any, list[Any]]:
    """Return the shape that values share, and the values that it gives back."""
    observed = Observed()
    for value in values:
        observed.add(value)
    fields: list[Field] = []
    for value in values:
        observed.fields(value, fields)
    shape, bits, reader = observed.shape(), Bits(packed(fields)), ShapeReader(Limits())
    return shape, [json.loads(reader.read(shape, bits)) for _ in values]


@settings(max_examples=60, deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=4))
def test_values_are_read_again_by_the_shape_that_they_share(values: list[Any]) -> None:
    assert read_again(values)[1] == values


@each_case(
    "values,kind",
    [([0, (1 << 32) - 1], "integer"), ([0, 1 << 32], "length"),
     ([(1 << 53) - 1, 1 << 53], "integer"), ([1 << 53, (1 << 53) + 1], "length"),
     ([-1 - (1 << 53)], "length"), ([[0] * 64], "[0,0"), ([[0] * 65], "list")],
)  # fmt: skip
def test_a_shape_is_one_that_every_reader_counts(values: list[Any], kind: str) -> None:
    shape, again = read_again(values)
    assert kind in shape
    assert again == values


def test_a_shape_has_at_most_as_many_values_as_allowed() -> None:
    for most in (4, 5):
        with pytest.raises(BlobError) if most == 4 else contextlib.nullcontext():
            ShapeReader(Limits(values=most)).read({"all": [""] * 4}, Bits(b""))


def test_levels_come_by_their_rank(tmp_path: Path) -> None:
    made = build_pack(8, budget=30, sort="-floor")
    assert made.niches == (0, 0)
    with opened(made.data, tmp_path) as result:
        floors = result.metrics["floor"].tolist()
    assert floors == sorted(floors, reverse=True)
    assert floors[0] > floors[-1]


def test_a_share_is_a_whole_number_over_the_smallest_divisor() -> None:
    divisors = [*range(1, 11), 12, 16, 20, 25, 50, 100, 432, 1000, 10_000]
    columns = [encode_column("x", [1 / divisor, 1.0], 432)[0] for divisor in divisors]
    assert [column["divisor"] for column in columns] == divisors


# --- hostile files --------------------------------------------------------------------------------


def checked_again(data: bytearray) -> bytes:
    """Return a pack whose header has a matching checksum, so that its numbers are believed."""
    data[28:32] = struct.pack("<I", zlib.crc32(data[:28]))
    return bytes(data)


def test_damaged_packs_are_refused_or_give_the_same_levels(tmp_path: Path) -> None:
    good = (VECTORS / "caves.lvp").read_bytes()
    with exporter.open_pack(VECTORS / "caves.lvp") as result:
        blobs = [result.blob(index) for index in range(len(result))]
        table = result.file.header.table_at
    numbers = random.Random(7)
    wrong = []
    for turn in range(252):
        data = bytearray(good)
        # A third of the damage hits the header, another the table of contents.
        low, high = ((8, 28), (table, table + 52), (32, len(data)))[turn % 3]
        for _ in range(numbers.randint(1, 3)):
            data[numbers.randrange(low, high)] = numbers.randrange(256)
        if turn % 7 == 0:
            data = data[: numbers.randrange(len(data))]
        content = checked_again(data) if turn % 2 and len(data) > HEADER.size else bytes(data)
        path = tmp_path / "damaged.lvp"
        path.write_bytes(content)
        try:
            with exporter.open_pack(path, Limits.for_strangers()) as result:
                for index in range(min(len(result), len(blobs))):
                    with contextlib.suppress(BlobError):
                        wrong += [turn] if result.blob(index) != blobs[index] else []
                result.find("floor > 0.5")
        except (BlobError, ExpressionError):
            pass
    assert wrong == []


def test_entries_and_columns_of_the_wrong_form_are_refused() -> None:
    entry = ["GRID", 1, 1, 1, 1, 9, 9, 0, 0, 81]
    assert _entry(entry)[1] == 81
    for position, value in ((0, 7), (5, -1), (5, 1 << 32), (5, 9.0), (9, True)):
        wrong = [*entry[:position], value, *entry[position + 1 :]]
        with pytest.raises(BlobError, match="an entry of the directory is malformed"):
            _entry(wrong)
    with pytest.raises(BlobError, match="broken column: KeyError"):
        decode_column({}, b"", 1)


def test_a_pack_of_too_many_levels_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format_module, "MOST_LEVELS", 1)
    assert format_module._file(b"", b"", [b"level"])
    with pytest.raises(ValueError, match="allowed: 1 levels"):
        format_module._file(b"", b"", [b"level"] * 2)


@each_case(
    "shape",
    [7, {"bits": 3}, {"list": "", "bits": 32}, {"length": 33}, {"all": "x"}, {"one_of": []},
     {"one_of": [7]}, {"either": [{"either": "x"}]}, {"integer": 1 << 60, "bits": 2},
     {"list": {"all": [""] * 99}, "bits": 31},
     reduce(lambda shape, _: {"all": [shape]}, range(3000), "")],
)  # fmt: skip
def test_a_hostile_shape_ends_in_an_error(shape: Any) -> None:
    with pytest.raises(BlobError):
        ShapeReader(replace(Limits.for_strangers(), values=5000)).read(shape, Bits(b"\xff" * 8))


def test_an_open_pack_reads_only_what_is_asked_for() -> None:
    data = build_pack(30).data
    read: list[int] = []

    def counted(offset: int, size: int) -> bytes:
        read.append(size)
        return data[offset : offset + size]

    file = PackFile(counted)
    opening = sum(read)
    file.blob(17)
    assert opening < file.header.shared + 64
    assert sum(read) - opening < 600


# --- in projects and on the command line ----------------------------------------------------------


def test_an_export_writes_a_pack_for_each_target_with_blobs(tmp_path: Path) -> None:
    (tmp_path / "levels").mkdir()
    (tmp_path / "exporter.yaml").write_text(
        "levels: levels/*.level.yaml\n"
        "targets: {godot: {path: g}, unity: {path: u, blob: fast}, tiled: {path: t, blob: false}}\n"
    )
    extra = b"pack: {count: 8, where: farthest > 10, vary: {ground.wall_percent: [36, 48]}}\n"
    (tmp_path / "levels" / "caves.level.yaml").write_bytes(SPEC + extra)
    code, document = run_json("export", str(tmp_path), "--json")
    packs = [item for item in document["levels"][0]["outputs"] if item["kind"] == "pack"]
    assert code == 0
    assert [item["path"] for item in packs] == ["g/caves.lvp", "u/caves.lvp"]
    first, second = (exporter.open_pack(tmp_path / item["path"]) for item in packs)
    with first as small, second as fast:
        assert small.seeds.tolist() == fast.seeds.tolist()
        assert small[3].objects == fast[3].objects
    assert run_json("export", str(tmp_path), "--json")[1]["levels"][0]["status"] == "unchanged"


def test_a_level_that_is_left_out_is_replaced_and_nothing_else_is_built(tmp_path: Path) -> None:
    (tmp_path / "exporter.yaml").write_text("levels: '*.level.yaml'\ntargets: {tiled: {path: t}}\n")

    def exported(without: Sequence[int]) -> list[int]:
        extra = f"pack: {{count: 6, budget: 30, measures: [floor], without: {[*without]}}}\n"
        (tmp_path / "caves.level.yaml").write_bytes(SPEC + extra.encode())
        assert run_json("export", str(tmp_path), "--json")[0] == 0
        with exporter.open_pack(tmp_path / "t" / "caves.lvp") as result:
            return result.seeds.tolist()

    def kept() -> list[int]:
        files = sorted((tmp_path / ".exporter" / "searches").iterdir())
        return [len(item.read_text().splitlines()) for item in files]

    first = exported([])
    before = kept()
    second = exported(first[1:2])
    assert second[:5] == [first[0], *first[2:]]
    assert len(set(second)) == 6
    assert kept() == [count + 1 for count in before]
    (tmp_path / "caves.level.yaml").write_bytes(SPEC)
    assert run_json("export", str(tmp_path), "--json")[0] == 0
    assert kept() == []


@each_case(
    "pack,column,message",
    [
        ("{where: farthst > 3}", 15, "farthest"),
        ("{vary: {ground.wall_percnt: [1, 2]}}", 35, "wall_percent"),
        ("{spread: [floor, flor]}", 16, "floor"),
        ("{measures: [objects.gold]}", 18, "gold"),
    ],
)
def test_a_fault_of_a_pack_is_reported_at_its_place(pack: str, column: int, message: str) -> None:
    with pytest.raises(SpecError, match=message) as error:
        plan_of_spec(spec(b"pack: " + pack.encode() + b"\n"), None)
    problem = error.value.problems[0]
    assert (problem.line, problem.column) == (9, column)
    assert message in problem.message


def test_the_command_writes_a_pack_and_takes_a_level_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "home"))
    level = tmp_path / "caves.level.yaml"
    level.write_bytes(SPEC)
    output = tmp_path / "caves.lvp"
    code, document = run_json(
        "seeds", str(level), "--count", "5", "--vary", VARY, "--pack", str(output), "--json"
    )
    assert (code, document["kept"], "niches" in document) == (0, 5, False)
    assert not list((tmp_path / "home").rglob("*.jsonl"))
    assert main(["inspect", str(output)]) == 0
    printed = capsys.readouterr().out
    for suffix in ("lvb", "tmj"):
        for index in range(5):
            path = tmp_path / f"{index}.{suffix}"
            assert main(["inspect", str(output), "--extract", str(index), "-o", str(path)]) == 0
    with exporter.open_pack(output) as result:
        [first] = struct.unpack_from("<I", output.read_bytes(), result.file.header.table_at)
        assert "pack of 5 levels of caves" in printed
        assert f"{result.file.header.length - first:,} bytes of levels" in printed
        for index, level in enumerate(result):
            assert (tmp_path / f"{index}.lvb").read_bytes() == result.blob(index)
            expected = map_and_picture(replace(level, name=str(index)))
            assert all((tmp_path / file.name).read_bytes() == file.data for file in expected)
    assert (tmp_path / "4.tileset.png").is_file()


@each_case(
    "name,options,message",
    [
        (
            "caves.lvp",
            "--extract 12 -o x.tmj",
            "--extract 12 is out of range (the pack has levels 0 to 11)",
        ),
        (
            "caves.lvp",
            "--extract -1 -o x.tmj",
            "--extract -1 is out of range (the pack has levels 0 to 11)",
        ),
        ("caves.lvp", "--extract 0 -o x.tmj --json", "--all or --json"),
        ("caves.lvp", "--extract 0 -o x.tmx", "x.tmx: the suffix is not known"),
        ("caves.lvp", "--extract 0 -o none/x.tmj", "there is no folder 'none'"),
        ("caves.lvp", "--extract 0", "--extract and -o need each other"),
        (
            "empty.lvp",
            "--extract 0 -o x.tmj",
            "--extract 0 is out of range (the pack has no levels)",
        ),
        ("damaged.lvp", "--extract 11 -o x.tmj", "damaged.lvp: damaged level 11: the checksum"),
        ("no.lvp", "--extract 0 -o x.tmj", "no.lvp: the file is not a level pack"),
    ],
)
def test_a_level_that_cannot_be_taken_out_is_an_error(
    name: str,
    options: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    good = (VECTORS / "caves.lvp").read_bytes()
    Path("caves.lvp").write_bytes(good)
    Path("empty.lvp").write_bytes(encode_pack("caves", [], {}))
    Path("damaged.lvp").write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    Path("no.lvp").write_bytes(b"no pack")
    assert main(["inspect", name, *options.split()]) in (1, 2)
    assert message in capsys.readouterr().err
    assert not Path("x.tmj").exists()
