"""Compute the steps in which a layer is generated, in a builder process.

The result is a message to the studio's page: the complete first frame, and for each later frame its
exclusive or with the frame before, so that the page can go forward and back with the same data.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.build.build import Build
from exporter.build.traces import Steps, trace_layer
from exporter.model.errors import ParameterError
from exporter.studio.building import Memory, build_of
from exporter.studio.frames import BinaryMessage
from exporter.studio.tasks import BuildTask
from exporter.studio.views import StepsView

# Limit for the bytes of all frames, and so about of the message: 256 frames of 512 x 512 tiles.
MAXIMUM_BYTES = 1 << 26
# Layers of these roles are tried in this order, for one with more than one step.
_ROLES = ("play", "picture", "data", "none")
_INDEX_BYTES = 4


def steps_of_draft(task: BuildTask, view: StepsView, memory: Memory) -> bytes:
    """Return the message with the steps in which `view.layer` is generated.

    The draft is that of `task`; results of earlier builds are read from `memory`.

    Raises:
        ExporterError: The level cannot be built, or has no such layer.
    """
    return steps_message(traced(view.layer, build_of(task, memory), task, memory), view, task.facts)


def traced(name: str, displayed: Build, task: BuildTask, memory: Memory) -> Steps:
    """Generate a layer again and record its steps; other layers are cached.

    Args:
        name: The layer; empty for the first one that has more than one step.
        displayed: The finished build of the draft. Its spec has the seed that was found, and no
            limits that the level breaks.
        task: The task with the texts of the draft.
        memory: The results of earlier builds.

    Raises:
        ExporterError: The level has no such layer.
    """
    names = [name]
    if not name:
        names = [
            layer.name
            for layer in sorted(displayed.layers.values(), key=lambda item: _ROLES.index(item.role))
        ]
    if not names:
        raise ParameterError("the level has no layers (add one under `layers`)")
    first: Steps | None = None
    for candidate in names:
        build = Build(displayed.spec, task.root, cache=memory)
        steps = trace_layer(build, candidate, maximum_bytes=MAXIMUM_BYTES)
        if len(steps.frames) > 1:
            return steps
        first = first or steps
    assert first is not None
    return first


def steps_message(steps: Steps, view: StepsView, facts: dict[str, object]) -> bytes:
    """Return the binary message that shows the steps of a layer.

    `view` is the page's request, `facts` are further fields of the message.
    """
    frame = BinaryMessage()
    layer = steps.layer
    wide = any(item.cells.dtype == np.uint16 for item in steps.frames)
    kind: type[np.uint8 | np.uint16] = np.uint16 if wide else np.uint8
    before = steps.frames[0].cells.astype(kind)
    first = frame.array(before)
    reported: list[dict[str, Any]] = []
    for step in steps.frames:
        after = step.cells.astype(kind)
        reported.append({"label": step.label, **_changes(frame, before, after)})
        before = after
    header = {
        "event": view.event,
        **facts,
        **view.facts,
        "problem": None,
        "layer": layer.name,
        "width": layer.width,
        "height": layer.height,
        "tiles": [asdict(tile) for tile in steps.tiles],
        "heights": asdict(layer.heights) if layer.heights is not None else None,
        "thinned": steps.thinned,
        "first": first,
        "frames": reported,
    }
    return frame.message(header)


def _changes(frame: BinaryMessage, before: NDArray[Any], after: NDArray[Any]) -> dict[str, Any]:
    """Encode the difference of two frames in the smaller of two forms.

    `cells` has the indexes of differing cells, row by row, and `values` the exclusive or of their
    numbers. If `cells` is None, `values` has every cell.
    """
    differing: NDArray[Any] = np.bitwise_xor(before, after).ravel()
    places = np.flatnonzero(differing)
    bytes_each = differing.itemsize
    if places.size * (_INDEX_BYTES + bytes_each) < differing.size * bytes_each:
        return {
            "cells": frame.array(places.astype(np.int32)),
            "values": frame.array(differing[places]),
        }
    return {"cells": None, "values": frame.array(differing)}
