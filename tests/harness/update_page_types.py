"""Write the types of requests and events for the studio's page: `page/messages.d.ts`.

Run it after a change of `exporter/studio/requests.py`, `events.py` or a module of its events:

    .venv/bin/python tests/harness/update_page_types.py
"""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, is_typeddict

from exporter.studio import (
    common_events,
    comparison_events,
    events,
    level_event,
    requests,
    view_events,
)
from exporter.studio.request_checks import fields_of, members_of, names_of

FILE = Path(events.__file__).parent / "page" / "messages.d.ts"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}
# In binary events these stand for typed arrays, which JavaScript has.
ARRAYS = {common_events.Uint8Array, common_events.Uint16Array, common_events.Int32Array}
# Each after those that it imports.
MODULES = (requests, common_events, level_event, view_events, comparison_events, events)
HEAD = """\
/** The messages of the studio. Written by tests/harness/update_page_types.py: do not edit. */
"""
TAIL = """
/** The handlers of events, by their names. */
export type Handlers = { [Name in keyof Events]?: (event: Events[Name]) => void };
"""


def page_types() -> str:
    """Return the text of the file."""
    parts = [HEAD]
    named: dict[Any, str] = {}
    for module in MODULES:
        for name, kind in defined(module).items():
            if is_typeddict(kind):
                parts.append(interface(kind, named))
            else:
                parts.append(f"export type {name} = {type_of(kind, named)};\n")
                named[kind] = name
    parts.append(f"/** Events by their names. */\nexport interface Events {{\n{by_name()}}}\n")
    return "\n".join(parts) + TAIL


def defined(module: ModuleType) -> dict[str, Any]:
    """Return the types that a module defines."""
    kinds = (Literal, Union, UnionType, list, tuple)
    before = MODULES[: MODULES.index(module)]
    own = {
        name: item
        for name, item in vars(module).items()
        if not any(name in vars(other) for other in before)
    }
    return {
        name: item
        for name, item in own.items()
        if (is_typeddict(item) and item not in ARRAYS) or get_origin(item) in kinds
    }


def interface(kind: Any, named: dict[Any, str]) -> str:
    """Return a mapping as TypeScript has it."""
    about = "\n".join(f" * {line}".rstrip() for line in inspect.cleandoc(kind.__doc__).splitlines())
    fields = "".join(
        f"  {name}{'' if needed else '?'}: {type_of(item, named)};\n"
        for name, (item, needed) in fields_of(kind).items()
    )
    return f"/**\n{about}\n */\nexport interface {kind.__name__} {{\n{fields}}}\n"


def type_of(kind: Any, named: dict[Any, str]) -> str:
    """Return a type as TypeScript has it."""
    if kind is Any:
        return "unknown"
    if kind in PLAIN:
        return PLAIN[kind]
    if is_typeddict(kind):
        return str(kind.__name__)
    if kind in named:
        return named[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(
            f'"{argument}"' if isinstance(argument, str) else "true" for argument in arguments
        )
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(type_of(argument, named) for argument in arguments))
    if origin is list:
        item = type_of(arguments[0], named)
        return f"({item})[]" if " | " in item else f"{item}[]"
    if origin is tuple:
        return f"[{', '.join(type_of(argument, named) for argument in arguments)}]"
    return f"Record<string, {type_of(arguments[1], named)}>"


def by_name() -> str:
    """Return the types of each event."""
    result: dict[str, list[str]] = {}
    for item in members_of(events.Event):
        for name in names_of(item, "event"):
            result.setdefault(name, []).append(item.__name__)
    return "".join(f'  "{name}": {" | ".join(kinds)};\n' for name, kinds in result.items())


if __name__ == "__main__":
    FILE.write_text(page_types(), encoding="utf-8", newline="\n")
