"""The mutants: changed code, excluded code, and lines that keep their numbers."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path

import pytest


def _module(name: str) -> object:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


mutants_of = _module("mutants").mutants_of  # type: ignore[attr-defined]


def changes(source: str) -> list[str]:
    """Return every mutant of a source as one line: the kind, the old text and the new one."""
    data = source.encode()
    return [f"{item.what}: {item.words(data)}" for item in mutants_of(data, "x.py")]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", ["comparison swapped: < -> <="]),
        ("x = a >= (b)", ["comparison swapped: >= -> >"]),
        ("x = a == b", ["comparison swapped: == -> !="]),
        ("x = a is not b", ["comparison swapped: is not -> is"]),
        ("x = a not in b", ["comparison swapped: not in -> in"]),
        ("x = inner in b", ["comparison swapped: in -> not in"]),
        ("x = a < b <= c", ["comparison swapped: < -> <=", "comparison swapped: <= -> <"]),
        ("x = 5", ["constant +1: 5 -> 6", "constant -1: 5 -> 4"]),
        ("x = 0.5", ["constant +1: 0.5 -> 1.5", "constant -1: 0.5 -> -0.5"]),
        ("x = a and b and c", ["and to or: and -> or", "and to or: and -> or"]),
        ("x = a or (b)", ["or to and: or -> and"]),
        ("x = not (a)", ["not removed: not (a) -> (a)"]),
        ("x = True", ["True and False swapped: True -> False"]),
        ("x = a + b", ["+ to -: + -> -"]),
        ("x -= a", ["- to +: - -> +"]),
        ("x = [a, b]", ["element removed: without a", "element removed: without b"]),
        ("x = (a, b)", ["element removed: without a", "element removed: without b"]),
        ("x = {a: b}", ["entry removed: without {a: b}"]),
        ("x = f(a, b=c)", ["keyword removed: without b=c"]),
        ("x = a if b else c", ["condition negated: b -> not (b)"]),
        ("x = [a for a in b if c]", ["condition negated: c -> not (c)"]),
        ("x = stage_key(a)", ["part of a key removed: without a"]),
        ("try:\n    a\nexcept E:\n    b", ["handler raises: b -> raise"]),
        ("def f():\n    g()", ["statement removed: g() -> pass"]),
        ("def f():\n    raise a", ["statement removed: raise a -> pass"]),
        ("def f():\n    return a", ["statement removed: return a -> pass"]),
        ("def f():\n    a.b = c", ["statement removed: a.b = c -> pass"]),
        ("def f(a):\n    a = b", ["statement removed: a = b -> pass"]),
        ("def f():\n    yield a", ["statement removed: yield a -> pass"]),
        ("for a in b:\n    pass\n", []),
    ],
)
def test_each_kind_of_mistake_is_created(source: str, expected: list[str]) -> None:
    assert sorted(changes(source)) == sorted(expected)


@pytest.mark.parametrize(
    "source",
    [
        '"""A text about 5 things."""',
        'x = f"{a + 1} of {b and c}"',
        "def f(a: Within[1, 2]) -> Literal[3]:\n    pass",
        "x: Annotated[int, Within(1, 9)] = a",
        "Side = Annotated[int, Within(1, 9)]",
        "Pair = tuple[int, ...]",
        "@cache(maxsize=1)\ndef f():\n    pass",
        "assert a == 1",
        "__all__ = [a, b]",
        "if TYPE_CHECKING:\n    x = 1",
        "if __name__ == '__main__':\n    f(1)",
        "def __repr__(self):\n    return 1",
        "os.kill(process, 0)",
        "from a import b",
        "def f():\n    x = a",  # a name that is set nowhere else fails at once
        "class A(B[1]):\n    pass",
        "a, b = c",
        "x = zip(a, b, strict=True)",
        "def f(a):\n    return None",
        "def f(a):\n    return",
    ],
)
def test_what_only_people_or_checkers_read_is_left_alone(source: str) -> None:
    assert changes(source) == []


def test_all_lines_keep_their_numbers() -> None:
    source = Path(ast.__file__).read_bytes()[:10_000]
    source = source[: source.rindex(b"\ndef ")]
    result = mutants_of(source, "ast.py")
    assert len(result) > 100
    for mutant in result:
        assert mutant.apply(source).count(b"\n") == source.count(b"\n")


def test_places_are_right_behind_characters_of_several_bytes() -> None:
    source = 'x = "äöü", a < b  # ß\ny = (\n    1,\n)\n'.encode()
    result = {mutant.what: mutant for mutant in mutants_of(source, "x.py")}
    swapped = result["comparison swapped"]
    assert swapped.apply(source) == 'x = "äöü", a <= b  # ß\ny = (\n    1,\n)\n'.encode()
    assert swapped.difference(source) == ['-x = "äöü", a < b  # ß', '+x = "äöü", a <= b  # ß']
    assert swapped.line(source) == 1
    assert result["constant +1"].line(source) == 3


def test_the_same_source_has_the_same_mutants() -> None:
    source = Path(__file__).read_bytes()
    assert mutants_of(source, "x") == mutants_of(source, "x")
    assert len(set(mutants_of(source, "x"))) == len(mutants_of(source, "x"))
