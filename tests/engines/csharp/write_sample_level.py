"""Export the level of the Unity package's sample `Cavern`, as `exporter export` would.

    PYTHONPATH=. python tests/engines/csharp/write_sample_level.py

The package contains the files for its importer and its sample game, so that they show a level
before anything is exported. The places of the guids are in the package: a level `cavern` of a game
gets other ones.
"""

from __future__ import annotations

from pathlib import Path

import exporter
from exporter.targets import TARGETS

FOLDER = "Packages/com.levelexporter.unity/Samples~/Cavern"
SAMPLE = (
    Path(__file__).parents[3]
    / "templates"
    / "unity"
    / "com.levelexporter.unity"
    / "Samples~"
    / "Cavern"
)
RETAINED = ("cavern.lvb", "cavern.tileset.png", "cavern.tileset.json", "cavern.ground.png")


def sample_files() -> dict[str, bytes]:
    """Return the files of the exported level by their names."""
    level = exporter.build_level(exporter.load_level(SAMPLE / "cavern.level.yaml"))
    target = TARGETS.get("unity")
    exported = target.export(level, target.options(path="Levels"), FOLDER)
    files = {artifact.name: artifact.data for artifact in exported.artifacts}
    return {
        name: files[name] for remaining in RETAINED for name in (remaining, f"{remaining}.meta")
    }


def main() -> None:
    """Write the files that are missing or different."""
    for name, data in sample_files().items():
        position = SAMPLE / name
        if not position.exists() or position.read_bytes() != data:
            position.write_bytes(data)
            print(name)


if __name__ == "__main__":
    main()
