"""Computes an overlay of a draft for the page, in the process that builds levels."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np

from exporter.model.errors import ExporterError, SpecError
from exporter.overlays._compute import compute_overlay
from exporter.overlays._maps import Circle, Label, Mark, OverlayMap, palette
from exporter.studio.building import Memory, build_shown
from exporter.studio.frames import Frame
from exporter.studio.tasks import BuildTask, Shown


def build_wanted(task: BuildTask, memory: Memory) -> Shown:
    """Build what a task wants: the level that is shown, or an overlay of it."""
    return build_overlaid(task, memory) if task.overlay else build_shown(task, memory)


def build_overlaid(task: BuildTask, memory: Memory) -> Shown:
    """Return the message with an overlay of a draft; what cannot be shown is told in it.

    The build of the level that is shown serves, which was the last one; else it is made again.
    """
    wanted = task.content, task.edits, task.file, task.pinned
    if memory.latest is None or memory.latest[0] != wanted:
        memory.latest = None
        shown = build_shown(replace(task, overlay=""), memory)
        if memory.latest is None:
            return _refusal(task, f"the level cannot be built: {shown.problems[0].message}")
    try:
        found = compute_overlay(task.overlay, memory.latest[1], memory)
    except SpecError as error:
        return _refusal(task, error.problems[0].message)
    except ExporterError as error:
        return _refusal(task, str(error))
    return Shown(overlay_message(found, task.overlay, task.facts))


def overlay_message(found: OverlayMap, name: str, facts: dict[str, object]) -> bytes:
    """Return the message that shows an overlay.

    Args:
        found: The overlay.
        name: As the page has asked for it.
        facts: What else belongs into the message.
    """
    frame = Frame()
    header = {
        "event": "overlay",
        **facts,
        "name": name,
        "problem": None,
        "values": frame.array(found.values),
        "palette": frame.array(palette(found)),
        "classes": [asdict(one) for one in found.classes],
        "scale": asdict(found.scale) if found.scale is not None else None,
        "marks": [_mark(frame, mark) for mark in found.marks],
    }
    return frame.message(header)


def _mark(frame: Frame, mark: Mark) -> dict[str, Any]:
    if isinstance(mark, Circle):
        return {"kind": "circle", **asdict(mark)}
    if isinstance(mark, Label):
        return {"kind": "label", **asdict(mark)}
    return {"kind": "path", "cells": frame.array(np.array(mark.cells, np.int32))}


def _refusal(task: BuildTask, text: str) -> Shown:
    header = {"event": "overlay", **task.facts, "name": task.overlay, "problem": text}
    return Shown(Frame().message(header))
