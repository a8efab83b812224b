"""Make the 3D model of a draft's level, in a builder process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.model.errors import ExporterError
from exporter.studio.tasks import BuildTask

if TYPE_CHECKING:
    from exporter.studio.building import Memory

# Models of larger levels take seconds, and more memory than browsers have.
MOST_CELLS = 1 << 20


def model_of_draft(task: BuildTask, memory: Memory) -> bytes:
    """Return the message with the 3D model of a level, as binary glTF.

    The level is that of the draft of `task`; results of earlier builds are read from `memory`.

    Raises:
        ExporterError: The level cannot be built, or is too large for a model.
    """
    import numpy as np

    from exporter.formats.gltf.model import LONGEST_SIDE, level_model
    from exporter.studio.building import build_of
    from exporter.studio.frames import BinaryMessage

    level, _ = build_of(task, memory).level()
    cells = level.width * level.height
    if not level.play_layers():
        # Heights are shown by their own samples, which may be more.
        cells = max([cells, *(layer.cells.size for layer in level.height_layers())])
    if cells > MOST_CELLS:
        raise ExporterError(
            f"{cells:,} cells are too many to look at in three dimensions "
            f"(at most {MOST_CELLS:,}; a `gltf` target exports them)"
        )
    longest = max(level.width, level.height)
    if longest > LONGEST_SIDE:
        raise ExporterError(
            f"{longest:,} cells a side are too many for a model (at most {LONGEST_SIDE:,})"
        )
    frame = BinaryMessage()
    model = np.frombuffer(level_model(level.exported()), np.uint8)
    header = {"event": "model", **task.facts, "problem": None, "model": frame.array(model)}
    return frame.message(header)
