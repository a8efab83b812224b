"""The lines that the README begins with make a first level and show it, by uvx and by pipx.

They are run as they stand there, with a wheel of this checkout. The packages that it needs come
from the package index. Where that cannot be reached the tests are skipped, but not in CI.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from daemon_harness import wait_until
from pure_wheel import build_pure_wheel

ROOT = Path(__file__).resolve().parents[2]
REQUIRED = os.environ.get("LEVEL_EXPORTER_REQUIRE_ENGINES", "") not in ("", "0")
# How uv and pip say that they cannot reach the index.
_NO_INDEX = re.compile(
    "error sending request|Failed to fetch|client error|dns error|NewConnectionError|Network"
    "|from versions: none"
)
# A stand-in for a browser: it writes down the address.
_BROWSER = '#!/bin/sh\necho "$1" >"$OPENED"\n'

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the shell's lines are run by sh")


def first_lines() -> list[str]:
    """Return the README's commands for uvx, without their comments."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^(?:    uvx .*\n)+", readme, re.M)
    return [line.partition("#")[0].strip() for line in block.splitlines()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("setuptools")
    return build_pure_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables with which uv and pipx find nothing of the machine's and leave nothing on it."""
    folder = tmp_path_factory.mktemp("tools")
    browser = folder / "browser"
    browser.write_text(_BROWSER, "utf-8")
    browser.chmod(0o755)
    left_out = ("PYTHONPATH", "VIRTUAL_ENV", "UV", "PYTHONWARNINGS")
    return {
        **{name: value for name, value in os.environ.items() if name not in left_out},
        "PATH": os.pathsep.join([str(tool_folder(folder)), "/usr/bin", "/bin"]),
        "HOME": str(folder / "home"),
        "UV_CACHE_DIR": str(folder / "uv"),
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
        "PIPX_HOME": str(folder / "pipx"),
        "PIPX_DEFAULT_PYTHON": sys.executable,
        "LEVEL_EXPORTER_HOME": str(folder / "state"),
        "BROWSER": str(browser),
        "OPENED": str(folder / "opened"),
        # Interpreted code says so.
        "PYTHONWARNINGS": "ignore",
    }


def tool_folder(folder: Path) -> Path:
    """Make a folder with uv, uvx and pipx alone: no exporter is on the PATH."""
    scripts = Path(sysconfig.get_path("scripts"))
    tools = folder / "bin"
    tools.mkdir()
    for name in ("uv", "uvx", "pipx"):
        if not (scripts / name).exists():
            missing = f"{name} is not installed (the extra `test` has it)"
            pytest.fail(missing) if REQUIRED else pytest.skip(missing)
        (tools / name).symlink_to(scripts / name)
    return tools


def run(line: str, folder: Path, environment: dict[str, str]) -> str:
    """Run a line in a shell; return its output. It must succeed, if it can reach the index."""
    for attempt in range(3):
        time.sleep(5 * attempt)
        done = subprocess.run(
            line,
            shell=True,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
        )
        if done.returncode == 0 or not _NO_INDEX.search(done.stderr):
            break  # else the index may answer in a moment
    if done.returncode and not REQUIRED and _NO_INDEX.search(done.stderr):
        pytest.skip(f"the package index cannot be reached: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout


@contextmanager
def running(line: str, folder: Path, environment: dict[str, str], says: str) -> Iterator[None]:
    """Run a line until the block ends, which begins when it has printed a text."""
    process = subprocess.Popen(
        line,
        shell=True,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    lines = []
    try:
        for text in process.stdout:
            lines.append(text)
            if says in text:
                break
        else:
            pytest.fail(f"{line}\n{''.join(lines)}")
        yield
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=120)


@pytest.mark.parametrize("tool", ["uvx", "pipx"])
def test_the_first_lines_make_a_level_and_show_it(
    tool: str, wheel: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    init, watch = (line.replace("WHEEL", str(wheel)) for line in first_lines())
    assert init == f"uvx --from {wheel} exporter init my-game"
    if tool == "pipx":
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        assert "`pipx run --spec WHEEL exporter`" in readme
        init, watch = (
            line.replace("uvx --from", "pipx run --spec").replace("WHEEL", str(wheel))
            for line in (init, watch)
        )
    reported = run(init, tmp_path, environment)
    game = tmp_path / "my-game"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my-game"]
    assert (game / "levels" / "first_cavern.level.yaml").is_file()
    opened = Path(environment["OPENED"])
    opened.unlink(missing_ok=True)
    # Its next steps are those of the README, but for the picture.
    following = reported.splitlines()[-1].removeprefix("next: ")
    assert watch == f"{following} --serve"
    with running(watch, tmp_path, environment, "watching 1 level"):
        wait_until(lambda: opened.exists() and opened.read_text(encoding="utf-8") != "")
        # The browser is opened with a file that leads on, so that no other user sees the token.
        file = Path(opened.read_text(encoding="utf-8").strip().removeprefix("file://"))
        (address,) = re.findall(r'url=(http://127\.0\.0\.1:[^"]+)"', file.read_text())
        with urllib.request.urlopen(address, timeout=60) as page:
            assert b"<title>" in page.read()
    for file in ("project.godot", "main.tscn", "generated/levels/first_cavern.tscn"):
        assert (game / file).is_file()
    with running(following, tmp_path, environment, "watching 1 level"):
        pass
