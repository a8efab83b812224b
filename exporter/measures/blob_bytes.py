"""Measure the size of a level as a blob."""

from __future__ import annotations

from exporter.measures import measure
from exporter.measures.measured import Measured
from exporter.model.errors import NotMeasurableError


@measure("blob_bytes", unit="bytes", needs=("level",), also=("size", "lvb"))
def blob_bytes(level: Measured) -> int:
    """Size of the level as a blob of the `small` profile.

    A field of view whose rule the readers of blobs do not know is left out, as in exports.
    """
    from exporter.blob import with_readable_sight, write_blob

    try:
        return len(write_blob(with_readable_sight(level.level.exported())))
    except ValueError as error:  # too large for the format, or nothing that it can hold
        raise NotMeasurableError(f"no blob can hold the level: {error}") from None
