"""What `exporter init` says to type next can be typed: however the exporter was started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from exporter.cli import own_command
from exporter.cli.main import main
from exporter.cli.own_command import installing_commands, quoted

HALLS = os.path.join(".", "halls")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, no command on the PATH, no uv and no pipx."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setattr(sys, "argv", ["somewhere"])
    return folder


def in_environment(monkeypatch: pytest.MonkeyPatch, prefix: Path, *, script: bool = True) -> Path:
    """Pretend to run in an environment; return its folder of scripts."""
    scripts = prefix / "bin"
    scripts.mkdir(parents=True)
    for name in ("exporter", "python") if script else ("python",):
        path = scripts / (f"{name}.exe" if os.name == "nt" else name)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    monkeypatch.setattr(sys, "prefix", str(prefix))
    monkeypatch.setattr(sys, "executable", str(scripts / "python"))
    monkeypatch.setattr(sysconfig, "get_path", lambda *_: str(scripts))
    return scripts


def installed_from(monkeypatch: pytest.MonkeyPatch, reported: object) -> None:
    """Pretend that an installer wrote down where the exporter came from."""

    class Distribution:
        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return None if reported is None else json.dumps(reported)

    monkeypatch.setattr(own_command, "_distribution", Distribution)


def test_an_environment_that_is_not_activated_is_named(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scripts = in_environment(monkeypatch, here / ".venv")
    script = os.path.join(".venv", "bin", "exporter")
    assert own_command.own_command() == script
    assert main(["init", "game"]) == 0
    assert capsys.readouterr().out.endswith(f"next: {script} watch game\n")
    python = os.path.join(".venv", "bin", "python")
    install = f"{python} -m pip install -e {HALLS}"
    assert installing_commands(Path("halls")) == [install, script]
    monkeypatch.setenv("PATH", str(scripts))
    assert own_command.own_command() == "exporter"
    assert installing_commands(Path("halls")) == [install, "exporter"]
    # Environments that uv makes have no pip.
    monkeypatch.setattr(own_command, "_has_pip", lambda: False)
    install = f"uv pip install --python {python} -e {HALLS}"
    assert installing_commands(Path("halls")) == [install, "exporter"]


def test_the_command_of_another_environment_is_not_ours(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "exporter"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    own = in_environment(monkeypatch, tmp_path / "own environment") / "exporter"
    assert own_command.own_command() == f'"{own}"'
    other.unlink()
    other.symlink_to(own)  # as `pipx install` and `uv tool install` do
    assert own_command.own_command() == "exporter"


def test_where_there_is_no_script_it_is_a_module_of_this_python(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_environment(monkeypatch, here / "python", script=False)
    python = os.path.join("python", "bin", "python")
    assert own_command.own_command() == f"{python} -m exporter"


@pytest.mark.parametrize("where", ["url", "git", "commit", "index", "near", "far", "here"])
def test_after_uvx_and_pipx_run_the_source_is_said_again(
    where: str, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = {"url": "https://host/x.git", "vcs_info": {"vcs": "git", "commit_id": "12ab"}}
    tagged = {**git, "vcs_info": {"vcs": "git", "commit_id": "12ab", "requested_revision": "v1"}}
    near, far = here / "a.whl", tmp_path / "my wheels" / "a.whl"
    reported, source = {
        "url": ({"url": "https://host/a.whl", "archive_info": {}}, "https://host/a.whl"),
        "git": (tagged, "git+https://host/x.git@v1"),
        "commit": (git, "git+https://host/x.git"),
        "index": (None, "level-exporter"),
        "near": ({"url": near.as_uri(), "archive_info": {}}, f".{os.sep}a.whl"),
        "far": ({"url": far.as_uri(), "archive_info": {}}, f'"{far}"'),
        "here": ({"url": here.as_uri(), "dir_info": {}}, "."),
    }[where]
    installed_from(monkeypatch, reported)
    cache = tmp_path / "cache"
    scripts = in_environment(monkeypatch, cache / "archive-v0" / "abc")
    (cache / "CACHEDIR.TAG").write_text("")
    # uv puts the environment on the PATH of the process that it starts.
    monkeypatch.setenv("PATH", os.pathsep.join([str(scripts), str(tmp_path)]))
    monkeypatch.setenv("UV", "/bin/uv")
    assert own_command.own_command() == f"uvx --from {source} exporter"
    halls = f"uvx --from {source} --with-editable {HALLS} exporter"
    assert installing_commands(Path("halls")) == [halls]
    monkeypatch.delenv("UV")
    monkeypatch.setenv("PATH", str(tmp_path))
    (cache / "archive-v0" / "abc" / "pipx_metadata.json").write_text("{}")
    assert own_command.own_command() == f"pipx run --spec {source} exporter"
    assert installing_commands(Path("halls")) == [
        f"pipx install {source}",
        f"pipx inject --editable level-exporter {HALLS}",
        "exporter",
    ]


@pytest.mark.parametrize("tool", ["pipx", "uv"])
def test_in_the_environment_of_a_tool_the_tool_installs(
    tool: str, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed_from(monkeypatch, {"url": (here / "a.whl").as_uri(), "archive_info": {}})
    prefix = tmp_path / ("venvs" if tool == "pipx" else "tools") / "level-exporter"
    monkeypatch.setenv("PATH", str(in_environment(monkeypatch, prefix)))
    (prefix / ("pipx_metadata.json" if tool == "pipx" else "uv-receipt.toml")).write_text("{}")
    add = {
        "pipx": f"pipx inject --editable level-exporter {HALLS}",
        "uv": f"uv tool install .{os.sep}a.whl --with-editable {HALLS}",
    }[tool]
    assert installing_commands(Path("halls")) == [add, "exporter"]


def test_uv_run_puts_an_environment_on_the_path_for_its_own_process_only(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = in_environment(monkeypatch, here / ".venv")
    monkeypatch.setenv("UV", "/bin/uv")
    monkeypatch.setenv("PATH", os.pathsep.join([str(scripts), str(tmp_path)]))
    assert own_command.own_command() == os.path.join(".venv", "bin", "exporter")
    monkeypatch.setenv("PATH", os.pathsep.join([str(scripts), str(scripts)]))
    assert own_command.own_command() == "exporter"


@pytest.mark.skipif(os.name == "nt", reason="of other shells")
def test_a_path_is_one_argument_and_nothing_else() -> None:
    assert quoted("a/b-1.whl") == "a/b-1.whl"
    names = ["it's", "a&b", "a $(b)", "a `b`", "a\\b", "~other/a", 'my "game"', "*"]
    script = " ".join(["printf '%s\\n'", *map(quoted, names)])
    assert subprocess.check_output(["/bin/sh", "-c", script], text=True).splitlines() == names
