"""Find the exported variables in a GDScript.

Only lines without indentation are read: they belong to the file's own class. Types are declared, or
inferred from a literal as Godot does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from exporter.formats.godot.exported_variables import (
    OTHER_TYPES,
    ScriptOutline,
    Variable,
    enumeration,
    numbered_names,
    range_of,
)

# A text that does not end goes to the end of the file: no part is read twice.
_TOKEN = re.compile(
    r"""
    (?P<text>(?:[rR]|[&^])?(?:
        \"{3}(?:[^\\]|\\.)*?(?:\"{3}|\\?\Z)|'{3}(?:[^\\]|\\.)*?(?:'{3}|\\?\Z)
        |"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|'[^'\\]*(?:\\.[^'\\]*)*(?:'|\\?\Z)))
    |(?P<skipped>\#[^\n]*|\\\r?\n|[ \t\r]+)
    |(?P<end>\n)
    |(?P<number>0[xXbB]\w+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)
    |(?P<word>[^\W\d]\w*)
    |(?P<sign>:=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
# Annotations that begin with `export` but do not export a variable's value.
_NO_VARIABLES = frozenset(
    {"export_category", "export_group", "export_subgroup", "export_tool_button"}
)
_OPEN, _CLOSE = ("(", "[", "{"), (")", "]", "}")


def gdscript_outline(source: str) -> ScriptOutline:
    """Return the class, base and exported variables of the script `source`."""
    class_name = base = ""
    base_is_path = False
    variables: dict[str, Variable] = {}
    enumerations: dict[str, dict[str, int]] = {}
    annotations: list[tuple[str, list[str]]] = []
    for statement in _statements(source):
        own, rest = _annotations(statement)
        annotations += own
        if not rest:
            continue  # they concern the statement that follows
        if rest[0] == "class_name" and len(rest) > 1:
            class_name = rest[1]
            rest = rest[rest.index("extends") :] if "extends" in rest else [""]
        if rest[0] == "extends" and len(rest) > 1:
            base_is_path = rest[1][0] in "\"'"
            base = _content(rest[1]) if base_is_path else "".join(rest[1:])
        elif rest[0] == "enum" and rest[2:3] == ["{"]:
            enumerations[rest[1]] = enumeration(map(_constant, _entries(rest[2:])))
        elif rest[0] == "var" and len(rest) > 1 and _exported_variable(annotations):
            variables[rest[1]] = _variable(rest[2:], annotations)
        annotations = []
    for name, variable in variables.items():
        if variable.type in enumerations and not variable.names:
            variables[name] = replace(variable, names=enumerations[variable.type])
    return ScriptOutline(class_name, base, base_is_path, variables)


def _variable(tokens: list[str], annotations: list[tuple[str, list[str]]]) -> Variable:
    """Return the exported variable that a `var` statement declares.

    `annotations` stand before `var`, with their arguments; `tokens` follow the variable's name.
    """
    variable = Variable(_type(tokens))
    for name, arguments in annotations:
        texts = [_content(part) for part in arguments if part[-1:] in ("'", '"')]
        if name == "export_enum":
            variable = replace(variable, names=numbered_names(texts))
        elif name == "export_flags":
            variable = replace(variable, names=numbered_names(texts, flags=True), flags=True)
        elif name == "export_range":
            variable = replace(variable, range=range_of(arguments[:2], texts))
    return variable


def _constant(entry: list[str]) -> tuple[str, str | None]:
    """Return name and number of an enumeration's entry, given as tokens.

    The number is None if the entry has none.
    """
    return entry[0], "".join(entry[2:]) if len(entry) > 1 else None


def _entries(tokens: list[str]) -> list[list[str]]:
    """Return the entries of the bracket that begins `tokens`, split at commas."""
    entries: list[list[str]] = [[]]
    depth = 0
    for token in tokens[1 : _end_of_brackets(tokens, 0) - 1]:
        depth += (token in _OPEN) - (token in _CLOSE)
        if token == "," and depth == 0:
            entries.append([])
        else:
            entries[-1].append(token)
    return [entry for entry in entries if entry]


def _statements(source: str) -> Iterator[list[str]]:
    """Yield the unindented statements of `source`, each as tokens."""
    tokens: list[str] = []
    depth = 0
    at_margin = True
    begins_line = True
    for match in _TOKEN.finditer(source):
        token = match[0]
        if match.lastgroup == "skipped":
            if begins_line and depth == 0 and token[0] in " \t":
                at_margin = False
            begins_line = begins_line and token[0] == "\r"
            continue
        if match.lastgroup == "end":
            if depth > 0:
                continue
            if tokens and at_margin:
                yield tokens
            tokens, at_margin, begins_line = [], True, True
            continue
        begins_line = False
        if match.lastgroup == "sign":
            depth = max(0, depth + (token in _OPEN) - (token in _CLOSE))
        tokens.append(token)
    if tokens and at_margin:
        yield tokens


def _annotations(tokens: list[str]) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """Split `tokens` into leading annotations (such as `@export`) and others.

    An annotation is its name and the texts of its arguments.
    """
    names: list[tuple[str, list[str]]] = []
    start = 0
    while start + 1 < len(tokens) and tokens[start] == "@":
        name, arguments = tokens[start + 1], []
        start += 2
        if start < len(tokens) and tokens[start] == "(":
            arguments = ["".join(entry) for entry in _entries(tokens[start:])]
            start = _end_of_brackets(tokens, start)
        names.append((name, arguments))
    return names, tokens[start:]


def _end_of_brackets(tokens: list[str], start: int) -> int:
    """Return the position after the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += (tokens[index] in _OPEN) - (tokens[index] in _CLOSE)
        if depth == 0:
            return index + 1
    return len(tokens)


def _exported_variable(annotations: list[tuple[str, list[str]]]) -> bool:
    return any(name.startswith("export") and name not in _NO_VARIABLES for name, _ in annotations)


def _type(tokens: list[str]) -> str:
    """Return a variable's type from the tokens after its name; "" if unknown."""
    if tokens[:1] == [":"]:
        name = ""
        for token in tokens[1:]:
            if not (token == "." or token.isidentifier()):
                break
            name += token
        entry = tokens[2:5]
        if name == "Array" and entry[:1] == ["["] and entry[2:] == ["]"]:
            return f"Array[{entry[1]}]"
        return name
    if tokens[:1] in (["="], [":="]):
        return _infer_type(tokens[1:])
    return ""


def _infer_type(tokens: list[str]) -> str:
    """Return the type of the literal in `tokens`; "" if it is not a literal."""
    value = _expression(tokens)
    first = value[0] if value else ""
    if first in ("-", "+") and len(value) == 2:
        value, first = value[1:], value[1]
    if len(value) == 1:
        return _literal(first)
    if first in ("[", "{") and _end_of_brackets(value, 0) == len(value):
        return "Array" if first == "[" else "Dictionary"
    if first in OTHER_TYPES:
        called = value[1] == "(" and _end_of_brackets(value, 1) == len(value)
        constant = value[1] == "." and len(value) == 3 and value[2].isupper()
        return first if called or constant else ""
    return ""


def _expression(tokens: list[str]) -> list[str]:
    depth = 0
    for number, token in enumerate(tokens):
        if token == ":" and depth == 0:
            return tokens[:number]
        depth += (token in _OPEN) - (token in _CLOSE)
    return tokens


def _literal(token: str) -> str:
    if token in ("true", "false"):
        return "bool"
    if token[0] == "&":
        return "StringName"
    if token[0] == "^":
        return "NodePath"
    if token[-1] in "\"'":
        return "String"
    if re.fullmatch(r"0[xXbB]\w+|\d[\d_]*", token):
        return "int"
    if token[0].isdigit() or (token[0] == "." and len(token) > 1):
        return "float"
    return ""


def _content(token: str) -> str:
    try:
        return str(ast.literal_eval(token))
    except (SyntaxError, ValueError):
        return ""
