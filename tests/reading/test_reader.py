"""Level specs: checks, and messages of faults."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.model.errors import SpecError
from exporter.reading.level_spec import LevelSpec
from exporter.reading.names import default_name
from exporter.reading.reader import load_level, parse_level

GOOD = "size: [20, 10]\nlayers:\n  ground: {generator: cellular_caves}\n"


def parse(text: str, file: str = "crypt.level.yaml") -> LevelSpec:
    return parse_level(text.encode(), file)


def faults(text: str, file: str = "crypt.level.yaml") -> list[str]:
    with pytest.raises(SpecError) as caught:
        parse(text, file)
    return [problem.headline() for problem in caught.value.problems]


def test_a_small_spec_is_read_with_its_defaults() -> None:
    spec = parse(GOOD)
    assert (spec.level, spec.size, spec.seed, spec.rng) == ("crypt", (20, 10), 0, "portable")
    assert spec.layers["ground"].generator == "cellular_caves"
    assert spec.layers["ground"].parameters.rounds == 4  # type: ignore[attr-defined]
    assert spec.visibility is None
    assert spec.objects == ()


def test_layers_keep_their_order() -> None:
    layers = "".join(f"  {name}: {{generator: island_maze}}\n" for name in "zebra")
    assert list(parse(f"size: [5, 5]\nlayers:\n{layers}").layers) == list("zebra")


@each_case(
    ("file", "name"),
    [
        ("levels/crypt.level.yaml", "crypt"),
        ("crypt.LEVEL.YAML", "crypt"),
        ("a.b.level.yaml", "a.b"),
        ("crypt.yaml", "crypt"),
        ("crypt.level.json", "crypt"),
        ("crypt.level.yml", "crypt"),
        ("levels/deep\\er\\crypt.level.yaml", "crypt"),
        ("crypt", "crypt"),
        ("crypt.", "crypt"),
        (".level.yaml", ""),
        (".hidden", ".hidden"),
        ("a.b.yaml", "a.b"),
        ("level.yaml", "level"),
        ("a.level.yaml.yaml", "a.level.yaml"),
    ],
)
def test_the_file_names_the_level(file: str, name: str) -> None:
    assert default_name(file) == name


def test_all_faults_are_reported_at_once_in_the_order_of_the_file() -> None:
    reported = faults(
        "size: [64, 400000]\n"
        "sede: 5\n"
        "seed: yes\n"
        "rng: dotnett\n"
        "layers:\n"
        "  ground: {generator: celular_caves}\n"
        "  other:\n"
        "    generator: cellular_caves\n"
        "    wal_percent: 40\n"
        '    rounds: "4"\n'
        "visibility: {radius: 99}\n"
        "objects: 5\n"
    )
    assert reported == [
        "crypt.level.yaml:1:12: error: value 400000 is out of range (allowed: 1 to 65536)",
        "crypt.level.yaml:2:1: error: unknown key 'sede' (did you mean 'seed'?)",
        "crypt.level.yaml:3:7: error: 'yes' can be read as true "
        "(if it is text, write 'yes' in quotes, else write true)",
        "crypt.level.yaml:4:6: error: the text 'dotnett' is not allowed here "
        "(allowed: portable, dotnet; did you mean 'dotnet'?)",
        "crypt.level.yaml:6:23: error: unknown generator 'celular_caves' "
        "(did you mean 'cellular_caves'?)",
        "crypt.level.yaml:9:5: error: unknown key 'wal_percent' (did you mean 'wall_percent'?)",
        "crypt.level.yaml:10:13: error: expected a whole number from 0 to 64, "
        "not the text '4' (remove the quotes)",
        "crypt.level.yaml:11:22: error: value 99 is out of range (allowed: 1 to 64)",
        "crypt.level.yaml:12:10: error: expected a list of mappings, not 5",
    ]


def test_an_unknown_generator_is_named_with_its_line_and_what_exists() -> None:
    (reported,) = faults("size: [5, 5]\nlayers:\n  ground: {generator: zzz}\n")
    assert reported.startswith("crypt.level.yaml:3:23: error: unknown generator 'zzz' (known: ")
    assert "cellular_caves" in reported


@each_case(
    ("text", "said"),
    [
        ("", "there is no level here"),
        ("# only a comment\n", "there is no level here"),
        ("- 1", "expected a mapping with keys such as size, level, seed, not a list"),
        ("layers: {}", "'size' is missing here"),
        ("size: [5]", "the list is too short"),
        ("size: [5, 5, 5]", "the list has 3 entries (expected a list of 2 whole"),
        ("size: [5, true]", "expected a whole number from 1 to 65536, not true"),
        ("size: [5, 5.0]", "expected a whole number from 1 to 65536, not 5.0 (write 5)"),
        ("size: [0, 5]", "out of range"),
        ("size: [8192, 8192]", "67,108,864 cells are too many"),
        ("size: [5, 5]\nseed: [1]", "such as search, where, best, not a list"),
        ("size: [5, 5]\nseed: 1.5", "such as search, where, best, not 1.5"),
        ("size: [5, 5]\nrng: dotnet\nseed: text", "whole number of 32 bits"),
        ("size: [5, 5]\nrng: dotnet\nseed: 2147483648", "whole number of 32 bits"),
        ("size: [5, 5]\nlayers: {a: {}}", "'generator' is missing here"),
        ("size: [5, 5]\nlayers: {a: {generator: [1]}}", "expected text, not a list"),
        ("size: [5, 5]\nlayers: {a/b: {generator: island_maze}}", "'a/b' is not allowed here"),
        ("size: [5, 5]\nlayers: {tileset: {generator: island_maze}}", "cannot name a layer"),
        (
            GOOD + "  Ground: {generator: island_maze}",
            "differs from 'ground' only in upper and lower case",
        ),
        ("size: [5, 5]\nlayers: {a: {generator: island_maze, recipe: 999}}", "does not exist"),
        ("size: [5, 5]\nlevel: ../up", "'../up' is not allowed here"),
        ("size: [5, 5]\nlevel: con", "device name"),
        (GOOD + "visibility: {layer: gruond}", "unknown layer 'gruond' (did you mean 'ground'?)"),
        (GOOD + "visibility: {algorithm: symetric}", "did you mean 'symmetric'?"),
        (GOOD + "visibility: {see_walls: true}", "`see_walls` has no effect with `symmetric`"),
        ("size: [5, 5]\nvisibility: {}", "no `play` layer for visibility"),
        (GOOD + "require: {min_floor: 2}", "out of range"),
        (GOOD + "properties: {a: [[1]]}", "such as color, vector, resource, not a list"),
        (
            GOOD + "properties: {a: {color: '#ff0000', object: b}}",
            "or a mapping with one key of color",
        ),
        (GOOD + "objects: [{name: a, cout: 2}]", "did you mean 'count'?"),
        (GOOD + "tables: {t: {columns: {a: intger}, rows: []}}", "'integer'"),
        (GOOD + "puzzles: {p: {kind: sudokuu}}", "did you mean 'sudoku'?"),
        (GOOD + "puzzles: {p: {clues: 30}}", "'kind' is missing here"),
        (GOOD + "tileset: {imag: x.png}", "did you mean 'image'?"),
    ],
)
def test_a_fault_is_reported_plainly(text: str, said: str) -> None:
    assert said in "\n".join(faults(text))


def test_a_bad_default_name_asks_for_a_level_key() -> None:
    (reported,) = faults(GOOD, "my level!.level.yaml")
    assert "set `level:`" in reported


def test_an_absurd_layer_is_reported_at_the_layer() -> None:
    text = "size: [5, 5]\nlayers:\n  a: {generator: heightmap, size: [8192, 8192]}\n"
    (reported,) = faults(text)
    assert reported.startswith("crypt.level.yaml:3:")


def test_the_first_problem_gives_the_error_its_position() -> None:
    with pytest.raises(SpecError) as caught:
        parse("size: [5, 5]\nsede: 1\nlevle: x\n")
    error = caught.value
    assert (error.file, error.line, error.column) == ("crypt.level.yaml", 2, 1)
    assert "levle" in str(error)


def test_a_lone_file_is_loaded_and_a_missing_one_is_a_spec_error(tmp_path: Path) -> None:
    path = tmp_path / "crypt.level.yaml"
    path.write_text(GOOD)
    assert load_level(path).folder == tmp_path
    with pytest.raises(SpecError, match="cannot be read"):
        load_level(tmp_path / "gone.level.yaml")
    with pytest.raises(SpecError, match="cannot be read"):
        load_level(tmp_path)


KEYS = ["size", "seed", "rng", "layers", "visibility", "objects", "tables", "puzzles", "level"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 70000) | st.floats(-1, 9) | st.text(max_size=6),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(
            st.sampled_from(["generator", "name", "kind", "columns", "rows", "radius", "a"]),
            children | st.sampled_from(["island_maze", "heightmap", "sudoku"]),
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=80, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6))
def test_any_structure_is_a_spec_or_a_spec_error(data: dict[str, object]) -> None:
    import json

    try:
        parse(json.dumps(data))
    except SpecError as error:
        assert error.problems
