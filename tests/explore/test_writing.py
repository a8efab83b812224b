"""Found levels as specs: the same level, and unchanged text around the changes."""

from __future__ import annotations

import numpy as np
import pytest

import exporter
from cases import each_case
from exporter.explore.search import LevelMatch
from exporter.explore.varying import varied_parameters
from exporter.explore.writing import named_files, names_files, spec_name, spec_text
from exporter.model.errors import ParameterError
from exporter.reading.reader import parse_level

MATCH = LevelMatch(77, {"ground.wall_percent": 51}, {})
BLOCK = b"""# a cave
size: [20, 14]   # small
seed:
  search: 5   # of these
  best: farthest
level: cave
layers:
  ground:
    generator: cellular_caves
    wall_percent: 42  # more than usual
    connect: guaranteed
"""


def written(content: bytes, result: LevelMatch = MATCH) -> bytes:
    return spec_text(parse_level(content, "cave.level.yaml"), content, result)


def test_only_the_values_change() -> None:
    assert written(BLOCK).decode() == (
        "# a cave\nsize: [20, 14]   # small\nseed: 77\nlevel: cave-77\nlayers:\n  ground:\n"
        "    generator: cellular_caves\n    wall_percent: 51  # more than usual\n"
        "    connect: guaranteed\n"
    )


@each_case(
    "content",
    [
        BLOCK,
        BLOCK.replace(b"\n", b"\r\n"),
        BLOCK.replace(
            b"  best: farthest\n", b"  # far\n  where: >-\n    floor > 0.1\n    and loops < 9\n"
        ),
        BLOCK.replace(b"seed:\n  search", b"seed:  # look\n\n  # for it\n  search"),
        b"\xef\xbb\xbf" + BLOCK,
        b"{size: [20, 14], layers: {ground: {generator: cellular_caves}}}",
        b'{"size": [20, 14], "seed": "a", "layers": {"ground": {"generator": "cellular_caves"}}}',
        b"layers:\n  ground: {generator: cellular_caves}\nsize: [20, 14]",
        b"layers: {ground: {generator: cellular_caves,\n wall_percent: 3}}\nsize:\n- 20\n- 14\n",
    ],
)
def test_what_is_written_is_the_level_that_was_detected(content: bytes) -> None:
    spec = parse_level(written(content), "cave-77.level.yaml")
    assert spec.seed == 77
    assert spec.search is None
    assert spec.layers["ground"].parameters.wall_percent == 51
    before = parse_level(content, "cave.level.yaml")
    assert spec.size == before.size
    assert np.array_equal(
        exporter.build_level(spec).layers["ground"].cells,
        exporter.build_level(parse_level(written(content), "x.level.yaml")).layers["ground"].cells,
    )


def test_texts_and_booleans_are_written_as_such() -> None:
    content = b"size: [20, 14]\nlayers: {ground: {generator: cellular_caves}}\n"
    for value in (False, "guaranteed"):
        result = LevelMatch(7, {"ground.connect": value}, {})
        spec = parse_level(written(content, result), "x.level.yaml")
        assert spec.layers["ground"].parameters.connect == value


def test_a_level_without_a_name_is_called_after_its_file() -> None:
    content = b"size: [20, 14]\nlayers: {ground: {generator: cellular_caves}}\n"
    spec = parse_level(content, "cave.level.yaml")
    name = spec_name(spec, MATCH)
    assert name == "cave-77.level.yaml"
    assert parse_level(written(content), name).level == "cave-77"


def test_a_text_that_cannot_be_changed_in_position_is_refused() -> None:
    content = b"size: [20, 14]\nlayers:\n  ground:\n    ? generator\n    : cellular_caves\n"
    with pytest.raises(ParameterError, match="cannot be rewritten in place"):
        written(content)


def test_files_that_a_spec_names_are_detected() -> None:
    content = b"size: [4, 4]\nlayers: {ground: {generator: from_image, image: a.png}}\n"
    assert names_files(parse_level(content, "x.level.yaml")) == "a.png"
    assert names_files(parse_level(BLOCK, "x.level.yaml")) == ""


def test_a_comment_behind_the_key_of_a_search_stays() -> None:
    content = BLOCK.replace(b"seed:", b"seed:   # look").replace(
        b"  best: farthest\n", b"  where: >-\n    floor > 0.1\n\n# below\n"
    )
    assert b"small\nseed: 77   # look\n\n# below\nlevel: cave-77\n" in written(content)


def test_levels_with_the_same_seed_have_numbers() -> None:
    spec = parse_level(BLOCK, "cave.level.yaml")
    assert spec_name(spec, MATCH, 2) == "cave-77-2.level.yaml"
    text = spec_text(spec, BLOCK, MATCH, 2)
    assert parse_level(text, "x.level.yaml").level == "cave-77-2"


def test_files_of_other_choices_are_detected_too() -> None:
    content = b"size: [4, 4]\nlayers: {ground: {generator: from_image, image: a.png}}\n"
    spec = parse_level(content, "x.level.yaml")
    varied = varied_parameters({"ground.image": ["a.png", "b.png"]}, spec)
    assert named_files(spec, varied) == ["a.png", "b.png"]
