"""What the value coder learns, and where: one node for each place in the tree's schema.

Maps with the same keys share a shape; the values under one key, or at one place of lists of equal
length, share a node. So the records of a list become columns, each with models of its own.
"""

from __future__ import annotations

from exporter.codecs._numbers import Model
from exporter.codecs._range import FRESH

NULL, FALSE, TRUE, INTEGER, DECIMAL, FLOAT, TEXT, LIST, MAP, COLOR6, COLOR8, LONG = range(12)
TYPES = 16
# Choices told one by one; later ones are told by number.
CHOICES = 24
# How whole numbers of a node are told; from REFERENCE on, relative to node (mode - REFERENCE).
PLAIN, DELTA, ENUMERATED, REFERENCE = range(4)

# Shapes every stream knows from the start: those of a blob's own records.
SHAPES: tuple[tuple[str, ...], ...] = (
    ("name", "width", "height", "seed", "rng", "visibility_layer", "properties", "layers"),
    (
        "name",
        "kind",
        "size",
        "generator",
        "version",
        "tiles",
        "walkable",
        "heights",
        "complete",
        "report",
        "rooms",
        "certificate",
        "grid_aligned",
    ),
    ("id", "name", "walkable", "opaque", "color"),
    ("minimum", "maximum", "units"),
    ("name", "x", "y", "width", "height", "center"),
    (
        "regions_before",
        "regions_after",
        "cells_carved",
        "floor",
        "cells",
        "farthest",
        "start",
        "dead_ends",
        "chokes",
    ),
    ("id", "name", "x", "y", "properties"),
    ("name", "columns", "rows"),
    ("name", "type", "nullable"),
    ("name", "kind", "data"),
    (),
)


class Choice:
    """The states of choosing among things known, in the order they became known."""

    __slots__ = ("later", "states")

    def __init__(self) -> None:
        self.states = [FRESH] * CHOICES
        self.later = Model()


class Integers:
    """How the whole numbers of a node are told, and the last of them."""

    __slots__ = ("choice", "known", "last", "mode", "model", "sign")

    def __init__(self) -> None:
        self.mode: int | None = None
        self.last = 0
        self.model = Model()
        self.sign = [FRESH]
        self.known: list[int] = []
        self.choice = Choice()


class Node:
    """One place in the schema."""

    __slots__ = (
        "children",
        "digits",
        "integers",
        "length",
        "mantissas",
        "number",
        "positional",
        "previous",
        "shape_choice",
        "shapes",
        "text_choices",
        "texts",
        "types",
    )

    def __init__(self, number: int) -> None:
        self.number = number
        self.previous = 0
        self.types = [FRESH] * (TYPES * TYPES)
        self.integers = Integers()
        self.mantissas = Integers()
        self.digits = Model()
        self.length = Model()
        self.positional: bool | None = None
        self.shapes: list[int] = []
        self.shape_choice = Choice()
        self.texts: list[str] = []
        self.text_choices: dict[int, Choice] = {}
        self.children: dict[str | int, Node] = {}


class Schema:
    """Everything both directions share: nodes, shapes, keys, and the model of letters."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.root = self.new_node()
        self.shapes = list(SHAPES)
        self.keys = list(dict.fromkeys(key for shape in SHAPES for key in shape))
        self.shape_model = Model()
        self.key_model = Model()
        self.key_count = Model()
        self.mode_model = Model()
        self.positional_states = [FRESH]
        self.text_length = Model()
        # Letters: states by the letter before (256 trees of 256), a tree for none known yet.
        self.letters = [FRESH] * 256
        self.pairs: dict[int, list[int]] = {}

    def new_node(self) -> Node:
        """Return a new node; nodes are numbered in the order they are met."""
        node = Node(len(self.nodes))
        self.nodes.append(node)
        return node

    def child(self, node: Node, key: str | int) -> Node:
        """Return the node under a key (text), a list place (0 up), or any list place (-1)."""
        if key not in node.children:
            node.children[key] = self.new_node()
        return node.children[key]

    def letter_states(self, before: int) -> list[int]:
        """Return the tree for the letter after `before`; 0 marks a state never met."""
        if before not in self.pairs:
            self.pairs[before] = [0] * 256
        return self.pairs[before]


def inherited(state: int) -> int:
    """Return the parent's state as a fresh child starts from it: met at most twice."""
    return state if state & 1023 <= 2 else state >> 10 << 10 | 2
