"""Check a software bill of materials (SBOM) against the installation.

    python .ci/check-sbom.py sbom.json

The Python is of an environment with only the exporter and its dependencies.
"""

import json
import re
import sys
from importlib.metadata import distributions
from pathlib import Path

# An environment has them from the start; the list is made of one that does not.
INSTALLERS = {"pip", "setuptools"}


def main(path: Path) -> int:
    """Compare names and versions; print differences."""
    reported = json.loads(path.read_text(encoding="utf-8"))["components"]
    listed = {(normalized(item["name"]), item["version"]) for item in reported}
    installed = {(normalized(distribution.metadata["Name"]), distribution.version) for distribution in distributions()}
    installed = {item for item in installed if item[0] not in INSTALLERS}
    wrong = sorted(listed ^ installed)
    for name, version in wrong:
        which = "not installed" if (name, version) in listed else "not in the list"
        print(f"check-sbom: {name} {version} is {which}", file=sys.stderr)
    if "level-exporter" not in dict(listed):
        wrong.append(("level-exporter", ""))
        print("check-sbom: the exporter is not in the list", file=sys.stderr)
    if not wrong:
        print(f"the SBOM lists the {len(listed)} packages of an installation")
    return 1 if wrong else 0


def normalized(name: str) -> str:
    """Return a package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
