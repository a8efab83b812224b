"""Faults of third-party packages are reported: where, which package, and the fix."""

from __future__ import annotations

from typing import Any, cast

import pytest
from outside_packages import LEVEL, Packages, generator, generators, level, position_of, problem

from exporter.generators import GENERATORS
from exporter.model.errors import ExtensionError
from exporter.project.gallery import layer_starters

# --- names ---------------------------------------------------------------------------------------


def test_a_mistyped_name_is_reported_the_name_that_a_package_brings(packages: Packages) -> None:
    packages.install("odd-pack", {"odd.py": generator("oddity")}, generators(oddity="odd"))
    level(packages, LEVEL.replace("NAME", "odity"))
    error = problem(packages, "check")
    assert error["message"] == "unknown generator 'odity' (did you mean 'oddity'?)"
    assert position_of(error) == "levels/one.level.yaml:3:23"
    level(packages, LEVEL.replace("NAME", "qqq"))
    assert "oddity, outline" in problem(packages, "check")["message"]


def test_a_name_that_two_packages_bring_names_both(packages: Packages) -> None:
    packages.install("odd-pack", {"odd.py": generator()}, generators(odd="odd"))
    packages.install("other-pack", {"other.py": generator()}, generators(odd="other"), "2.5")
    level(packages, LEVEL.replace("NAME", "odd"))
    error = problem(packages)
    assert error["message"] == (
        "two generators have the name 'odd': one is of odd-pack 1.0, one of other-pack 2.5"
    )
    assert position_of(error) == "levels/one.level.yaml:3:23"


def test_a_name_that_would_hide_one_of_ours_names_both(packages: Packages) -> None:
    packages.install("odd-pack", {"odd.py": generator("maze")}, generators(maze="odd"))
    level(packages, LEVEL.replace("NAME", "maze"))
    assert problem(packages)["message"] == (
        "two generators have the name 'maze': one is of level-exporter, one of odd-pack 1.0"
    )


def test_a_name_that_hides_one_of_ours_without_an_entry_point_is_refused(
    packages: Packages,
) -> None:
    both = generator("odd") + generator("maze").replace("class Odd", "class Odder")
    packages.install("odd-pack", {"odd.py": both}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    message = problem(packages)["message"]
    assert (
        "two generators have the name 'maze': one is of level-exporter, one of odd-pack" in message
    )


# --- modules that do not work --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("1 / 0", "importing odd failed (ZeroDivisionError: division by zero) in odd.py, line 1"),
        ("x = (", "importing odd failed (SyntaxError: '(' was never closed (odd.py, line 1))"),
        (
            "import numpy\nnumpy.broadcast_to([1, 2], 3)",
            "importing odd failed (ValueError: operands could not be broadcast together with "
            "remapped shapes [original->remapped]: (2,)  and requested shape (3,)) in odd.py, "
            "line 2",
        ),
        ("", "its entry point odd registers no generator of that name"),
        (generator("other"), "its entry point odd registers no generator of that name but 'other'"),
        (
            generator().replace("parameters: Odd", "parameters: int"),
            "importing odd failed (TypeError: generate has no parameter annotated with a subclass "
            "of Parameters) in odd.py, line 16",
        ),
    ],
    ids=["fails", "no-python", "in-numpy", "nothing", "another", "no-parameters"],
)
def test_a_module_that_does_not_work_is_reported_at_the_line_that_wants_it(
    packages: Packages, text: str, reported: str
) -> None:
    packages.install("odd-pack", {"odd.py": text}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    error = problem(packages, "check")
    assert error["message"] == f"the generator 'odd' of odd-pack 1.0 cannot be used: {reported}"
    assert position_of(error) == "levels/one.level.yaml:3:23"


def test_a_broken_package_harms_no_level_that_does_without(packages: Packages) -> None:
    groups = [
        *("generators", "measures", "visibility.algorithms", "codecs"),
        *("formats", "targets", "puzzles"),
    ]
    points = {f"exporter.{group}": {"odd": "odd"} for group in groups}
    packages.install("odd-pack", {"odd.py": "1 / 0"}, points)
    visibility = "visibility: {radius: 3}\n"
    level(packages, LEVEL.replace("NAME", "cellular_caves") + visibility)
    assert packages.run("export").returncode == 0
    assert packages.run("init", "new").returncode == 1
    with packages.active():
        listed = {item.name for item in layer_starters()}
        assert {"odd", *listed} == set(GENERATORS.names())
    listing = packages.run("plugins").stdout
    assert listing.count("of odd-pack 1.0 cannot be used: importing odd failed") == 7
    reported = packages.run("schema")
    assert reported.returncode == 1
    assert reported.stderr == (
        "exporter: the generator 'odd' of odd-pack 1.0 cannot be used: importing odd failed "
        "(ZeroDivisionError: division by zero) in odd.py, line 1\n"
    )


# --- code that fails -----------------------------------------------------------------------------


def test_a_generator_that_fails_is_reported_with_its_package_at_the_layers_line(
    packages: Packages,
) -> None:
    body = generator(body="raise ValueError('no luck')")
    packages.install("odd-pack", {"odd.py": body}, generators(odd="odd"), "1.2")
    level(packages, LEVEL.replace("NAME", "odd"))
    error = problem(packages)
    line = 1 + body[: body.index("raise ValueError")].count("\n")
    assert error["message"] == (
        f"generator 'odd' of odd-pack 1.2 failed (ValueError: no luck) in odd.py, line {line}"
    )
    assert position_of(error) == "levels/one.level.yaml:3:11"


OBJECT = "__import__('exporter.extend').extend.PlacedObject(1, 'rat', %d, 0)"


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        ("return 5", "returned a int (it must return a Generated)"),
        (
            "return Generated(np.zeros((2, 2), np.uint8), ())",
            "made cells of uint8 (2, 2) (they must be uint8 or uint16 (9, 12))",
        ),
        (
            "return Generated(np.zeros((9, 12)), ())",
            "made cells of float64 (9, 12) (they must be uint8 or uint16 (9, 12))",
        ),
        (
            "return Generated(np.zeros((9, 12), np.uint8), masks={'a': np.zeros((9, 9), bool)})",
            "made the mask 'a' of bool (9, 9) (it must be bool (9, 12))",
        ),
        (
            "return Generated(np.zeros((9, 12), np.uint8), kept=np.zeros((9, 12), np.uint8))",
            "made `kept` of uint8 (9, 12) (it must be bool (9, 12))",
        ),
        (
            f"return Generated(np.zeros((9, 12), np.uint8), (), objects=({OBJECT % 12},))",
            "made the object 'rat' at [12, 0], which is outside the layer",
        ),
        (
            f"return Generated(np.zeros((9, 12), np.uint8), (), objects=({OBJECT % 11},))",
            "made the object 'rat', which `object_names` of its parameters lacks",
        ),
        ("raise ParameterError('too small', ('size',))", None),
    ],
    ids=["no-generated", "shape", "type", "mask", "kept", "outside", "undeclared", "its-own-error"],
)
def test_what_a_generator_makes_is_looked_at(
    packages: Packages, body: str, reported: str | None
) -> None:
    packages.install("odd-pack", {"odd.py": generator(body=body)}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    message = problem(packages)["message"]
    position = " in odd.py, line 16"
    assert message == (
        f"generator 'odd' of odd-pack 1.0 {reported}{position}" if reported else "too small"
    )


def test_a_check_that_fails_is_reported_with_its_package(packages: Packages) -> None:
    packages.install("odd-pack", {"odd.py": generator()}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME}", "odd, count: 13}"))
    error = problem(packages, "check")
    failed = "generator 'odd' of odd-pack 1.0 failed (RuntimeError: unlucky)"
    assert error["message"].startswith(failed)
    assert position_of(error) == "levels/one.level.yaml:3:23"


def test_a_parameter_that_is_no_plain_value_is_reported_with_its_package(
    packages: Packages,
) -> None:
    text = generator().replace("count: int = 3", "day: date = date(2020, 2, 29)")
    files = {"odd.py": f"from datetime import date\n{text.replace('self.count', 'self.day')}"}
    packages.install("odd-pack", files, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    message = problem(packages, "check")["message"]
    failed = (
        "generator 'odd' of odd-pack 1.0 failed (TypeError: a value of type date cannot be part "
        "of a cache key)"
    )
    assert message == failed


def test_a_bug_of_ours_stays_a_traceback(packages: Packages) -> None:
    packages.install("odd-pack", {"odd.py": generator()}, generators(odd="odd"))
    with packages.active():
        with pytest.raises(AttributeError):
            GENERATORS.get("cellular_caves").generate(None, cast(Any, None))
        with pytest.raises(ExtensionError):
            GENERATORS.get("odd").generate(None, cast(Any, None))


RULE = """
from exporter.extend import sight_rule

@sight_rule("odd")
def draw(radius, see_walls):
    BODY
"""
PUZZLE = """
from dataclasses import dataclass
from exporter.extend import Parameters, Puzzle, puzzle

@dataclass(frozen=True, kw_only=True)
class Odd(Parameters):
    '''Something odd.'''

@puzzle("odd", version=1)
def build(name, parameters: Odd, stream, read_file):
    BODY
"""
FORMAT = """
from exporter.extend import format

@format("odd", kind="metadata", suffix="odd", each="tiles")
def write(level, layer, options):
    BODY
"""
TARGET = """
from dataclasses import dataclass
from exporter.extend import Artifact, Exported, TargetOptions, target

@dataclass(frozen=True, kw_only=True)
class Odd(TargetOptions):
    '''Something odd.'''

@target("odd", Odd)
def artifacts(level, options, folder, shared):
    BODY
"""


@pytest.mark.parametrize(
    ("group", "text", "more", "what", "reported_at"),
    [
        (
            "visibility.algorithms", RULE, "visibility: {algorithm: odd}",
            "visibility algorithm", "levels/one.level.yaml:4:13",
        ),
        (
            "puzzles", PUZZLE, "puzzles: {lock: {kind: odd}}",
            "puzzle kind", "levels/one.level.yaml:4:17",
        ),
        ("formats", FORMAT, "", "format", "exporter.yaml:2:3"),
        ("targets", TARGET, "", "target", "exporter.yaml:2:3"),
    ],
    ids=["sight-rule", "puzzle", "format", "target"],
)  # fmt: skip
@pytest.mark.parametrize("body", ["raise KeyError('lost')", "return 5"], ids=["fails", "returns"])
def test_every_other_kind_is_reported_with_its_package(
    packages: Packages, group: str, text: str, more: str, what: str, reported_at: str, body: str
) -> None:
    packages.install(
        "odd-pack", {"odd.py": text.replace("BODY", body)}, {f"exporter.{group}": {"odd": "odd"}}
    )
    level(packages, LEVEL.replace("NAME", "cellular_caves") + more)
    if group == "formats":
        packages.write("exporter.yaml", "targets:\n  tiled: {path: tiled, formats: [odd]}\n")
    if group == "targets":
        packages.write("exporter.yaml", "targets:\n  odd: {path: odd}\n")
    error = problem(packages)
    reported = "failed (KeyError: 'lost') in odd.py" if "raise" in body else "returned a int"
    assert error["message"].startswith(f"{what} 'odd' of odd-pack 1.0 {reported}")
    assert position_of(error) == reported_at
