"""Builds what a task wants, in the process that builds levels: the level, or a view of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exporter.model.errors import ExporterError, SpecError
from exporter.studio.building import Memory, build_shown
from exporter.studio.compared import comparison_of_draft, outputs_of_draft
from exporter.studio.comparison_view import ComparisonView, OutputsView
from exporter.studio.overlaid import overlay_of_draft
from exporter.studio.overlay_view import OverlayView
from exporter.studio.stepped import steps_of_draft
from exporter.studio.steps_view import StepsView
from exporter.studio.tasks import BuildTask, Shown, View

# What computes the message with each kind of view.
VIEWS: dict[type[View], Callable[[BuildTask, Any, Memory], bytes]] = {
    OverlayView: overlay_of_draft,
    StepsView: steps_of_draft,
    ComparisonView: comparison_of_draft,
    OutputsView: outputs_of_draft,
}


def build_wanted(task: BuildTask, memory: Memory) -> Shown:
    """Build what a task wants; why a view cannot be made is told in its message."""
    if task.view is None:
        return build_shown(task, memory)
    try:
        return Shown(VIEWS[type(task.view)](task, task.view, memory))
    except SpecError as error:
        return Shown(task.refusal(error.problems[0].message))
    except ExporterError as error:
        return Shown(task.refusal(str(error)))
