"""Run the command line: `python -m exporter`, and the program `exporter`."""

import gc
import os
import sys

from exporter.model.exit_codes import ExitCode


def run() -> int:
    """Run the command line and return its exit code.

    The process must do nothing else, because garbage is collected seldom, and not at the end:
    searching for cycles in what a command has just imported takes a seventh of the time, half of
    that at the end of the process, which frees all memory anyway. Nothing here multiplies large
    matrices, but the threads that numpy starts for that wait busily: two fifths of its import.
    """
    gc.set_threshold(10_000)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Python's processes for workers would else import modules that lie in the current folder, which
    # may be a stranger's project, or a checkout without compiled kernels.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    try:
        # Importing takes long enough to be interrupted.
        from exporter.cli.main import main

        return main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED
    finally:
        gc.freeze()


if __name__ == "__main__":
    sys.exit(run())
