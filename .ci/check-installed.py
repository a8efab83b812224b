"""Check an installed exporter: compiled kernels, and a project's export.

    python .ci/check-installed.py sample_project

Uses no compiler and nothing of the source but the project, which is copied first. `cibuildwheel`
runs it with each wheel, `.ci/build-wheel` with the one that is made here.
"""

import importlib
import json
import os
import pkgutil
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def main(project: Path) -> int:
    """Check the package installed with this Python; print the measurements."""
    import exporter
    import exporter.kernels
    from exporter.studio.page_files import page_files

    package = Path(exporter.__file__).parent
    source = Path(__file__).resolve().parents[1]
    if package.is_relative_to(source) and "site-packages" not in package.parts:
        return refuse(f"{package} is the source, not an installed exporter")
    names = [iter_module.name for iter_module in pkgutil.iter_modules([str(package / "kernels")])]
    kernels = [name for name in names if not name.startswith("_")]
    files = [str(importlib.import_module(f"exporter.kernels.{name}").__file__) for name in kernels]
    interpreted = [Path(file).stem for file in files if file.endswith(".py")]
    if not kernels or interpreted:
        return refuse(f"not compiled: {', '.join(interpreted) or 'there are no kernels'}")
    if "/main.js" not in page_files():
        return refuse("the studio's page is not there")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(project, copy)
        # A folder without programs: neither a compiler nor Git is found.
        environment = {**os.environ, "PATH": folder, "LEVEL_EXPORTER_HOME": f"{folder}/home"}
        command = [sys.executable, "-m", "exporter", "export", str(copy), "--json"]
        started = time.perf_counter()
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        seconds = time.perf_counter() - started
        if done.returncode:
            return refuse(f"the export failed: {done.stdout}{done.stderr}")
        levels = json.loads(done.stdout)["levels"]
        files = [copy / output["path"] for level in levels for output in level["outputs"]]
        missing = [file for file in files if not file.is_file()]
        if not files or missing:
            return refuse(f"{len(missing)} of {len(files)} files were not written")
    print(
        f"exporter {exporter.__version__} on Python {sys.version.split()[0]}: {len(kernels)} "
        f"compiled kernels, {len(levels)} levels, {len(files)} files in {seconds:.1f} s"
    )
    return 0


def refuse(reason: str) -> int:
    """Report a fault and exit."""
    print(f"check-installed: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(refuse("say which project is to be exported"))
    sys.exit(main(Path(sys.argv[1]).resolve()))
