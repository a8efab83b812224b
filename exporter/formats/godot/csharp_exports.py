"""Find the exported fields and properties in a C# script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from exporter.formats.godot.exported_variables import (
    ScriptOutline,
    Variable,
    enumeration,
    numbered_names,
    range_of,
)

# Limit of repeated declarations in a script.
_NOISE = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|@?\$?@?\"[^\"\\]*(?:\\.[^\"\\]*)*(?:\"|\\?\Z)|'(?:[^'\\]|\\.)'",
    re.DOTALL,
)
_CLASS = re.compile(r"\bclass\s+(\w+)\s*(?:<[^>{]{0,200}>)?\s*(?::\s*([\w.]+))?")
_MEMBER = re.compile(
    r"""
    ((?:\[[^\[\]]*\]\s*){1,16})
    (?:(?:public|private|protected|internal|static|readonly|virtual|override|required|new)\s+){0,8}
    ([\w.]+(?:<[\w.,\s<>]{0,200}>)?(?:\[\])?\??)\s+
    (\w+)\s*[;={]
    """,
    re.VERBOSE,
)
_ENUMERATION = re.compile(r"\benum\s+(\w+)\s*(?::\s*\w+\s*)?\{([\w\s,=xX-]{0,4096})\}")
# The text of a hint: names, numbers and words.
_HINT = re.compile(r'"[\w ,:.+-]*"')
_EXPORT = re.compile(r"(?<![\w.])(?:Godot\.)?Export(?:Attribute)?\s*[(,\]]")
_TYPES = {
    **dict.fromkeys(
        ("int", "uint", "long", "ulong", "short", "ushort", "byte", "sbyte", "char"), "int"
    ),
    **dict.fromkeys(("float", "double", "Single", "Double"), "float"),
    "string": "String",
    "bool": "bool",
    "Array": "Array",
    "Rid": "RID",
    "Aabb": "AABB",
}


def csharp_outline(source: str, class_name: str) -> ScriptOutline:
    """Return the class, base and exported members of C# script `source`.

    Godot uses the class with the name of the file, `class_name`; without it the result is empty.
    """
    plain = _NOISE.sub(_without_noise, source)
    declaration = next((item for item in _CLASS.finditer(plain) if item[1] == class_name), None)
    if declaration is None:
        return ScriptOutline()
    enumerations = {
        name: enumeration(_constants(body)) for name, body in _ENUMERATION.findall(plain)
    }
    variables = {
        name: _variable(_type(type_name), attributes, enumerations)
        for attributes, type_name, name in _MEMBER.findall(plain, declaration.end())
        if _EXPORT.search(attributes)
    }
    return ScriptOutline(
        class_name, (declaration[2] or "").removeprefix("Godot."), False, variables
    )


def _without_noise(match: re.Match[str]) -> str:
    """Replace a comment by a blank, and a text by `""` unless it is a hint.

    A hint has only letters, digits and a few marks, as in `PropertyHint.Range, "0,10"`.
    """
    text = match[0]
    if '"' not in text[:3]:
        return " "
    return text if _HINT.fullmatch(text) else '""'


def _variable(
    type_name: str, attributes: str, enumerations: Mapping[str, dict[str, int]]
) -> Variable:
    variable = Variable(type_name, enumerations.get(type_name, {}))
    hint = re.search(r'PropertyHint\.(Enum|Flags|Range)\s*,\s*"([^"]*)"', attributes)
    if hint is None:
        return variable
    parts = [part.strip() for part in hint[2].split(",")]
    if hint[1] == "Range":
        return replace(variable, range=range_of(parts[:2], parts[2:]))
    flags = hint[1] == "Flags"
    return replace(variable, names=numbered_names(parts, flags), flags=flags)


def _constants(body: str) -> Iterator[tuple[str, str | None]]:
    """Yield the constants of an enumeration: name, and number as text or None."""
    for entry in filter(None, map(str.strip, body.split(","))):
        name, given, text = entry.partition("=")
        yield name.strip(), text.strip() if given else None


def _type(name: str) -> str:
    if name.endswith("[]"):
        return "Array"
    name = name.removesuffix("?").partition("<")[0].removeprefix("Godot.")
    name = name.removeprefix("Collections.")
    return _TYPES.get(name, name)
