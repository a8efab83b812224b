"""The limits of a spec: the largest allowed value is read, one more is refused."""

from __future__ import annotations

import json

import pytest

from cases import each_case
from exporter.model.errors import SpecError
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import parse_level
from exporter.reading.yaml_reader import Document, read_document
from spec_problems import problems_of


def read(text: str, **limits: int) -> Document:
    return read_document(text.encode(), "x.level.yaml", **limits)


def parse(text: str) -> LevelSpec:
    return parse_level(text.encode(), "x.level.yaml")


# --- the text ------------------------------------------------------------------------------------


def test_a_file_has_at_most_a_mebibyte() -> None:
    text = "a: 1 #".ljust(1 << 20, "x")
    assert read(text).data == {"a": 1}
    with pytest.raises(SpecError, match=r"1048577 bytes long \(allowed: 1048576\)"):
        read(text + "x")


@pytest.mark.parametrize(("start", "end"), [("[", "]"), ("{a: ", "}"), ('{"a": ', "}")])
def test_values_are_nested_at_most_32_deep(start: str, end: str) -> None:
    def nested(depth: int) -> str:
        return start * depth + "1" + end * depth

    value = read(nested(32)).data
    for _ in range(32):
        value = value[0] if isinstance(value, list) else value["a"]
    assert value == 1
    with pytest.raises(SpecError) as caught:
        read(nested(33))
    (problem,) = caught.value.problems
    assert problem.message == "nested too deeply (allowed: 32 levels)"
    assert problem.column == 32 * len(start) + 1


def test_a_file_holds_at_most_a_hundred_thousand_values() -> None:
    # The list is one of them.
    assert len(read("[" + "1," * 99_999 + "]").data) == 99_999
    with pytest.raises(SpecError, match=r"too many values \(allowed: 100000\)"):
        read("[" + "1," * 100_000 + "]")


def test_keys_count_as_values() -> None:
    def mapping(entries: int) -> str:
        return json.dumps({f"k{number}": 1 for number in range(entries)})

    assert len(read(mapping(49), maximum_values=99).data) == 49
    with pytest.raises(SpecError, match="too many values"):
        read(mapping(50), maximum_values=99)


def test_reading_ends_after_fifty_faults() -> None:
    def doubled(times: int) -> str:
        return "a: 1\n" * (times + 1)

    document = read(doubled(49))
    assert len(document.problems) == 49
    with pytest.raises(SpecError) as caught:
        read(doubled(50))
    assert len(caught.value.problems) == 50
    with pytest.raises(SpecError) as caught:
        read(doubled(500))
    assert len(caught.value.problems) == 50


@each_case(
    "text",
    [
        "9223372036854775807", "-9223372036854775808", "+9223372036854775807",
        "0x7fffffffffffffff", "0x0000000000000000ff"[:20],
    ],
)  # fmt: skip
def test_numbers_of_64_bits_are_read(text: str) -> None:
    document = read(f"a: {text}")
    assert document.problems == []
    assert document.data == {"a": int(text, 0)}


@each_case(
    ("text", "excerpt"),
    [
        ("9223372036854775808", "9223372036854775808"),
        ("-9223372036854775809", "-9223372036854775809"),
        ("0x8000000000000000", "0x8000000000000000"),
        ("9" * 21, "9" * 21),
        ("9" * 24, "9" * 24),
        ("9" * 25, "9" * 20 + "..."),
    ],
)
def test_larger_numbers_are_refused_and_displayed_in_part(text: str, excerpt: str) -> None:
    (problem,) = read(f"a: {text}").problems
    assert problem.message == f"{excerpt} does not fit in 64 bits"


@each_case(
    ("character", "good"),
    [
        ("\x09", True), ("\x1f", False), ("\x7e", True), ("\x7f", False), ("\x80", False),
        ("\x84", False), ("\x85", True), ("\x86", False), ("\x9f", False), ("\xa0", True),
        ("\ufffd", True), ("\ufffe", False), ("\uffff", False), ("\U0001f600", True),
    ],
)  # fmt: skip
def test_characters_that_yaml_does_not_have_are_refused_at_their_position(
    character: str, good: bool
) -> None:
    text = f"a: 1\nb: 'x{character}y'\n"
    if good:
        assert read(text).data["a"] == 1
    else:
        with pytest.raises(SpecError) as caught:
            read(text)
        problem = caught.value.problems[0]
        assert problem.message == f"character U+{ord(character):04X} is not allowed in YAML"
        assert (problem.line, problem.column) == (2, 6)


# --- the level -----------------------------------------------------------------------------------


def test_a_layer_has_at_most_two_to_the_24_cells() -> None:
    for size in ("[4096, 4096]", "[2048, 8192]", "[8192, 2048]"):
        layer = f"size: [9, 9]\nlayers:\n  a: {{generator: heightmap, size: {size}}}\n"
        assert parse(layer).layers
        assert parse(f"size: {size}\n").size
    too_many = "16,781,312 cells are too many"
    layer = "size: [9, 9]\nlayers:\n  a: {generator: heightmap, size: [4097, 4096]}\n"
    assert problems_of(layer) == [f"3:35: {too_many} (allowed: 16,777,216)"]
    way_out = "allowed: 16,777,216; with `chunk: 512` the level is made by parts"
    assert problems_of("size: [4097, 4096]\n") == [f"1:7: {too_many} at once ({way_out})"]


def layers(*sizes: str) -> str:
    """Return a spec whose layers have these sizes; an empty one is the level's own."""
    lines = [
        f"  l{number}: {{generator: heightmap{', size: ' * bool(size)}{size}}}\n"
        for number, size in enumerate(sizes)
    ]
    return "size: [9, 9]\nlayers:\n" + "".join(lines)


def test_all_layers_together_have_at_most_four_times_as_many() -> None:
    large = ["[4096, 4096]"] * 3
    assert parse(layers(*large, "[4096, 4096]")).layers
    assert parse(layers(*large, "[4096, 4095]", "[4096, 1]")).layers
    assert problems_of(layers(*large, "[4096, 4096]", "[1, 1]")) == [
        "2:1: all layers together have 67,108,865 cells (allowed: 67,108,864)"
    ]
    # A layer without a size of its own counts with the level's.
    assert problems_of(layers(*large, "[4096, 4096]", "")) == [
        "2:1: all layers together have 67,108,945 cells (allowed: 67,108,864)"
    ]


def test_the_size_of_the_level_itself_is_no_layer() -> None:
    text = layers(*["[4096, 4096]"] * 4).replace("[9, 9]", "[4096, 4096]")
    assert parse(text).size == (4096, 4096)


def test_layers_that_are_too_large_alone_are_reported_alone() -> None:
    reported_for = problems_of(layers(*["[8192, 8192]"] * 4))
    assert [line[:2] for line in reported_for] == ["3:", "4:", "5:", "6:"]


@each_case(
    ("seed", "good"),
    [
        (2**31 - 1, True), (2**31, False), (-(2**31), True), (-(2**31) - 1, False),
        ("text", False), ("'5'", False),
    ],
)  # fmt: skip
def test_the_stream_of_dotnet_takes_seeds_of_32_bits(seed: object, good: bool) -> None:
    text = f"size: [9, 9]\nrng: dotnet\nseed: {seed}\n"
    if good:
        assert parse(text).seed == seed
    else:
        assert problems_of(text) == [
            "3:7: the seed does not fit `rng: dotnet` (write a whole number of 32 bits, or "
            "remove `rng`)"
        ]
    assert parse(text.replace("dotnet", "portable")).seed is not None


def test_the_stream_of_dotnet_has_a_seed_by_default() -> None:
    assert parse("size: [9, 9]\nrng: dotnet\n").seed == 0
