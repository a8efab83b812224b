"""How large a level is as a blob."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured
from exporter.model.errors import NotMeasurableError


@metric("blob_bytes", unit="bytes", needs=("level",), also=("size", "bytes", "blob_size", "lvb"))
def measure(measured: Measured) -> int:
    """Size of the level as a blob of the `small` profile, without layers of the role `none`.

    It takes longer than the level itself.
    """
    from exporter.blob import UnstorableError, write_blob

    try:
        return len(write_blob(measured.level.exported()))
    except UnstorableError as error:
        raise NotMeasurableError(f"no blob can hold the level: {error}") from None
