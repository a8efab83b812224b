"""Evaluate expressions over numbers: `farthest >= 80 and floor < 0.5`.

Expressions have numbers, names, `+ - * /`, comparisons (also chained), `and`, `or`, `not` and
parentheses, with the precedence of Python. A text is parsed once into a tree, which is evaluated
for many levels. Since texts may come from strangers, they are never run as Python, and length and
depth are limited.

An expression is either a number or a condition, known before evaluation: `floor and 3` is refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from exporter.model.errors import ExporterError
from exporter.model.expression_tree import (
    COMPARE,
    Comparison,
    Conditional,
    Joined,
    Miss,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Numeric,
    Sum,
    Values,
    holds,
    misses_of,
    number_of,
)
from exporter.model.lazy_dataclass import dataclass

MAXIMUM_LENGTH = 2000
MAXIMUM_DEPTH = 50

Kind = Literal["number", "condition"]

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|'[^'\n]*'))*)
      | (?P<sign><=|>=|==|!=|<|>|[-+*/()])
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_PART = re.compile(r"[A-Za-z0-9_]+|'[^'\n]*'")
_PLAIN_PART = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+")
# The beginning of what would be a call of a function in another language.
_CALL = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\([^()]*$")
_WORDS = frozenset({"and", "or", "not"})
# Common synonyms, and the language's operators.
_OTHERWISE = {
    "=": "use == to compare",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or != to compare",
    "^": "there are no powers",
    "%": "there are no remainders; shares are numbers from 0 to 1",
    ",": "write 0.5 with a point",
}


class ExpressionError(ExporterError):
    """An expression is malformed, or not of the kind that is needed.

    The kinds are number and condition. `start` is the offset of the fault in the text, `length` its
    number of characters.
    """

    def __init__(self, message: str, start: int = 0, length: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.length = max(1, length)

    def __reduce__(self) -> tuple[type[ExpressionError], tuple[str, int, int]]:
        return (type(self), (self.message, self.start, self.length))


class NamePosition(NamedTuple):
    """A name in an expression, in canonical spelling, and its position.

    `start` is its offset in the expression's text, `length` the number of characters there.
    """

    name: str
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed and checked expression.

    Attributes:
        text: The text as written.
        kind: What the expression gives: `number` or `condition`.
        places: Each use of a name in the expression, with its position, in order.
    """

    text: str
    kind: Kind
    places: tuple[NamePosition, ...]
    _tree: Node

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the expression, each once, in order."""
        return tuple(dict.fromkeys(position.name for position in self.places))

    def number(self, values: Values) -> float:
        """Compute the numeric expression with the `values` of its names.

        Raises:
            NoValueError: The expression divides by zero, or its value is too large.
            KeyError: A name has no value.
        """
        assert isinstance(self._tree, Numeric), "asked for the number of a condition"
        return number_of(self._tree, values)

    def holds(self, values: Values) -> bool:
        """Return whether the condition is true for `values`.

        Raises:
            NoValueError: The expression divides by zero, or a number is too large.
            KeyError: A name has no value.
        """
        assert isinstance(self._tree, Conditional), "asked whether a number holds"
        return holds(self._tree, values)

    def misses(self, values: Values) -> list[Miss]:
        """Return the comparisons that make the condition false for `values`.

        The result is empty if the condition is true. If none of several conditions joined by `or`
        holds, only the comparisons of the nearest one are returned.

        Raises:
            NoValueError: The expression divides by zero, or a number is too large.
        """
        if self.holds(values):
            return []
        assert isinstance(self._tree, Conditional), "asked what a number misses"
        return misses_of(self._tree, values, self.text, demanded=True)


def parse_expression(text: str, kind: Kind = "condition") -> Expression:
    """Parse `text` as an expression of the given kind: number or condition.

    Raises:
        ExpressionError: The expression is malformed; the error has the position of the fault.
    """
    if len(text) > MAXIMUM_LENGTH:
        message = f"{len(text)} characters are too many (allowed: {MAXIMUM_LENGTH})"
        raise ExpressionError(message, 0, len(text))
    parser = _Parser(text)
    tree = parser.whole()
    result: Kind = "number" if isinstance(tree, Numeric) else "condition"
    if result != kind:
        hint = (
            "this is a number, not a condition (compare it with something: `farthest >= 80`)"
            if result == "number"
            else "this is a condition, not a number (name the largest value to find: `farthest`)"
        )
        begin = len(text) - len(text.lstrip())
        raise ExpressionError(hint, begin, len(text.strip()))
    return Expression(text, result, tuple(parser.names), tree)


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


class _Parser:
    """Parses the tokens of one text by recursive descent."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.names: list[NamePosition] = []
        self.tokens = list(_tokens(text))
        self.position = 0
        self.depth = 0

    def whole(self) -> Node:
        if self.next.kind == "end":
            raise ExpressionError("the expression is empty (for example `farthest >= 80`)")
        tree = self.either()
        if self.next.kind != "end":
            what = self.next.text
            hint = "a comparison, `and` or `or` must join these two"
            before = self.tokens[self.position - 1]
            if what == ")":
                hint = "no parenthesis was opened for it"
            elif what.lower() in _WORDS:
                hint = f"write `{what.lower()}`"
            elif before.kind == "name" and before.text.lower() in _WORDS:
                hint = f"write `{before.text.lower()}` instead of `{before.text}`"
            elif what == "(" and before.kind == "name":
                hint = f"there are no functions such as {before.text}(...)"
            self.fail(f"{what!r} is not expected here ({hint})")
        return tree

    # --- tokens -------------------------------------------------------------------------------

    @property
    def next(self) -> _Token:
        return self.tokens[self.position]

    def take(self) -> _Token:
        token = self.next
        self.position += 1
        return token

    def accept(self, *texts: str) -> str:
        """Take the next token and return it if it is one of `texts`; else ""."""
        token = self.next
        if token.kind in ("word", "sign") and token.text in texts:
            self.position += 1
            return token.text
        return ""

    def end(self) -> int:
        """Return the offset after the last token taken."""
        token = self.tokens[self.position - 1]
        return token.start + len(token.text)

    def fail(self, message: str) -> None:
        raise ExpressionError(message, self.next.start, len(self.next.text))

    # --- grammar ------------------------------------------------------------------------------

    def either(self) -> Node:
        return self.joined("or", self.both)

    def both(self) -> Node:
        return self.joined("and", self.negated)

    def joined(self, word: str, inner: Callable[[], Node]) -> Node:
        start = self.next.start
        first = inner()
        if self.next.text != word or self.next.kind != "word":
            return first
        parts = [self.conditional(first, start, f"`{word}`")]
        while self.accept(word):
            start = self.next.start
            parts.append(self.conditional(inner(), start, f"`{word}`"))
        return Joined(word == "and", tuple(parts))

    def negated(self) -> Node:
        if not self.accept("not"):
            return self.comparison()
        start = self.next.start
        with_depth = self.deeper(self.negated)
        return Not(self.conditional(with_depth, start, "`not`"))

    def comparison(self) -> Node:
        start = self.next.start
        left = self.sum()
        parts: list[Conditional] = []
        end = self.end()
        while sign := self.accept(*COMPARE):
            numeric = self.numeric(left, start, f"`{sign}`", end)
            behind = self.next.start
            result = self.sum()
            end = self.end()
            right = self.numeric(result, behind, f"`{sign}`", end)
            parts.append(Comparison(sign, numeric, right, start, end))
            left, start = right, behind
        if not parts:
            return left
        return parts[0] if len(parts) == 1 else Joined(True, tuple(parts))

    def sum(self) -> Node:
        return self.calculation(("+", "-"), self.product)

    def product(self) -> Node:
        return self.calculation(("*", "/"), self.factor)

    def calculation(self, signs: tuple[str, str], inner: Callable[[], Node]) -> Node:
        start = self.next.start
        left = inner()
        count = 0
        end = self.end()
        while sign := self.accept(*signs):
            numeric = self.numeric(left, start, f"`{sign}`", end)
            behind = self.next.start
            right = inner()
            end = self.end()
            left = Sum(sign, numeric, self.numeric(right, behind, f"`{sign}`", end))
            # Each one is a level of the tree, which is evaluated by recursion.
            count += 1
            if self.depth + count > MAXIMUM_DEPTH:
                self.too_deep()
        return left

    def factor(self) -> Node:
        if sign := self.accept("-", "+"):
            start = self.next.start
            tree = self.deeper(self.factor)
            inner = self.numeric(tree, start, f"`{sign}`", self.end())
            return Negative(inner) if sign == "-" else inner
        if self.accept("("):
            tree = self.deeper(self.either)
            if not self.accept(")"):
                what = "the text ends" if self.next.kind == "end" else repr(self.next.text)
                self.fail(f"{what} where a closing parenthesis is missing")
            return tree
        token = self.next
        if token.kind == "number":
            self.take()
            value = float(token.text)
            if not math.isfinite(value):
                raise ExpressionError("this number is too large", token.start, len(token.text))
            return Number(value)
        if token.kind == "name":
            self.take()
            name = plain_name(token.text)
            self.names.append(NamePosition(name, token.start, len(token.text)))
            return Name(name)
        what = "the end" if token.kind == "end" else repr(token.text)
        if token.text == "*" and self.position and self.tokens[self.position - 1].text == "*":
            self.fail("`**` is not supported (multiply instead: `floor * floor`)")
        self.fail(f"expected a number or a name, not {what}")
        raise AssertionError

    # --- checks -------------------------------------------------------------------------------

    def deeper(self, inner: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > MAXIMUM_DEPTH:
            self.too_deep()
        tree = inner()
        self.depth -= 1
        return tree

    def too_deep(self) -> None:
        self.fail(f"nested too deeply (allowed: {MAXIMUM_DEPTH} levels)")

    def numeric(self, tree: Node, start: int, what: str, end: int) -> Numeric:
        if isinstance(tree, Numeric):
            return tree
        message = f"this is a condition, but {what} needs a number"
        raise ExpressionError(message, start, end - start)

    def conditional(self, tree: Node, start: int, what: str) -> Conditional:
        if isinstance(tree, Conditional):
            return tree
        message = f"this is a number, but {what} needs a condition (compare it with something)"
        raise ExpressionError(message, start, self.end() - start)


def plain_name(text: str) -> str:
    """Return the metric name `text` in canonical spelling.

    Unneeded quotes are removed: `objects.'chest'` becomes `objects.chest`.
    """
    first, *parts = (match.group() for match in _PART.finditer(text))
    return ".".join([first, *(quoted(part.strip("'")) for part in parts)])


def quoted(part: str) -> str:
    """Return `part`, one part of a dotted name, in quotes if it needs them."""
    return part if _PLAIN_PART.fullmatch(part) else f"'{part}'"


def _tokens(text: str) -> Iterator[_Token]:
    position = 0
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            start = len(text) - len(text[position:].lstrip())
            sign = text[start]
            hint = _OTHERWISE.get(sign)
            if sign == "," and (call := _CALL.search(text, 0, start)) is not None:
                hint = f"there are no functions such as {call[1]}(...)"
            message = f"{sign!r} is not part of an expression" + (f" ({hint})" if hint else "")
            if sign in "'\"":
                message = "quotes stand only inside names (as in objects.'big-chest')"
            raise ExpressionError(message, start)
        kind = str(match.lastgroup)
        result = match.group(kind)
        start = match.start(kind)
        position = match.end()
        if kind == "number" and re.match(r"[A-Za-z0-9_.]", text[position : position + 1]):
            raise ExpressionError(
                "a number is followed directly by a name (write * between them to multiply)",
                start,
                position + 1 - start,
            )
        yield _Token("word" if result in _WORDS else kind, result, start)
        if kind == "end":
            return
