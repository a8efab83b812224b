"""Input files: regular ones alone, none waited for, and no more bytes than allowed."""

from __future__ import annotations

import os
import socket
import sys
import threading
from pathlib import Path

import pytest

from exporter.model.input_files import NotRegularError, TooLargeError, read_input

posix = pytest.mark.skipif(sys.platform == "win32", reason="has no such files")


def test_a_file_is_read_up_to_its_largest_size(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abcd" * 5000)
    assert read_input(path, 20_000) == b"abcd" * 5000
    with pytest.raises(TooLargeError, match="it has 20000 bytes; allowed: 19999"):
        read_input(path, 19_999)
    path.write_bytes(b"")
    assert read_input(path, 0) == b""


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "link").symlink_to("a")
    assert read_input(tmp_path / "link", 3) == b"abc"


def test_what_is_missing_is_reported_as_the_system_does(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_input(tmp_path / "a", 1)
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(FileNotFoundError):
        read_input(tmp_path / "link", 1)


@posix
def test_a_pipe_nobody_writes_into_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotRegularError, match="it is a named pipe"):
        read_input(tmp_path / "pipe", 100)


@posix
def test_a_fed_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(tmp_path / "pipe", os.O_WRONLY)
    try:
        os.write(writer, b"secret")
        with pytest.raises(NotRegularError):
            read_input(tmp_path / "pipe", 100)
        assert os.read(reader, 100) == b"secret"
    finally:
        os.close(reader)
        os.close(writer)


@posix
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/tty", "/dev/stdin"])
def test_devices_are_not_read(device: str) -> None:
    with pytest.raises(OSError, match=r"it is a|No such device") as caught:
        read_input(device, 100)
    if device == "/dev/zero":
        assert "it is a device" in str(caught.value)


def test_a_folder_is_reported_as_one(tmp_path: Path) -> None:
    with pytest.raises(NotRegularError, match="it is a folder"):
        read_input(tmp_path, 100)


@posix
def test_a_socket_is_reported_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("door")
        with pytest.raises(NotRegularError, match="it is a socket"):
            read_input("door", 100)


@posix
def test_a_file_that_says_it_is_empty_is_read_to_its_end_and_no_further() -> None:
    # Files of /proc have no size before they are read.
    position = "/proc/self/environ"
    if not os.path.exists(position):
        pytest.skip("no /proc here")
    content = read_input(position, 1 << 20)
    assert content
    with pytest.raises(TooLargeError):
        read_input(position, len(content) - 1)


@posix
def test_a_file_that_grows_while_it_is_read_ends_at_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 1000)
    ended = threading.Event()

    def grow() -> None:
        with open(path, "ab", buffering=0) as file:
            while not ended.is_set() and file.tell() < 50_000_000:
                file.write(b"x" * 100_000)

    thread = threading.Thread(target=grow)
    thread.start()
    try:
        for _ in range(20):
            try:
                assert len(read_input(path, 2_000_000)) <= 2_000_000
            except TooLargeError:
                break
    finally:
        ended.set()
        thread.join()
