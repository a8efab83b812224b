"""Runs a piece of Python in a new process and measures its costs."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

# An address space well above the limits of tests: an allocation that fails is not mistaken for a
# refusal, and a mistake does not take the machine along.
ADDRESS_SPACE = 8 << 30

_PROGRAM = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))
def peak():
    # Linux counts the memory of the process that started this one in the answer of `getrusage`.
    try:
        with open("/proc/self/status") as lines:
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        pass
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
{setup}
before = peak()
answer = None
{code}
print(json.dumps({{"answer": answer, "bytes": peak() - before}}))
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """The code's `answer`, and by how much it raised the process's memory."""

    answer: Any
    bytes: int


def measured(setup: str, code: str, seconds: float = 120) -> Measured:
    """Run `setup`, then `code`, which leaves its result in `answer`, in another process."""
    program = _PROGRAM.format(limit=ADDRESS_SPACE, setup=setup, code=code)
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Measured(**json.loads(done.stdout))
