"""Describe the format of level specs in short topics.

A topic is one of:

    section     a key of the spec, such as `objects`: its keys, and an example that runs
    generator   a generator by name: its keys, and an example that runs
    mapping     a class of mappings inside other topics, such as `Step`: its keys
    list        `topics`, `generators`, `measures` or `overlays`: their names

The keys come from the dataclasses that check specs.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from exporter.agents.answers import MAXIMUM_TEXT, Answer, RefusedCallError, size_of
from exporter.generators import GENERATORS
from exporter.measures import metrics, overlays
from exporter.missions.parameters import LockParameters, MissionParameters
from exporter.model.parameters import key_of
from exporter.model.suggestions import unknown_name
from exporter.placement.parameters import ObjectParameters
from exporter.project.reference import wording
from exporter.project.reference.examples import example_spec
from exporter.reading.level_keys import (
    LayerOptions,
    LevelDocument,
    SeedSearch,
    VisibilityParameters,
)
from exporter.reading.limit_keys import LevelRequirements

_CAVE = (
    "size: [64, 40]\nseed: 7\nlayers:\n  ground: {generator: cellular_caves, connect: guaranteed}\n"
)
_OBJECTS = (
    "objects:\n  - {name: entrance, clear_radius: 1}\n"
    "  - {name: chest, count: 3, far_from: entrance, min_distance: 20, spacing: 6}\n"
)
_SECTIONS: dict[str, tuple[type[Any], str, str]] = {
    "level": (LevelDocument, "The keys of a spec.", _CAVE + _OBJECTS),
    "layers": (
        LayerOptions,
        "Layers by name, in order; a later layer can read an earlier one. Each has a `generator` "
        "(topic `generators`), that generator's keys (its own topic), and these.",
        _CAVE + "  rooms: {generator: bsp_rooms, role: none}\n"
        "  both: {generator: union, layers: [ground, rooms]}\n",
    ),
    "objects": (
        ObjectParameters,
        "A list; each entry places `count` objects on walkable cells that meet all its demands.",
        _CAVE + _OBJECTS,
    ),
    "require": (
        LevelRequirements,
        "What the level must keep, or it is not exported; every measure is a key, too.",
        _CAVE + _OBJECTS + "require: {farthest: {at_least: 60}, objects.chest: {at_least: 3}}\n",
    ),
    "mission": (
        MissionParameters,
        "Locks and keys between a start and a goal; no order of play can lose the goal. The "
        "mission places what it names.",
        "size: [80, 60]\nlayers:\n  ground: {generator: bsp_rooms}\n"
        "mission:\n  start: entrance\n  goal: throne\n  locks: [{name: red, kind: key}]\n",
    ),
    "locks": (
        LockParameters,
        "Locks of a mission: a list. The mission places their keys `NAME_key`.",
        "size: [80, 60]\nlayers:\n  ground: {generator: bsp_rooms}\n"
        "mission:\n  start: entrance\n  goal: throne\n  optional: [treasure]\n"
        "  locks: [{name: red, kind: key}, {name: vault, kind: key, for: treasure}]\n",
    ),
    "visibility": (
        VisibilityParameters,
        "The field of view of every cell.",
        _CAVE + "visibility: {layer: ground, radius: 8}\n",
    ),
    "seed": (
        SeedSearch,
        "A number or a text; or a search for the first seed whose level meets a condition.",
        _CAVE.replace("seed: 7", "seed: {search: 500, where: farthest >= 80}"),
    ),
}
# A longer list of allowed values is left out, because the sentence after it says more.
_LONGEST_ALLOWED = 120
_LISTS = ("topics", "generators", "measures", "overlays")


def topics() -> list[str]:
    """Return the names of all topics that `describe` knows."""
    return [*_SECTIONS, *_LISTS, *GENERATORS.names(), *_mappings()]


@cache
def _mappings() -> dict[str, type[Any]]:
    """Return the classes of mappings inside other topics, by name."""
    waiting = [kind for kind, _, _ in _SECTIONS.values()]
    waiting += [entry.parameters for entry in GENERATORS.all().values()]
    known: dict[str, type[Any]] = {}

    def note(nested: type[Any]) -> str:
        if nested.__name__ not in known:
            known[nested.__name__] = nested
            waiting.append(nested)
        return nested.__name__

    while waiting:
        for hint in wording.hints_of(waiting.pop()).values():
            wording.allowed(hint, note)
    return known


def describe(topic: str) -> Answer:
    """Return the keys that a part of a spec allows, with an example.

    `topic` is one of `topics`. For a topic that is a list, such as `generators`, return the names
    in the list, each with a sentence about it except for `topics`.

    Raises:
        RefusedCallError: No topic has that name.
    """
    if topic in _SECTIONS:
        kind, about, example = _SECTIONS[topic]
        return _describe_keys(about, example, kind)
    if topic == "topics":
        return {"topics": topics()}
    if topic == "generators":
        return {name: _sentence(entry.summary) for name, entry in GENERATORS.all().items()}
    if topic == "measures":
        return {str(_topic_of(metric)): _sentence(metric.summary) for metric in metrics().values()}
    if topic == "overlays":
        return {name: _sentence(item.summary) for name, item in overlays().items()}
    if (kind_named := _mappings().get(topic)) is not None:
        about = (kind_named.__doc__ or "").partition("\n\n")[0]
        return {"about": " ".join(about.split()), "keys": list(_keys(kind_named, whole=True))}
    if topic not in GENERATORS.names():
        raise RefusedCallError(unknown_name("topic", topic, topics()))
    entry = GENERATORS.get(topic)
    return _describe_keys(entry.summary, example_spec(entry) or "", entry.parameters)


def _describe_keys(about: str, example: str, kind: type[Any]) -> Answer:
    """Return `about`, `example` and the keys of the dataclass `kind`.

    If the answer is too large, each key has only its first sentence.
    """
    for whole in (True, False):
        answer = {"about": about, "example": example, "keys": list(_keys(kind, whole))}
        if size_of(answer) <= MAXIMUM_TEXT:
            break
    return answer


def _topic_of(measure: Any) -> str:
    return ".".join([measure.name, *(argument.upper() for argument in measure.arguments)])


def _keys(kind: type[Any], whole: bool) -> Iterator[str]:
    """Yield a line for each key of `kind`: allowed values, default and effect.

    Unless `whole`, the effect is cut to its first sentence.
    """
    hints = wording.hints_of(kind)
    for field in dataclasses.fields(kind):
        hint = hints[field.name]
        if field.name.startswith("_"):
            continue
        allowed = wording.allowed(hint, lambda nested: f"mapping of {nested.__name__}")
        if len(allowed) > _LONGEST_ALLOWED:
            allowed = allowed.partition(" of ")[0]
        default = wording.default(field)
        text = wording.about(hint).text
        about = " ".join(text.split()) if whole else _sentence(text)
        ending = f" (default {default})" if default != "none" else ""
        yield f"{key_of(field.name)}: {_plain(allowed)}{_plain(ending)}. {_plain(about)}"


def _sentence(text: str) -> str:
    return re.split(r"(?<=[.;])\s", " ".join(text.split()), maxsplit=1)[0]


def _plain(text: str) -> str:
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("\\|", "|")
