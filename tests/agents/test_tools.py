"""The tools: answers and refusals to write."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import yaml

from cases import each_case
from exporter.agents.answers import (
    MAXIMUM_PICTURE,
    MAXIMUM_TEXT,
    RefusedCallError,
    fitted,
    problem_data,
    refusal_data,
    size_of,
)
from exporter.agents.fixes import find_fix
from exporter.agents.server import guide_text
from exporter.agents.tools import Tools
from exporter.agents.topics import describe, topics
from exporter.agents.worker import MAXIMUM_MEMORY, _limit_memory
from exporter.build.build import build_level
from exporter.measures import metrics, overlays
from exporter.model.errors import ExporterError
from exporter.project.agent_log import read_log
from exporter.reading.reader import parse_level
from fix_pasting import paste
from mistakes_table import Mistake, mistakes, problems_of

CAVE = "size: [48, 32]\nseed: 3\nlayers:\n  ground: {generator: cellular_caves}\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "exporter.yaml").write_text(
        "levels: levels/**/*.level.yaml\ntargets:\n  tiled: {path: out}\n"
    )
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "cave.level.yaml").write_text(CAVE)
    return tmp_path


MISSION = (
    "mission:\n  start: entrance\n  goal: exit\n  locks: [{name: seal, kind: key, at: goal}]\n"
)
ORCS = "objects: [{name: orc, count: 999, spacing: 5}]"
OBJECTS = "objects:\n  - {name: entrance}\n  - {name: orc, count: 3, far_from: entrance}\n"
# Words of the guide for parts of calls and answers, and names in its examples.
OF_CALLS = {"ascii", "at", "fix", "line", "objects", "overlay", "path", "problems", "refusals"}
EXAMPLES = {"away", "caves", "far", "halls", "seen"}
NEVER = "where: farthest >= 400 and dead_ends <= 0 and floor > 0.1"
# A spec, what of it is replaced by a mistake, and the path of the problem.
MISTAKES = [
    (CAVE, "cellular_caves", "celular_caves", "layers.ground.generator"),
    (CAVE, "[48, 32]", "48x32", "size"),
    (CAVE, "cellular_caves", "cellular_caves, wall_percent: 0.42", "layers.ground.wall_percent"),
    (CAVE + OBJECTS, "count: 3", "count: 3, look: {color: #ff0000}", ""),
    (CAVE + OBJECTS, "count: 3", "count: 300, spacing: 9", "objects.1.spacing"),
    (CAVE + OBJECTS, "count: 3", "count: 3, min_distance: 400", "objects.1.far_from"),
    (CAVE + MISSION, "  start: entrance\n", "", "mission.start"),
    (CAVE, "seed: 3", "seed: 3\nrequire: {farthest: 20}", "require.farthest"),
    (CAVE, "seed: 3", "seed: 3\nrequire: {exposure_mean: {at_most: 0.9}}", "require.exposure_mean"),
    (CAVE, "seed: 3", "seed: 3\nrequire: {floor: {at_least: 0.9}}", "require.floor.at_least"),
    (CAVE, "seed: 3", "seed: 3\nrequire: {floor_share: {at_least: 0.5}}", "require.floor_share"),
    (CAVE, "seed: 3", "seed: 3\nrequire: {min_floor: 0.9}", "require.min_floor"),
    (CAVE, "seed: 3", "seed: 3\nrequire: {max_dead_ends: 0}", "require.max_dead_ends"),
    (CAVE, "seed: 3", "seed: 3\nrequire: {regions: {exactly: 2}}", "require.regions.exactly"),
    (CAVE, "seed: 3", "seed: 3\nrequire: {regions: {equals: 1}}", "require.regions.equals"),
    (
        CAVE + OBJECTS,
        "seed: 3",
        "seed: 3\nrequire: {objects.ork: {at_least: 1}}",
        "require.objects.ork",
    ),
    (CAVE, "seed: 3", f"seed: {{search: 2, {NEVER}}}", "seed.where"),
    (CAVE, "seed: 3", "seed: {search: 2}", "seed.search"),
    (CAVE, "generator: cellular_caves", "wall_percent: 45", "layers.ground"),
]
# Mistakes whose hint is no text to paste.
UNMENDED = [
    (CAVE, "seed: 3", "seed: 5\nrequire: {connected: true}"),
    (CAVE, "seed: 3", "seed: 3\nseed: 4"),
    (CAVE, "cellular_caves", "cellular_caves, role: data}\nobjects: [{name: orc}]\n#"),
    (CAVE, "cellular_caves", "light, of: ground"),
    (CAVE, "cellular_caves}", "cellular_caves, nonsense: 1}"),
    (CAVE, "cellular_caves}", 'prefabs, prefabs: [{art: "#.", walkable: true}]}'),
    (CAVE + OBJECTS, "far_from: entrance", "far_from: nobody"),
    (CAVE + OBJECTS, "far_from: entrance", "max_steps: 3"),
]


@each_case("text, old, new, path", MISTAKES)
def test_the_fix_of_a_problem_mends_it(
    project: Path, text: str, old: str, new: str, path: str
) -> None:
    tools, mended = Tools(project), text.replace(old, new)
    (problem,) = tools.check_spec(text=mended)["problems"]
    assert problem["path"] == path
    mended = paste(mended, problem)
    assert all(other["path"] != path for other in tools.check_spec(text=mended)["problems"])


@each_case("mistake", [item for item in mistakes() if not item.title.startswith("exporter.yaml")])
def test_the_fixes_of_usual_mistakes_are_accepted(mistake: Mistake) -> None:
    text = mistake.text.replace("<TAB>", "\t")
    before = problems_of(mistake)
    for problem in before:
        data = problem_data(problem)
        if data["fix"]:
            after = problems_of(mistake._replace(text=paste(text, data)))
            assert problem.message not in [item.message for item in after]
            known = [item.message for item in before]
            assert all(item.message in known for item in after if item.path == problem.path != ())


def test_the_fix_of_a_refused_call_replaces_its_argument() -> None:
    condition = {"text": CAVE, "where": "farest >= 3 and loops >= 1"}
    message = "unknown metric 'farest' (did you mean 'farthest'?)"
    assert refusal_data(message, condition, {})["fix"] == "farthest >= 3 and loops >= 1"
    message = "unknown metric 'exposur' (did you mean 'exposure'?)"
    calls = {"level": "exposure_cave", "where": "exposur < 0.3 and exposure_max < 0.8"}
    assert refusal_data(message, calls, {})["fix"] == "exposure < 0.3 and exposure_max < 0.8"
    assert refusal_data(message, {**calls, "overlay": "exposur"}, {})["fix"] == "exposure"
    assert refusal_data("write NAME@SEED", {"a": "cave@x"}, {"level": "cave"}) == {
        "refused": "write NAME@SEED",
        "level": "cave",
    }


def test_the_fix_of_a_condition_replaces_whole_comparisons_of_a_name_with_a_number() -> None:
    fails = "no level was found (the nearest has the seed 5: {} (farthest is 71))".format
    condition = "farthest >= 80 and farthest >= 800"
    assert find_fix(fails("farthest >= 80 fails"), faulty=condition).text == (
        "farthest >= 71 and farthest >= 800"
    )
    for odd in ("400 <= farthest", "farthest / 2 >= 400", "-farthest > 0", "2 * farthest >= 400"):
        assert find_fix(fails(f"{odd} fails"), faulty=odd).text == ""
    odd = "farthest >= 80 fails (farthest is 71), farthest > 3 holds"
    assert find_fix(fails(odd), faulty="farthest >= 80 and not farthest > 3").text == ""


@each_case("text, old, new", UNMENDED)
def test_a_hint_that_cannot_be_pasted_stays_in_the_problem(
    project: Path, text: str, old: str, new: str
) -> None:
    problem = Tools(project).check_spec(text=text.replace(old, new, 1))["problems"][0]
    assert problem["fix"] == ""
    assert problem["problem"].endswith(")"), problem


@each_case(
    "demand", ["require: {min_floor: 0.9}", "seed: {search: 2, where: farthest >= 400}", ORCS]
)
def test_a_level_that_misses_demands_is_shown_with_its_problems(project: Path, demand: str) -> None:
    tools, key = Tools(project), demand.partition(":")[0]
    text = "".join(line for line in CAVE.splitlines(True) if not line.startswith(key)) + demand
    seen = tools.preview_level(text=text, overlay="refused:orc" if demand == ORCS else "")
    assert seen["picture"]
    assert len(seen["legend"]) == (4 if demand == ORCS else 0)
    assert tools.measure_level(text=text)["measures"]["farthest"] < 400
    assert seen["problems"] == tools.measure_level(text=text)["problems"]
    with pytest.raises(ExporterError):
        tools.preview_level(text=text.replace("cellular_caves", "maze, of: ground"))


def test_characters_show_all_layers_that_the_player_sees(project: Path) -> None:
    road = (
        "  roads: {generator: road, of: ground, between: [orc]}\nobjects: [{name: orc, count: 2}]\n"
    )
    drawn = Tools(project).preview_level(text=CAVE + road, ascii=True)
    assert drawn["legend"] == [". floor  # wall  , road", "A orc (2)"]
    assert "." in drawn["cells"]
    assert "," in drawn["cells"]


def test_a_broken_mission_does_not_make_its_objects_unknown(project: Path) -> None:
    text = CAVE + MISSION.replace("key,", "kee,") + OBJECTS.replace("  - {name: entrance}\n", "")
    (problem,) = Tools(project).check_spec(text=text)["problems"]
    assert problem["path"] == "mission.locks.0.kind"


def test_check_tells_why_objects_are_missing(project: Path) -> None:
    text = CAVE + "objects:\n  - {name: chest, count: 60, spacing: 6, required: false}\n"
    answer = Tools(project).check_spec(text=text)
    assert answer["objects"]["chest"]["placed"] < 60
    assert answer["refusals"]["chest"]


def test_a_picture_is_small_and_an_answer_short(project: Path) -> None:
    tools = Tools(project)
    answer = tools.preview_level(text=CAVE.replace("[48, 32]", "[110, 70]"), overlay="chokes")
    assert answer.pop("picture").startswith(b"\x89PNG")
    drawn = tools.preview_level(level="cave")
    assert 0 < len(drawn.pop("picture")) <= MAXIMUM_PICTURE
    listed = tools.preview_level(level="cave", ascii=True)
    assert listed["cells"].count("\n") >= 30


def test_levels_are_compared_by_name_and_seed(project: Path) -> None:
    tools = Tools(project)
    assert tools.compare_levels("cave", "cave@3")["equal"]
    assert tools.compare_levels("cave@3", "cave@4")["walkable"]["opened"]
    with pytest.raises(RefusedCallError, match="has no number after the @"):
        tools.compare_levels("cave", "cave@four")


def test_long_answers_are_cut_and_say_so() -> None:
    answer = fitted({"a": "x" * 9000, "b": list(range(5000)), "c": "short"})
    assert size_of(answer) <= MAXIMUM_TEXT
    assert answer["cut"] == ["a", "b"]
    assert answer["c"] == "short"


def test_a_spec_is_written_over_what_was_read_only(project: Path) -> None:
    tools, path = Tools(project), project / "levels" / "cave.level.yaml"
    digest = tools.read_spec("cave")["digest"]
    path.write_text(CAVE + "# by hand\n")
    with pytest.raises(RefusedCallError, match="another text") as refusal:
        tools.write_spec("cave", CAVE.replace("3", "4"), digest)
    assert refusal.value.data == tools.read_spec("cave")
    assert "by hand" in path.read_text()
    changed = CAVE.replace("seed: 3", "seed: 4")
    answer = tools.write_spec("cave", changed, tools.read_spec("cave")["digest"])
    assert path.read_text() == changed
    assert answer["digest"] in read_log(project)


def test_a_spec_that_no_answer_can_hold_is_not_read_in_part(project: Path) -> None:
    (project / "levels" / "cave.level.yaml").write_text(CAVE + "# x\n" * 2000)
    with pytest.raises(RefusedCallError, match="too large for an answer"):
        Tools(project).read_spec("cave")


def test_a_spec_with_problems_is_written_as_a_draft_only(project: Path) -> None:
    tools, text = Tools(project), "size: [4, 4]\nlayers: {}\nnonsense: 1\n"
    assert "refused" in tools.write_spec("new", text)
    assert not (project / "levels" / "new.level.yaml").exists()
    assert "written" in tools.write_spec("new", text, draft=True)
    assert (project / "levels" / "new.level.yaml").read_text() == text


@pytest.mark.parametrize("name", ["../out", "a/b", "", "CAVE", "x" * 99, ".hidden"])
def test_names_that_lead_elsewhere_are_refused(project: Path, name: str) -> None:
    before = sorted(project.rglob("*"))
    with pytest.raises(ExporterError):
        Tools(project).write_spec(name, CAVE)
    assert sorted(project.rglob("*")) == before


def test_links_out_of_the_project_are_neither_read_nor_written(project: Path) -> None:
    outside = project.parent / "outside.level.yaml"
    outside.write_text(CAVE)
    os.symlink(outside, project / "levels" / "link.level.yaml")
    tools = Tools(project)
    with pytest.raises(RefusedCallError, match="link to a file outside"):
        tools.read_spec("link")
    with pytest.raises(RefusedCallError):
        tools.write_spec("link", CAVE.replace("3", "4"), "")
    assert outside.read_text() == CAVE


def test_a_server_that_only_reads_writes_nothing(project: Path) -> None:
    tools = Tools(project, read_only=True)
    for call in (lambda: tools.write_spec("new", CAVE), lambda: tools.export_levels([])):
        with pytest.raises(RefusedCallError, match="cannot write files"):
            call()


def test_every_topic_has_keys_and_an_example_that_builds() -> None:
    for topic in topics():
        answer = describe(topic)
        assert size_of(fitted(answer)) <= MAXIMUM_TEXT, topic
        if example := answer.get("example"):
            build_level(parse_level(example.encode(), f"{topic}.level.yaml"))


def test_every_mapping_that_a_topic_names_is_a_topic() -> None:
    described = str([describe(topic) for topic in topics()])
    assert set(re.findall(r"mapping of ([A-Z]\w+)", described)) <= set(topics())


def test_every_name_in_the_guide_exists() -> None:
    known = {*topics(), *metrics(), *overlays(), *OF_CALLS, *EXAMPLES, *dir(Tools), "refused"}
    described = [line for topic in topics() for line in describe(topic).get("keys", ())]
    known |= {line.partition(":")[0] for line in described}
    known |= set(re.findall(r"`(\w+)`", "".join(described)))  # values
    words = "".join(re.split(r"```yaml\n.*?```", guide_text(), flags=re.DOTALL))
    assert set(re.findall(r"`([a-z_]+)", words)) - known == set()
    (shown,) = re.findall(r"`overlay` explains: (.*?)\.\s", words, re.DOTALL)
    assert set(re.findall(r"`(\w+)", shown)) <= overlays().keys()


def test_every_spec_of_the_guide_builds() -> None:
    guide = guide_text()
    assert len(guide.encode()) <= 12_000
    specs = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    assert len(specs) == 6
    for index, text in enumerate(specs):
        build_level(parse_level(text.encode(), f"{index}.level.yaml"))
        assert yaml.safe_load(text)["layers"]


def test_a_call_has_no_more_memory_than_a_call_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: given.append(limits))
    for hard in (resource.RLIM_INFINITY, 2 * MAXIMUM_MEMORY, 1000):
        monkeypatch.setattr(resource, "getrlimit", lambda _, hard=hard: (hard, hard))
        _limit_memory()
    assert [limit for limit, _ in given] == [MAXIMUM_MEMORY, MAXIMUM_MEMORY, 1000]
