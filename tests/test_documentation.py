"""The pages are true: derived ones are up to date, links lead somewhere, examples work."""

import ast
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from cases import each_case
from exporter.model.errors import SpecError
from exporter.project.reference.page import reference_pages
from exporter.reading.reader import parse_level

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "exporter" / "docs").rglob("*.md")])


def test_the_spec_reference_is_up_to_date() -> None:
    folder = ROOT / "exporter" / "docs" / "reference" / "spec"
    written = {page.name: page.read_text(encoding="utf-8") for page in folder.iterdir()}
    assert written == reference_pages(), (
        "run: python -m exporter.project.reference exporter/docs/reference/spec"
    )


def test_the_scripts_of_the_speed_page_import_what_there_is() -> None:
    missing = []
    for script in (ROOT / "tests" / "benchmarks").glob("*.py"):
        for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(
                "exporter"
            ):
                continue
            for name in node.names:
                try:
                    exec(f"from {node.module} import {name.name}")
                except ImportError as error:
                    missing.append(f"{script.name}: {error}")
    assert not missing


def test_the_spec_reference_has_a_table_for_every_link_and_nothing_of_python() -> None:
    anchors, links = set(), set()
    for name, page in reference_pages().items():
        headings = re.findall(r"^#+ (.+)$", page, re.M)
        own = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings}
        assert len(own) == len(headings), name
        anchors |= {(name, anchor) for anchor in own}
        links |= {
            (file or name, anchor) for file, anchor in re.findall(r"\]\(([\w.]*)#(.+?)\)", page)
        }
        for sign in ("see there", "Options(", "True", "False", "None", "e+0", "any value", "['"):
            assert sign not in page, sign
        # A range is written once.
        assert not re.search(r"(\d+ to \d+) \(\1\)", page)
    assert {("generators.md", "a-weighted-tile"), ("require.md", "require-of-a-layer")} <= links
    assert links <= anchors


@each_case("page", PAGES)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_page_of_commands_and_the_help_name_every_command() -> None:
    from exporter.cli.main import COMMANDS, command_parser

    page = (ROOT / "exporter" / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    help_text = command_parser().format_help()
    for name in COMMANDS:
        assert re.search(rf"^\| `exporter {name}\b", page, re.M)
        assert name in help_text


def test_the_first_picture_of_the_readme_is_small() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (name,) = re.findall(r"!\[[^]]+\]\((.+)\)", text)[:1]
    assert (ROOT / name).stat().st_size < 2_000_000


def test_the_layers_of_the_visibility_page_are_good() -> None:
    text = (ROOT / "exporter" / "docs" / "explanation" / "visibility.md").read_text(
        encoding="utf-8"
    )
    (layers,) = re.findall(r"^    layers:\n(?:      .*\n)+", text, re.M)
    rest = "    objects: [{name: torch}, {name: brazier}]\n    visibility: {layer: ground}\n"
    spec = parse_level(f"    size: [30, 20]\n{layers}{rest}".encode(), "page.level.yaml")
    assert len(spec.layers) == 8


def test_the_page_on_placing_objects_has_every_demand_and_its_examples_work() -> None:
    from exporter.build.build import Build
    from exporter.placement.parameters import ObjectParameters

    text = (ROOT / "exporter" / "docs" / "how-to" / "placing-objects.md").read_text(
        encoding="utf-8"
    )
    level, *examples = re.findall(r"```yaml\n(.*?)```", text, re.S)
    used: set[str] = set()
    for seed in (12, 13, 14):
        for example in examples:
            spec = parse_level(f"{level}{example}".replace("12", str(seed), 1).encode(), "x.yaml")
            if seed != 12:  # a fixed place is one of this level alone
                spec = replace(spec, objects=tuple(replace(o, at=None) for o in spec.objects))
            build = Build(spec)
            build.prepare()
            missing = [
                name
                for name, count in build.object_counts().items()
                if count.placed < count.requested
            ]
            assert set(missing) <= {"mushroom"}, (seed, missing)
            used.update(re.findall(r"(\w+):", example))
    assert {field.name for field in fields(ObjectParameters)} - used == {"properties"}
    reported = re.findall(r"```\n(levels/crypt.*?)\n```", text, re.S)
    failing = [("at: [9, 3]", 2), ("in_rooms: true", 20)]
    for (start, rooms), message in zip(failing, reported, strict=True):
        objects = f"  - {{name: start, {start}}}\n  - {{name: key, far_from: start, min_rooms: "
        content = f"{level}objects:\n{objects}{rooms}}}\n".encode()
        with pytest.raises(SpecError) as raised:
            Build(parse_level(content, "levels/crypt.level.yaml")).prepare()
        assert str(raised.value).splitlines()[0] == message
