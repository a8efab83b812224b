"""A store in a bucket of S3, served by a real process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from daemon_harness import DEADLINE, Project, environment, fresh_copy
from s3_server import BUCKET, free_port

# Writes over every object below a URL; a poisoned record has the name that its contents ask for.
DAMAGE = """
import hashlib, sys, fsspec
files, root = fsspec.core.url_to_fs(sys.argv[1])
found = files.find(root)
for path in found:
    data = b"damaged"
    if root.endswith("levels"):
        text = files.cat_file(path).decode()
        data = text.replace('"layers":{', '"layers":{"x":1e999,').encode()
        files.rm_file(path)
        path = path.rpartition("/")[0] + "/" + hashlib.sha256(data).hexdigest()
    files.pipe_file(path, data)
print(len(found))
"""
URL = f"s3://{BUCKET}/games/one"


def export(
    project: Project, s3: dict[str, str], *arguments: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "exporter", "export", str(project.root), "--json", *arguments],
        env=environment(**s3),
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )


def test_shards_fill_a_bucket_whole_runs_take_from_it_and_fix_what_is_damaged(
    game: tuple[Project, Project], s3: dict[str, str], tmp_path: Path
) -> None:
    project, alone = game
    for number in (1, 2):
        machine = fresh_copy(project, tmp_path / f"machine{number}")
        done = export(machine, s3, "--store", URL, "--shard", f"{number}/2")
        assert done.returncode == 0, done.stderr
    whole = fresh_copy(project, tmp_path / "whole")
    done = export(whole, s3, "--store", URL)
    assert done.returncode == 0, done.stderr
    levels = {item["level"]: item["seconds"] for item in json.loads(done.stdout)["levels"]}
    land = levels.pop("land")
    # Levels are taken, not built: that takes no time that is counted.
    assert levels == dict.fromkeys(levels, 0.0)
    assert land is not None
    assert whole.outputs() == alone.outputs()

    for part, message in (
        ("contents", "is not what its name says"),
        ("levels", "is from another exporter"),
    ):
        damage = subprocess.run(
            [sys.executable, "-c", DAMAGE, f"{URL}/{part}"],
            env={**os.environ, **s3},
            capture_output=True,
            text=True,
        )
        assert int(damage.stdout) > 3, damage.stderr
        again = fresh_copy(project, tmp_path / part)
        done = export(again, s3, "--store", URL)
        assert done.returncode == 0, done.stderr
        assert message in json.loads(done.stdout)["remarks"][0]
        assert again.outputs() == alone.outputs()
    third = fresh_copy(project, tmp_path / "third")
    done = export(third, s3, "--store", URL)
    # Records are only added: those that nobody can read stay, beside the good ones.
    assert "is from another exporter" in json.loads(done.stdout)["remarks"][0]
    assert third.outputs() == alone.outputs()


@pytest.mark.parametrize("missing", ["bucket", "server"])
def test_missing_bucket_or_server_is_reported(
    s3: dict[str, str], tmp_path: Path, missing: str
) -> None:
    project = Project(tmp_path / "game")
    project.write("cave")
    url, variables = "s3://nosuchbucket/store", s3
    if missing == "server":
        nowhere = f"http://127.0.0.1:{free_port()}"
        url, variables = URL, {**s3, "AWS_ENDPOINT_URL": nowhere, "AWS_MAX_ATTEMPTS": "1"}
    done = export(project, variables, "--store", url)
    assert done.returncode == 1
    (error,) = json.loads(done.stdout)["errors"]
    assert f"{url}: " in error["message"]
    assert missing == "bucket" or "connect" in error["message"].lower()
    assert "Traceback" not in done.stderr
    assert not project.outputs()
