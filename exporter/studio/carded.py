"""Draw the picture of a card on the start page, in a builder process."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.build.build import Build
from exporter.build.costs import check_costs
from exporter.formats.preview import picture_bytes, preview_pixels
from exporter.model.errors import ExporterError, SpecError
from exporter.model.level import Level
from exporter.studio.building import is_shown_in_windows, spec_of
from exporter.studio.tasks import BuildTask, TaskReply
from exporter.studio.views import CardView

# The longer side of a picture in pixels, at most; a card is at most half as wide.
SIDE = 384
_SCALES = (16, 8, 4, 2, 1)


def card_of_spec(task: BuildTask, view: CardView) -> TaskReply:
    """Draw the small picture of a level for a card of the start page.

    `task` has the spec of the level; `view` names the card, and the layer to draw. The reply also
    lists the files that the picture depends on. The picture is empty if the level cannot be built.
    """
    build = None
    try:
        spec = spec_of(task)
        if is_shown_in_windows(spec):
            from exporter.studio.worlds import ShownWorld

            world = ShownWorld(spec, task.root)
            return TaskReply(
                view.message(_enlarged(world.overview.picture())), files=(*world.files.hashes,)
            )
        check_costs(spec, task.max_seconds)
        build = Build(spec.without_limits(), task.root)
        level, _ = build.level()
    except ExporterError as error:
        # Also files that are missing: the level has a picture when they are there.
        files = error.files if isinstance(error, SpecError) else ()
        files = (*build.files.hashes,) if build is not None else files
        why = error.problems[0].message if isinstance(error, SpecError) else str(error)
        return TaskReply(view.message(b"", why), files=files)
    if view.layer:
        level = replace(level, layers={view.layer: level.layers[view.layer]}, objects=())
    return TaskReply(view.message(_picture(level)), files=(*build.files.hashes,))


def _picture(level: Level) -> bytes:
    longer = max(level.width, level.height)
    scale = next((scale for scale in _SCALES if scale * longer <= SIDE), 1)
    pixels, _ = preview_pixels(level, scale=scale)
    step = -(-longer * scale // SIDE)
    first, left = (min(step // 2, side - 1) for side in pixels.shape[:2])
    return picture_bytes(np.ascontiguousarray(pixels[first::step, left::step]), 1)


def _enlarged(picture: NDArray[np.uint8]) -> bytes:
    """Return a world's overview as a PNG, enlarged to the size of other cards."""
    scale = max(1, SIDE // max(picture.shape))
    return picture_bytes(picture[..., :3].repeat(scale, axis=0).repeat(scale, axis=1), scale)
