"""The exported fields and properties of a C# script, read from its text."""

from __future__ import annotations

import re

from exporter.formats.godot.exported_variables import ScriptOutline

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
    """Return a class's name, base and exported members from a script.

    Args:
        source: The text.
        class_name: The class that Godot takes from the file: it is called like it.
    """
    plain = _NOISE.sub(lambda result: '""' if '"' in result[0][:3] else " ", source)
    found = next((item for item in _CLASS.finditer(plain) if item[1] == class_name), None)
    if found is None:
        return ScriptOutline()
    variables = {
        name: _type(type_name)
        for attributes, type_name, name in _MEMBER.findall(plain, found.end())
        if _EXPORT.search(attributes)
    }
    return ScriptOutline(class_name, (found[2] or "").removeprefix("Godot."), False, variables)


def _type(name: str) -> str:
    if name.endswith("[]"):
        return "Array"
    name = name.removesuffix("?").partition("<")[0].removeprefix("Godot.")
    name = name.removeprefix("Collections.")
    return _TYPES.get(name, name)
