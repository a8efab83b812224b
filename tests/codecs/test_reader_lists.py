"""The readers of blobs in Python, Godot, Unity and JavaScript know the same codecs and rules.

They are four programs; a user would find a gap in one of them only in a game. JavaScript's knows
the codecs of the `fast` profile and `bitmap`, the small one of two kinds of tiles.
"""

from __future__ import annotations

import re
from dataclasses import asdict

from cases import each_case
from exporter.blob import SIGHT_RULES, _budget
from exporter.blob._visibility import CODED, DERIVE, LARGEST_RADIUS
from exporter.blob.values import LONGEST_NUMBER, MOST_DIGITS, NUMBER
from exporter.codecs import CODECS, Limits
from exporter.codecs.codec import FIRST_OF_OTHERS
from exporter.model.installed import templates
from exporter.visibility.algorithms import ALGORITHMS

GODOT = templates() / "godot/addons/level_exporter/runtime"
UNITY = templates() / "unity/com.levelexporter.unity/Runtime/Core"

JAVASCRIPT = templates() / "javascript" / "level-blob.js"

# Codecs of other data than grids: values, and which cells each cell sees.
NOT_FOR_GRIDS = {"columns", "visibility"}


def godot(file: str) -> str:
    return (GODOT / file).read_text(encoding="utf-8")


def unity(file: str) -> str:
    return (UNITY / file).read_text(encoding="utf-8")


def words(text: str) -> set[str]:
    """Return the names in a list of constants, in lower case."""
    return {name.lower() for name in re.findall(r"[A-Za-z]+", text)}


def python_grid_codecs() -> dict[str, int]:
    names = set(CODECS.built_in()) - NOT_FOR_GRIDS
    return {name: CODECS.get(name).number for name in sorted(names)}


def godot_grid_codecs() -> dict[str, int]:
    result = re.findall(r"^const ([A-Z]+) := (\d+)$", godot("blob_codecs.gd"), re.M)
    return {name.lower(): int(number) for name, number in sorted(result)}


def unity_grid_codecs() -> dict[str, int]:
    text = unity("Codecs/GridCodecs.cs")
    result = re.findall(r"private const int (\w+) = (\d+);", text)
    return {name.lower(): int(number) for name, number in sorted(result)}


def test_all_readers_know_the_same_codecs() -> None:
    assert godot_grid_codecs() == python_grid_codecs()
    assert unity_grid_codecs() == python_grid_codecs()


def test_every_codec_a_reader_names_is_decoded_by_it() -> None:
    names = set(python_grid_codecs())
    decoding = godot("blob_codecs.gd").partition("func decode(")[2].partition("\nfunc ")[0]
    assert words(" ".join(re.findall(r"^\t\t([A-Z]+):$", decoding, re.M))) == names
    decoding = unity("Codecs/GridCodecs.cs").partition("int[] Decode(")[2]
    assert words(" ".join(re.findall(r"case (\w+):", decoding))) == names


def test_all_readers_go_on_from_the_same_codecs() -> None:
    continuing = {name for name in CODECS.built_in() if CODECS.get(name).continues}
    learning = godot("blob_codecs.gd").partition("func learn(")[2].partition("\nfunc ")[0]
    assert words(" ".join(re.findall(r"codec == (\w+)", learning))) == continuing
    going_on = unity("Codecs/GridCodecs.cs").partition("bool Continues(")[2].partition("}")[0]
    assert words(" ".join(re.findall(r"codec == (\w+)", going_on))) == continuing


def test_all_readers_know_the_same_codec_of_values() -> None:
    assert f"\nconst CODEC := {NUMBER}\n" in godot("blob_json.gd")
    assert f"private const int Codec = {NUMBER};" in unity("Blob/JsonReader.cs")


def test_all_readers_allow_the_same_values() -> None:
    text = godot("blob_json.gd")
    assert f"_LONGEST_NUMBER := {LONGEST_NUMBER}\nconst _MOST_DIGITS := {MOST_DIGITS}\n" in text
    assert f"int LongestNumber = {LONGEST_NUMBER};" in unity("Blob/JsonReader.cs")
    assert f"int MostDigits = {MOST_DIGITS};" in unity("Blob/JsonNumber.cs")


# C#'s name for a limit of Python's; in the others the names differ in `total` alone.
CSHARP_LIMITS = {
    "cells": "MostCells",
    "total": "MostBytes",
    "steps": "MostSteps",
    "chunks": "MostChunks",
    "depth": "Deepest",
    "values": "MostValues",
    "text": "MostText",
}


def limits_in(text: str, pattern: str) -> dict[str, int]:
    """Return the limits a pattern finds: names, and numbers as powers of two or plain ones."""
    result = re.findall(pattern, text)
    return {name: 1 << int(power) if power else int(plain) for name, power, plain in result}


def test_all_readers_have_the_same_limits() -> None:
    for limits, preset in ((Limits(), False), (Limits.for_strangers(), True)):
        expected = asdict(limits)
        changed = {name for name in expected if expected[name] != getattr(Limits(), name)}
        names = changed if preset else set(expected)
        ours = {"bytes" if name == "total" else name: expected[name] for name in names}

        text = godot("blob_limits.gd")
        pattern = (
            r"\tlimits\.(\w+) = (?:1 << (\d+)|(\d+))"
            if preset
            else (r"\nvar (\w+) := (?:1 << (\d+)|(\d+))")
        )
        assert limits_in(text, pattern) == ours

        text = unity("BlobLimits.cs")
        pattern = (
            r" {16}(\w+) = (?:1L? << (\d+)|(\d+)),"
            if preset
            else (r"public (?:int|long) (\w+) = (?:1L? << (\d+)|(\d+));")
        )
        result = limits_in(text, pattern)
        assert preset or result.pop("LargestRadius") == LARGEST_RADIUS
        assert result == {CSHARP_LIMITS[name]: expected[name] for name in names}

        name = "STRANGER_LIMITS" if preset else "DEFAULT_LIMITS"
        text = JAVASCRIPT.read_text(encoding="utf-8").partition(f"export const {name} = ")[2]
        result = limits_in(text.partition("});")[0], r"  (\w+): (?:2 \*\* (\d+)|(\d+)),")
        assert preset or result.pop("radius") == LARGEST_RADIUS
        assert result == ours


def test_every_codec_of_grids_has_a_price() -> None:
    assert set(_budget.STEPS_OF_A_CELL) == set(python_grid_codecs().values())


def test_all_readers_know_the_same_rules_of_sight_by_number() -> None:
    assert sorted(SIGHT_RULES) == sorted(ALGORITHMS.built_in())
    (listed,) = re.findall(r"const _RULES: PackedStringArray = \[(.*?)\]", godot("level_blob.gd"))
    assert tuple(re.findall(r'"(\w+)"', listed)) == SIGHT_RULES
    result = re.findall(r'^const ([A-Z]+) := "(\w+)"$', godot("level_visibility.gd"), re.M)
    assert {name: name.upper() for name in SIGHT_RULES} == {rule: name for name, rule in result}
    result = re.findall(r"^\s+(\w+) = (\d+),$", unity("SightRule.cs"), re.M)
    assert {int(number): name.lower() for name, number in result} == dict(enumerate(SIGHT_RULES))


def test_all_readers_know_the_same_forms_of_visibility() -> None:
    text = godot("level_blob.gd")
    assert f"const _DERIVE := {DERIVE}\nconst _CODED := {CODED}\n" in text
    text = unity("Blob/LevelSight.cs")
    assert f"const int Derive = {DERIVE};" in text
    assert f"const int Coded = {CODED};" in text


@each_case("name", CODECS.built_in())
def test_our_codecs_leave_the_numbers_of_others_free(name: str) -> None:
    assert CODECS.get(name).number < FIRST_OF_OTHERS
    same = [
        other for other in CODECS.built_in() if CODECS.get(other).number == CODECS.get(name).number
    ]
    assert same == [name]


def test_javascript_knows_the_codecs_of_the_fast_profile_and_names_the_others() -> None:
    text = JAVASCRIPT.read_text(encoding="utf-8")
    fast = {name for name in CODECS.built_in() if "fast" in CODECS.get(name).profiles}
    assert fast == {"stored", "pack", "zlib"}
    (listed,) = re.findall(r"if \(!\[(.*?)\]\.includes\(codec\)\) throw", text)
    known = {*fast, "bitmap"}
    assert words(listed) == known
    constants = dict(re.findall(r"^const ([A-Z]+) = (\d+);$", text, re.M))
    assert {name: int(constants[name.upper()]) for name in known} == {
        name: CODECS.get(name).number for name in known
    }
    (small,) = re.findall(r"SMALL_PROFILE = new Set\(\[(.*?)\]\)", text)
    others = [CODECS.get(name).number for name in set(CODECS.built_in()) - known - {"columns"}]
    assert sorted(map(int, small.split(","))) == sorted(others)
    assert (int(constants["VALUES"]), int(constants["DERIVE"])) == (21, DERIVE)
    (rules,) = re.findall(r"RULES = .*?\[(.*?)\]", text)
    assert tuple(re.findall(r'"(\w+)"', rules)) == SIGHT_RULES
