"""Joins the modules of the page into one script, as they are: each becomes a function.

A browser takes longer to ask for sixty small files than to read them, so the server sends one. The
modules keep to the forms of import and export that are known here; another one is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_IMPORT = re.compile(r'import (\{ \w+(?:, \w+)* \}) from "\./([\w-]+\.js)";')
_EXPORT = re.compile(r"export ((?:async )?function\*?|class|const) (\w+)")
_STATEMENT = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


def bundled(first: str, modules: Mapping[str, str]) -> str:
    """Return a module and all that it imports as one script, which does the same.

    Args:
        first: The name of the module.
        modules: The texts of all modules by name.

    Raises:
        ValueError: A module is missing or imports itself, or has another form of import or export.
    """
    parts: dict[str, str] = {}
    _add(first, modules, parts, ())
    return "const modules = {};\n" + "".join(parts.values())


def _add(
    name: str, modules: Mapping[str, str], parts: dict[str, str], above: tuple[str, ...]
) -> None:
    """Add a module behind those that it imports."""
    if name in parts:
        return
    if name in above or name not in modules:
        way = " imports ".join((*above, name))
        raise ValueError(f"modules cannot be joined: {way}")
    exported: list[str] = []

    def without(statement: re.Match[str]) -> str:
        line = statement[0]
        imports = _IMPORT.fullmatch(line)
        if imports is not None:
            _add(imports[2], modules, parts, (*above, name))
            return f'const {imports[1]} = modules["{imports[2]}"];'
        exports = _EXPORT.match(line)
        if exports is None:
            raise ValueError(f"{name} cannot be joined with the others: {line}")
        exported.append(exports[2])
        return line.removeprefix("export ")

    text = _STATEMENT.sub(without, modules[name])
    parts[name] = (
        f'modules["{name}"] = (() => {{\n{text}\nreturn {{ {", ".join(exported)} }};\n}})();\n'
    )
