"""Build the level of a task, or a view of it, in the builder process.

The code of a view is imported on first use, so that the first level is shown sooner.
"""

from __future__ import annotations

from exporter.model.errors import ExporterError, SpecError
from exporter.studio.building import (
    Memory,
    build_displayed,
    build_of,
    is_shown_in_windows,
    spec_of,
)
from exporter.studio.frames import BinaryMessage
from exporter.studio.models import model_of_draft
from exporter.studio.tasks import BuildTask, TaskReply
from exporter.studio.views import (
    CardView,
    ComparisonView,
    OutputsView,
    OverlayView,
    ProvenMoveView,
    StepsView,
    StudioView,
)


def build_requested(task: BuildTask, memory: Memory) -> TaskReply:
    """Build the level or the view that `task` requests.

    If a view fails, the message has the reason. `memory` has the results of earlier builds.
    """
    if task.view is None:
        return build_displayed(task, memory)
    if isinstance(task.view, CardView):
        from exporter.studio.carded import card_of_spec

        return card_of_spec(task, task.view)
    try:
        return TaskReply(_message(task, task.view, memory))
    except SpecError as error:
        return TaskReply(task.refusal(error.problems[0].message))
    except ExporterError as error:
        return TaskReply(task.refusal(str(error)))


def _message(task: BuildTask, view: StudioView, memory: Memory) -> bytes:
    """Return the message with `view`, a view of the draft of `task`.

    Raises:
        ExporterError: The level cannot be built, or has no such view.
    """
    if isinstance(view, ComparisonView | OutputsView | StepsView):
        build_of(task, memory)  # says why a level cannot be built
        if is_shown_in_windows(spec_of(task)):
            raise ExporterError(
                "a world of this size is shown in windows, so this view is not available"
            )
    match view:
        case OverlayView():
            from exporter.studio.overlaid import overlay_of_draft

            return overlay_of_draft(task, view, memory)
        case StudioView("overview"):
            from exporter.studio.worlds import overview_message

            spec = spec_of(task)
            if not is_shown_in_windows(spec):
                raise ExporterError("the level is shown as a whole, without an overview")
            return overview_message(memory.world(task, spec).overview, task.facts)
        case StudioView("model"):
            return model_of_draft(task, memory)
        case StepsView():
            from exporter.studio.stepped import steps_of_draft

            return steps_of_draft(task, view, memory)
        case StudioView("pieces"):
            from exporter.studio.pieces import pieces_of_draft

            return pieces_of_draft(task, memory)
        case ProvenMoveView():
            return _proven_move(task, view, memory)
        case ComparisonView():
            from exporter.studio.compared import comparison_of_draft

            return comparison_of_draft(task, view, memory)
        case OutputsView():
            from exporter.studio.compared import outputs_of_draft

            return outputs_of_draft(task, view, memory)
    raise TypeError(f"nothing computes {view}")


def _proven_move(task: BuildTask, view: ProvenMoveView, memory: Memory) -> bytes:
    from exporter.build.missions import play_after_move

    level, _ = build_of(task, memory).level()
    play = play_after_move(level, view.id, view.to)
    return BinaryMessage().message(
        {"event": view.event, **task.facts, **view.facts, "problem": None, "play": play}
    )
