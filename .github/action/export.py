"""Exports the project, or checks its outputs, and keeps the report for the summary.

Problems go to the runner as annotations of the specs' lines. The exit code is the exporter's.
"""

import json
import os
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Run the exporter; tell the runner where its report is and which levels changed."""
    report = Path(os.environ["RUNNER_TEMP"]) / "level-exporter-report.json"
    command = [sys.executable, "-m", "exporter", "export", "--json", "--annotations", "github"]
    if os.environ.get("EXPORTER_CHECK") == "true":
        command.append("--check")
    # The folder follows `--`, so that none is taken for an option.
    done = subprocess.run(
        [*command, "--", os.environ["EXPORTER_PROJECT"]], stdout=subprocess.PIPE, check=False
    )
    report.write_bytes(done.stdout)
    try:
        levels = json.loads(done.stdout)["levels"]
    except ValueError:
        return done.returncode or 1  # it was told on standard error
    counts = dict.fromkeys(("built", "unchanged", "failed"), 0)
    for level in levels:
        counts[level["status"]] += 1
    print(", ".join(f"{number} {status}" for status, number in counts.items()), flush=True)
    changed = [level["level"] for level in levels if level["written"]]
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as outputs:
        # JSON has no line ends of its own, so that no name can set another output.
        outputs.write(f"report={report}\nchanged={json.dumps(changed)}\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
