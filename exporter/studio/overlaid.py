"""Compute an overlay on a draft's level, in a builder process."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from exporter.build.observed import compute_overlay
from exporter.measures.maps import Circle, Label, Mark, OverlayMap, palette
from exporter.studio.building import Memory, build_of
from exporter.studio.frames import BinaryMessage
from exporter.studio.tasks import BuildTask
from exporter.studio.views import OverlayView


def overlay_of_draft(task: BuildTask, view: OverlayView, memory: Memory) -> bytes:
    """Return the message with the overlay that `view` names.

    The overlay is computed on the level of the draft of `task`; results of earlier builds are read
    from `memory`.

    Raises:
        ExporterError: The level has no such overlay.
    """
    overlay = compute_overlay(view.name, build_of(task, memory), memory)
    return overlay_message(overlay, view.name, task.facts)


def overlay_message(result: OverlayMap, name: str, facts: dict[str, object]) -> bytes:
    """Return the binary message that shows the overlay `result`.

    `name` is the overlay's name as the page requested it; `facts` are further fields of the
    message.
    """
    frame = BinaryMessage()
    header = {
        "event": "overlay",
        **facts,
        "name": name,
        "problem": None,
        "values": frame.array(result.values),
        "palette": frame.array(palette(result)),
        "classes": [asdict(item) for item in result.classes],
        "scale": asdict(result.scale) if result.scale is not None else None,
        "marks": [_mark(frame, mark) for mark in result.marks],
    }
    return frame.message(header)


def _mark(frame: BinaryMessage, mark: Mark) -> dict[str, Any]:
    if isinstance(mark, Circle):
        return {"kind": "circle", **asdict(mark)}
    if isinstance(mark, Label):
        return {"kind": "label", **asdict(mark)}
    return {"kind": "path", "cells": frame.array(np.array(mark.cells, np.int32))}
