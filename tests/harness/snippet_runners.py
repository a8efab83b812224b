"""The kinds of runners for snippets of the pages, and the reasons for having none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Elsewhere:
    """Another file runs it, which has these words; by default the name of the page."""

    file: str
    says: str = ""


@dataclass(frozen=True)
class Listing:
    """Nothing that can be run, or nothing that a test can run, and why."""

    why: str


@dataclass(frozen=True)
class Commands:
    """Commands, run one after the other in a copied project; an empty folder if it is `alone`."""

    alone: bool = False


@dataclass(frozen=True)
class Spec:
    """A spec, or a part of one between other lines; its level is built.

    `under` is put before each line of the part; `instead` replaces slow parts.
    """

    before: str = ""
    after: str = ""
    under: str = ""
    instead: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Settings:
    """An exporter.yaml, with which a small level is exported."""


@dataclass(frozen=True)
class Edits:
    """A file of hand edits, which is read."""


@dataclass(frozen=True)
class Code:
    """Python, run in a copied project after the lines of `before`."""

    before: str = ""
    after: str = ""
    instead: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Compiled:
    """Python that is a part of a function, and is compiled only."""

    before: str = ""


@dataclass(frozen=True)
class GDScript:
    """GDScript, run by Godot in a project with exported levels.

    A script has the members, then the snippet, then `after`. If the snippet is `inside`, it goes
    into the function `test(root)`, between `before` and `after`; otherwise `after` has that
    function, with `{inside}` instead of `before`. The function returns whether all is well.
    """

    members: str = ""
    before: str = ""
    after: str = ""
    inside: bool = False
    instead: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Lua:
    """Lua, run by LuaJIT between these lines."""

    before: str
    after: str


@dataclass(frozen=True)
class CSharp:
    """C#, compiled by Mono against the package for Unity."""


@dataclass(frozen=True)
class DrawnByTiled:
    """A command of Tiled, run on exported maps."""


Runner = (
    Elsewhere
    | Listing
    | Commands
    | Spec
    | Settings
    | Edits
    | Code
    | Compiled
    | GDScript
    | Lua
    | CSharp
    | DrawnByTiled
)
