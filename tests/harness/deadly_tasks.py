"""Tasks for a cluster that end the worker, or fail."""

from __future__ import annotations

import os
from time import sleep


def do_task(task: bytes) -> bytes:
    """Answer in capitals, unless the task is to end or to fail; at once, or after a time."""
    if task == b"end late":
        sleep(0.3)
    if task.startswith(b"end"):
        os._exit(1)
    if task == b"slow":
        sleep(1.5)
    if task == b"raise":
        raise ValueError("of a task")
    return task.upper()
