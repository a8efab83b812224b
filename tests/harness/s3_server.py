"""A server with the interface of S3, as a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

DEADLINE = 300.0
BUCKET = "levels"


def free_port() -> int:
    """Return a port without a listener."""
    with socket.socket() as item:
        item.bind(("127.0.0.1", 0))
        return int(item.getsockname()[1])


@contextmanager
def s3_server() -> Iterator[dict[str, str]]:
    """Run a server with an empty bucket; give the environment in which it is found."""
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    environment = {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    }
    try:
        _wait(address, server)
        request = urllib.request.Request(f"{address}/{BUCKET}", method="PUT")
        with urllib.request.urlopen(request, timeout=DEADLINE):
            pass
        yield environment
    finally:
        server.kill()
        server.wait()


def _wait(address: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/moto-api/", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server of S3 did not start")
