"""Joins the modules of a page into one script.

A browser takes some milliseconds for each module that it fetches, and a page has nearly a hundred.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "\./([\w-]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:class|const|function) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def joined_modules(first: str, modules: Mapping[str, str]) -> str:
    """Return a module and all that it imports as one module.

    Each that is imported becomes a function that runs once and returns what it exports, behind
    those that it imports itself. The first may wait for promises, the others may not.

    Args:
        first: The module's name, such as `main.js`.
        modules: The texts of modules by name. They import by lines
            `import { ... } from "./name.js";`, export classes, constants and functions where they
            are declared, and do not import each other in circles.

    Raises:
        ValueError: A module imports or exports in another way, or in a circle.
        KeyError: A module that is imported is not there.
    """
    # By name: its text in the script; None while those that it imports are joined.
    found: dict[str, str | None] = {}

    def join(name: str) -> None:
        if name in found:
            if found[name] is None:
                raise ValueError(f"{name} imports itself by way of others")
            return
        found[name] = None
        text = modules[name]
        for imported in _IMPORT.finditer(text):
            join(imported[2])
        exported = [one[2] for one in _EXPORT.finditer(text)]
        text = _EXPORT.sub(r"\1", _IMPORT.sub(_taken, text))
        other = _OTHER.search(text)
        if other is not None:
            raise ValueError(f"{name} has a line that cannot be joined: {other[0]}")
        del found[name]  # behind those that it imports
        found[name] = text if name == first else _called(name, text, exported)

    join(first)
    return "".join(f"// {name}\n{text}\n" for name, text in found.items())


def _taken(imported: re.Match[str]) -> str:
    """Return an import as a line that takes the names from what a module returned."""
    names = imported[1].replace(" as ", ": ")
    return f"const {{ {names} }} = {_variable(imported[2])};"


def _called(name: str, text: str, exported: list[str]) -> str:
    return (
        f"const {_variable(name)} = (() => {{\n{text}\nreturn {{ {', '.join(exported)} }};\n}})();"
    )


def _variable(name: str) -> str:
    return "$" + name.removesuffix(".js").replace("-", "_")
