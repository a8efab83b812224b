'''Define parameters once, for checks, schema, reference and controls.

A generator (or format, codec option, target) declares what a user may write as

    @dataclass(frozen=True, kw_only=True)
    class Drunkard(Parameters):
        """Random walks open cells until there is enough floor."""

        floor_percent: Annotated[int, Within(1, 90), About("Share of cells to open.", "%")] = 40

and nothing else: ranges, units and descriptions are in the annotation. pydantic reads this metadata
when a spec is checked; this module does not import pydantic, so that listing generators stays fast.
'''

from __future__ import annotations

import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property, lru_cache
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class About:
    """Describes a parameter in a sentence, with its unit and synonyms.

    Attributes:
        text: The sentence that describes the parameter.
        unit: The unit of the value.
        also: Synonyms of the parameter's name; a message about one suggests the parameter.
        example: An allowed value, for messages: `[64, 64]`.
        values: Synonyms of allowed values: each value, and its synonyms.
    """

    text: str
    unit: str = ""
    also: tuple[str, ...] = ()
    example: str = ""
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        schema: dict[str, Any] = handler(core_schema)
        if self.text:
            schema["description"] = f"{self.text} [{self.unit}]" if self.unit else self.text
        return schema


@dataclass(frozen=True, slots=True)
class Within:
    """Restricts a number, or with `length` a length, to a range.

    Both ends of the range are allowed.
    """

    minimum: float
    maximum: float
    length: bool = False

    def admits(self, value: Any) -> bool:
        """Return whether `value`, or its length, is in the range."""
        if value is None or (self.length and not hasattr(value, "__len__")):
            return True  # another member of a union, which has no such range
        number: float = len(value) if self.length else value
        return self.minimum <= number <= self.maximum

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Refuse values outside the range; the message names the range."""
        from pydantic_core import PydanticCustomError, core_schema

        what = "length" if self.length else "value"

        def check(value: Any) -> Any:
            if not self.admits(value):
                number = len(value) if self.length else value
                raise PydanticCustomError(
                    "out_of_range",
                    "{what} {number} is out of range (allowed: {minimum} to {maximum})",
                    {
                        "what": what,
                        # 30.0 may be written 30.
                        "number": int(number) if number == int(number) else number,
                        "minimum": self.minimum,
                        "maximum": self.maximum,
                    },
                )
            return value

        return core_schema.no_info_after_validator_function(check, handler(source))

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        schema: dict[str, Any] = handler(core_schema)
        if not self.length:
            schema["minimum"], schema["maximum"] = self.minimum, self.maximum
        elif schema.get("type") == "string":
            schema["minLength"], schema["maxLength"] = int(self.minimum), int(self.maximum)
        elif schema.get("type") == "object":
            schema["minProperties"], schema["maxProperties"] = int(self.minimum), int(self.maximum)
        else:
            schema["minItems"], schema["maxItems"] = int(self.minimum), int(self.maximum)
        return schema


@dataclass(frozen=True, slots=True)
class Matches:
    """Restricts a text to the regular expression `pattern`.

    `what` describes the rule to users.
    """

    pattern: str
    what: str

    def admits(self, value: str | None) -> bool:
        """Return whether `value` matches the pattern; None always does.

        None occurs where the annotation is a union with None.
        """
        return value is None or re.fullmatch(self.pattern, value) is not None

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Refuse texts that do not match; the message states the rule."""
        from pydantic_core import PydanticCustomError, core_schema

        def check(value: str | None) -> str | None:
            if value is not None and not self.admits(value):
                displayed = repr(value if len(value) <= 60 else f"{value[:57]}...")
                raise PydanticCustomError(
                    "pattern",
                    "{value} is not allowed here ({what})",
                    {"value": displayed, "what": self.what},
                )
            return value

        return core_schema.no_info_after_validator_function(check, handler(source))

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        schema: dict[str, Any] = handler(core_schema)
        schema["pattern"] = f"^(?:{self.pattern})$"
        return schema


# The key of a JSON Schema that says what a text names, see `Names`.
NAMES_KEY = "x-names"


@dataclass(frozen=True, slots=True)
class Refers:
    """Marks a name as a reference to a layer or object of the level.

    A named layer must be built before the naming layer; a named object must be in the spec.
    `same_size` requires both layers to have the same size. All this is checked when a spec is read.
    `replaced` means that the naming layer replaces the named layer, which then has the role `data`,
    unless its spec sets another. `copied` means that tiles of the named layer are copied into the
    naming layer; a layer that would be a `picture` by default is then `data`, so that it is not
    drawn twice.
    """

    to: Literal["layer", "object"]
    same_size: bool = False
    replaced: bool = False
    copied: bool = False

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        """Put the kind of reference into the schema, for editors' suggestions."""
        return {**handler(core_schema), NAMES_KEY: self.to}


@dataclass(frozen=True, slots=True)
class Names:
    """Marks a text as the name of a `what`, such as a tile.

    Editors suggest names. Whether the name exists is not checked here.
    """

    what: Literal["layer", "object", "tile", "room", "table", "column", "measure", "lock", "walk"]

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        return {**handler(core_schema), NAMES_KEY: self.what}


# `strict`: the text "5" is not the number 5. `forbid`: an unknown key is an error.
STRICT = {"extra": "forbid", "strict": True}

Percent = Annotated[int, Within(0, 100)]
NAME_PATTERN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
NAME_RULE = (
    "a to z, A to Z, digits, _ and -, at most 64 characters, beginning with a letter or digit"
)
# Names of files that mean devices on Windows, whatever their suffix.
DEVICE_NAMES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)
Name = Annotated[str, Matches(NAME_PATTERN, NAME_RULE)]
LayerName = Annotated[Name, Refers("layer")]
AlignedLayerName = Annotated[Name, Refers("layer", same_size=True)]
ReplacedLayerName = Annotated[Name, Refers("layer", same_size=True, replaced=True)]
CopiedLayerName = Annotated[Name, Refers("layer", copied=True)]
ObjectName = Annotated[Name, Refers("object")]
FILE_NAME_RULE = "the name of a file, with / between folders and without control characters"
FileName = Annotated[
    str,
    Within(1, 255, length=True),
    Matches(r"[^\x00-\x1f\x7f\\]+", FILE_NAME_RULE),
]
COLOR_PATTERN = r"#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?"
COLOR_RULE = "#rrggbb or #rrggbbaa"
Color = Annotated[str, Matches(COLOR_PATTERN, COLOR_RULE)]


def key_of(name: str) -> str:
    """Return the spec's key for the field `name`: `for` for `for_`."""
    return name.rstrip("_")


# Names of fields by the titles under which the reference and the studio list them.
OptionGroups = Mapping[str, tuple[str, ...]]
# The name of a file, and the path of the parameter that names it.
NamedFile = tuple[str, tuple[str | int, ...]]


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """Base class of the dataclasses that define what users may write."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    # Whether nothing can be made without the level's `visibility:`, nor at another size.
    needs_visibility: ClassVar[bool] = False
    # Whether a layer of these has the level's size, because it measures from cells of the level.
    needs_level_size: ClassVar[bool] = False
    # Fields that are in no group come first.
    option_groups: ClassVar[OptionGroups] = {}

    def changed(self, *names: str) -> str:
        """Return the first of the fields `names` that differs from its default.

        If none does, return the first of `names`. An error points at the result, so if possible at
        a field that the user wrote.
        """
        defaults = {field.name: field.default for field in fields(self)}
        return next((name for name in names if getattr(self, name) != defaults[name]), names[0])

    @cached_property
    def _refers_to(self) -> tuple[Reference, ...]:
        return tuple(
            Reference(rule, value, path)
            for rules, value, path in _texts(type(self), self, ())
            for rule in rules
            if isinstance(rule, Refers)
        )

    @cached_property
    def _file_names(self) -> tuple[NamedFile, ...]:
        return tuple(
            (value, path)
            for rules, value, path in _texts(type(self), self, ())
            if any(isinstance(rule, Matches) and rule.what == FILE_NAME_RULE for rule in rules)
        )

    def object_names(self) -> tuple[str, ...] | None:
        """Return the names of objects that a layer with these parameters makes.

        Return None if they come from a file: then only the finished layer has the names.
        """
        return ()

    def needs_ground(self) -> bool:
        """Return whether the generator reads the level's walkable cells."""
        return False

    def with_objects(self, counts: Mapping[str, int]) -> Parameters:
        """Return the parameters to estimate the cost with; by default unchanged.

        `counts` is how many objects of each name the spec requests, on which the cost may depend.
        """
        return self

    def may_have_other_tiles(self) -> bool:
        """Return whether the layer can have tiles its generator does not list.

        For example, tiles of another layer in fixed cells.
        """
        return False

    def check(self, width: int, height: int) -> None:
        """Refuse parameters that do not fit each other or the grid's size.

        Raises:
            ParameterError: A parameter does not fit; the error has its path.
        """


class Reference(NamedTuple):
    """A name in a parameter that means a layer or object of the level.

    `rule` says what may be named; `path` has the keys that lead to the parameter.
    """

    rule: Refers
    name: str
    path: tuple[str | int, ...]


def references(parameters: Parameters) -> list[Reference]:
    """Return all names of layers and objects in `parameters`, in field order."""
    return list(parameters._refers_to)


def file_names(parameters: Parameters) -> list[NamedFile]:
    """Return the files that `parameters` name, each with its parameter's path."""
    return list(parameters._file_names)


def _texts(
    annotation: Any, value: Any, path: tuple[str | int, ...], rules: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], str, tuple[str | int, ...]]]:
    """Yield each text inside `value`, with its annotation's metadata and path.

    `annotation` is that of `value`, which is at `path`; `rules` are metadata found further outside.
    """
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        yield from _texts(arguments[0], value, path, (*rules, *arguments[1:]))
    elif origin in (Union, types.UnionType):
        # Members differ in their rules, so that each text is yielded with those of one.
        for argument in arguments:
            yield from _texts(argument, value, path, rules)
    elif annotation is str and isinstance(value, str):
        yield rules, value, path
    elif origin is tuple and isinstance(value, tuple):
        for index, item in enumerate(value):
            inner = arguments[0] if ... in arguments else arguments[index]
            yield from _texts(inner, item, (*path, index))
    elif isinstance(value, dict) and len(arguments) == 2:
        for key, item in value.items():
            yield from _texts(arguments[1], item, (*path, key))
    elif isinstance(annotation, type) and is_dataclass(annotation) and type(value) is annotation:
        for name, hint in _fields_of_texts(annotation):  # type: ignore[arg-type]
            yield from _texts(hint, getattr(value, name), (*path, name))


@lru_cache(maxsize=1024)
def _fields_of_texts(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    """Return name and annotation of the fields of `kind` that can hold texts.

    The result is cached, since evaluating annotations can take longer than building a level.
    """
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        (field.name, hints[field.name])
        for field in fields(kind)
        if _may_hold_texts(hints[field.name])
    )


def _may_hold_texts(annotation: Any) -> bool:
    if get_origin(annotation) is Literal:
        return False
    if isinstance(annotation, type) and is_dataclass(annotation):
        return True
    arguments = get_args(annotation)
    if get_origin(annotation) is Annotated:
        arguments = arguments[:1]
    return annotation is str or any(map(_may_hold_texts, arguments))
