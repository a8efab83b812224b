"""Tasks for a cluster that end the worker, or fail."""

from __future__ import annotations

import os


def do_task(task: bytes) -> bytes:
    """Answer in capitals, unless the task is to end or to fail."""
    if task == b"end":
        os._exit(1)
    if task == b"raise":
        raise ValueError("of a task")
    return task.upper()
