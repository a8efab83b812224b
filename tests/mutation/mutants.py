"""Small wrong changes of a source text, each a mistake that a test should notice.

A mutant replaces one span of the text, so that every line keeps its number. Code whose change only
people would see stays: docstrings, f-strings (the words of messages), annotations, decorators,
asserts, `__all__`, `__repr__`, and code for type checkers or for running a module as a script. The
arguments of `os.kill` are left alone, too: no mutant may signal a process that it did not start.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
}
# A negated condition is the same as one of these with the opposite operator.
NEGATED_BY_COMPARISON = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
REMOVED = (
    ast.AugAssign,
    ast.Break,
    ast.Continue,
    ast.Delete,
    ast.Raise,
    ast.Return,
)
# Functions called with any number of parts, all of which must count.
KEY_MAKERS = {"content_key", "level_key", "stage_key"}
NOT_READ_BY_PROGRAMS = {"__repr__", "__str__"}
# Subscripts of these are annotations, wherever they stand.
TYPES = {"Annotated", "Callable", "Literal", "Mapping", "Sequence", "dict", "list", "tuple", "type"}


@dataclass(frozen=True, order=True, slots=True)
class Mutant:
    """One wrong change.

    Attributes:
        file: Path of the source, relative to the checkout, with `/`.
        start: Where the replaced span begins, in bytes.
        end: Where it ends.
        new: The replacement.
        what: The kind of change.
        without: The part of a long expression that is removed, where that is the change.
    """

    file: str
    start: int
    end: int
    new: str
    what: str
    without: str = ""

    def apply(self, source: bytes) -> bytes:
        """Return the mutated source."""
        return source[: self.start] + self.new.encode() + source[self.end :]

    def line(self, source: bytes) -> int:
        """Return the number of the line where the change begins, from 1."""
        return source.count(b"\n", 0, self.start) + 1

    def difference(self, source: bytes) -> list[str]:
        """Return the lines that differ, those of the source marked -, the others +."""
        first = source.rfind(b"\n", 0, self.start) + 1
        last = source.find(b"\n", self.end)
        last = len(source) if last < 0 else last
        old = source[first:last].decode()
        new = (source[first : self.start] + self.new.encode() + source[self.end : last]).decode()
        lines = [f"-{line}" for line in old.split("\n")]
        return lines + [f"+{line}" for line in new.split("\n") if line.strip()]

    def words(self, source: bytes) -> str:
        """Return the change in one line, as `accepted.toml` names it."""
        if self.without:
            return f"without {self.without}"
        old, new = (" ".join(text.split()) for text in (self.old(source), self.new))
        return f"{old} -> {new}"

    def old(self, source: bytes) -> str:
        """Return the replaced text."""
        return source[self.start : self.end].decode()


def mutants_of(source: bytes, file: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of the text, that is still Python."""
    return [mutant for mutant in candidates_of(source, file) if is_python(mutant, source)]


def candidates_of(source: bytes, file: str) -> list[Mutant]:
    """Return every change of a module, in the order of the text, also invalid Python."""
    return sorted(set(_Finder(source, file).of(ast.parse(source))))


def is_python(mutant: Mutant, source: bytes) -> bool:
    """Return whether the mutated source is Python, and another program."""
    try:
        mutated = ast.dump(ast.parse(mutant.apply(source)))
    except (SyntaxError, ValueError):
        return False
    return mutated != ast.dump(ast.parse(source))


class _Finder:
    """Goes through a syntax tree and yields the mutants of its nodes."""

    def __init__(self, source: bytes, file: str) -> None:
        self.source = source
        self.file = file
        self.unneeded: set[ast.stmt] = set()
        self.line_starts = [0, *(match.end() for match in re.finditer(b"\n", source))]

    def of(self, node: ast.AST, bound: Counter[str] | None = None) -> Iterator[Mutant]:
        """Yield the mutants of a node and of all below it.

        `bound` counts how often the function around it gives each name a value; None outside.
        """
        if self._is_left_alone(node):
            return
        if isinstance(node, ast.stmt) and bound is not None:
            yield from self._removed_statement(node, bound)
        if isinstance(node, ast.Compare):
            yield from self._comparisons(node)
        elif isinstance(node, ast.BoolOp):
            yield from self._and_or(node)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield self._mutant(node, re.sub(r"^not\b\s*", "", self._text(node)), "not removed")
        elif isinstance(node, ast.BinOp | ast.AugAssign):
            yield from self._plus_minus(node)
        elif isinstance(node, ast.Constant):
            yield from self._constants(node)
        elif isinstance(node, ast.Tuple | ast.List | ast.Set) and _is_read(node):
            yield from self._removed_elements(node)
        elif isinstance(node, ast.Dict):
            yield from self._removed_keys(node)
        elif isinstance(node, ast.Call):
            yield from self._removed_arguments(node)
        elif isinstance(node, ast.ExceptHandler):
            yield from self._raising_handler(node)
        for condition in _conditions(node):
            yield from self._negated(condition)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            bound = _bound_names(node)
            if _returns_nothing(node.body[-1]):
                self.unneeded.add(node.body[-1])  # the end of the function does as much
        for child in _children(node):
            yield from self.of(child, bound)

    # --- excluded code --------------------------------------------------------------------------

    def _is_left_alone(self, node: ast.AST) -> bool:
        if isinstance(node, ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom):
            return True
        if isinstance(node, ast.FunctionDef):
            return node.name in NOT_READ_BY_PROGRAMS
        if isinstance(node, ast.If):
            test = ast.unparse(node.test)
            return test == "TYPE_CHECKING" or test.startswith("__name__ ==")
        if isinstance(node, ast.Assign):
            return [ast.unparse(target) for target in node.targets] == ["__all__"]
        if isinstance(node, ast.Subscript):
            return isinstance(node.value, ast.Name) and node.value.id in TYPES
        if isinstance(node, ast.Call):
            return ast.unparse(node.func) in ("os.kill", "os.killpg", "cast", "TypeVar")
        return isinstance(node, ast.keyword) and node.arg == "strict"

    # --- the changes ----------------------------------------------------------------------------

    def _removed_statement(self, node: ast.stmt, bound: Counter[str]) -> Iterator[Mutant]:
        removed = isinstance(node, REMOVED) and node not in self.unneeded
        if isinstance(node, ast.Expr):
            removed = isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom | ast.Await)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            # A name that gets its only value here fails wherever it is used: nothing to learn.
            names = {item.id for item in ast.walk(node) if _is_bound_name(item)}
            removed = node.value is not None and all(bound[name] > 1 for name in names)
        if removed:
            yield self._mutant(node, "pass", "statement removed")

    def _comparisons(self, node: ast.Compare) -> Iterator[Mutant]:
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            old, new = COMPARISONS[type(operator)]
            word = rf"\b{old}\b" if old[0].isalpha() else old
            yield from self._between(left, right, word, new, "comparison swapped")
            left = right

    def _and_or(self, node: ast.BoolOp) -> Iterator[Mutant]:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from self._between(left, right, rf"\b{old}\b", new, f"{old} to {new}")

    def _plus_minus(self, node: ast.BinOp | ast.AugAssign) -> Iterator[Mutant]:
        signs = {ast.Add: ("+", "-"), ast.Sub: ("-", "+")}
        if type(node.op) not in signs:
            return
        old, new = signs[type(node.op)]
        left = node.left if isinstance(node, ast.BinOp) else node.target
        right = node.right if isinstance(node, ast.BinOp) else node.value
        yield from self._between(left, right, re.escape(old), new, f"{old} to {new}")

    def _constants(self, node: ast.Constant) -> Iterator[Mutant]:
        if isinstance(node.value, bool):
            yield self._mutant(node, str(not node.value), "True and False swapped")
        elif isinstance(node.value, int | float):
            for step in (1, -1):
                yield self._mutant(node, repr(node.value + step), f"constant {step:+d}")

    def _removed_elements(self, node: ast.Tuple | ast.List | ast.Set) -> Iterator[Mutant]:
        for index in range(len(node.elts)):
            left = [*node.elts[:index], *node.elts[index + 1 :]]
            if left or not isinstance(node, ast.Set):
                yield self._without(
                    node, type(node)(elts=left), node.elts[index], "element removed"
                )

    def _removed_keys(self, node: ast.Dict) -> Iterator[Mutant]:
        for index in range(len(node.keys)):
            keys, values = list(node.keys), list(node.values)
            entry = ast.Dict([keys.pop(index)], [values.pop(index)])
            yield self._without(node, ast.Dict(keys, values), entry, "entry removed")

    def _removed_arguments(self, node: ast.Call) -> Iterator[Mutant]:
        for index, keyword in enumerate(node.keywords):
            if keyword.arg == "strict" and ast.unparse(node.func) == "zip":
                continue  # it is there for faults of ours, and changes nothing without one
            keywords = [*node.keywords[:index], *node.keywords[index + 1 :]]
            changed = ast.Call(node.func, node.args, keywords)
            yield self._without(node, changed, keyword, "keyword removed")
        if ast.unparse(node.func) in KEY_MAKERS:
            for index in range(len(node.args)):
                arguments = [*node.args[:index], *node.args[index + 1 :]]
                changed = ast.Call(node.func, arguments, node.keywords)
                yield self._without(node, changed, node.args[index], "part of a key removed")

    def _raising_handler(self, node: ast.ExceptHandler) -> Iterator[Mutant]:
        first, last = node.body[0], node.body[-1]
        start, end = self._span(first)[0], self._span(last)[1]
        lines = "\n" * self.source.count(b"\n", start, end)
        yield Mutant(self.file, start, end, "raise" + lines, "handler raises")

    def _negated(self, condition: ast.expr) -> Iterator[Mutant]:
        if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
            return
        single = isinstance(condition, ast.Compare) and len(condition.ops) == 1
        if single and isinstance(condition.ops[0], NEGATED_BY_COMPARISON):
            return
        yield self._mutant(condition, f"not ({self._text(condition)})", "condition negated")

    # --- spans ----------------------------------------------------------------------------------

    def _between(
        self, left: ast.expr, right: ast.expr, pattern: str, new: str, what: str
    ) -> Iterator[Mutant]:
        """Replace the operator between two operands."""
        start, end = self._span(left)[1], self._span(right)[0]
        result = re.search(pattern, self.source[start:end].decode())
        if result:
            yield Mutant(self.file, start + result.start(), start + result.end(), new, what)

    def _without(self, node: ast.expr, changed: ast.expr, part: ast.AST, what: str) -> Mutant:
        """Replace a bracketed expression by one without a part of it.

        The line ends that are missed go before its end.
        """
        text = ast.unparse(changed)
        start, end = self._span(node)
        new = text[:-1] + "\n" * self.source.count(b"\n", start, end) + text[-1]
        return Mutant(self.file, start, end, new, what, ast.unparse(part))

    def _mutant(self, node: ast.AST, new: str, what: str) -> Mutant:
        start, end = self._span(node)
        new += "\n" * (self.source.count(b"\n", start, end) - new.count("\n"))
        return Mutant(self.file, start, end, new, what)

    def _span(self, node: ast.AST) -> tuple[int, int]:
        position: ast.expr = node  # type: ignore[assignment]
        assert position.end_lineno is not None
        assert position.end_col_offset is not None
        start = self.line_starts[position.lineno - 1] + position.col_offset
        return start, self.line_starts[position.end_lineno - 1] + position.end_col_offset

    def _text(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()


def _is_read(node: ast.Tuple | ast.List | ast.Set) -> bool:
    return isinstance(node, ast.Set) or isinstance(node.ctx, ast.Load)


def _returns_nothing(node: ast.stmt) -> bool:
    value = node.value if isinstance(node, ast.Return) else node
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _is_bound_name(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _bound_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Counter[str]:
    """Return how often a function gives each name a value, as an argument, too."""
    names = Counter(item.id for item in ast.walk(function) if _is_bound_name(item))
    names.update(item.arg for item in ast.walk(function) if isinstance(item, ast.arg))
    for item in ast.walk(function):
        if isinstance(item, ast.Global | ast.Nonlocal):
            names.update(item.names)
    return names


def _conditions(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        return [node.test]
    return list(node.ifs) if isinstance(node, ast.comprehension) else []


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below a node, without annotations and decorators."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield item
