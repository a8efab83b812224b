"""Check an installed exporter without processes: build, then read back.

    python .ci/check-built.py sample_project/levels/cavern.level.yaml

`cibuildwheel` runs it with the wheel for browsers.
"""

import sys

import exporter


def main(spec: str) -> int:
    """Build a level, write its blob, and compare the decoded one."""
    level = exporter.build_level(exporter.load_level(spec))
    again = exporter.read_blob(exporter.write_blob(level))
    for name, layer in level.layers.items():
        if not (again.layers[name].cells == layer.cells).all():
            print(f"{spec}: layer {name} was not read back as it was written", file=sys.stderr)
            return 1
    print(
        f"exporter {exporter.__version__} on {sys.platform}: "
        f"{level.name}, {len(level.layers)} layers"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
