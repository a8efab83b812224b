"""A daemon that ends with its standard input, and so with the program that runs it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from exporter.watch.input_end import stopped_by_input

SECONDS = 60


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    for descriptor in (reader, writer):
        try:
            os.close(descriptor)
        except OSError:
            continue


def test_a_line_that_says_stop_stops_and_other_lines_do_not(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    stopped = threading.Event()
    with stopped_by_input(reader, stopped.set):
        os.write(writer, b"go on\nstopped\nst")
        assert not stopped.wait(0.05)
        os.write(writer, b"op\n")
        assert stopped.wait(SECONDS)


def test_the_end_of_the_input_stops(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    stopped = threading.Event()
    with stopped_by_input(reader, stopped.set):
        os.close(writer)
        assert stopped.wait(SECONDS)


def test_nobody_is_stopped_who_has_ended(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    stopped = threading.Event()
    with stopped_by_input(reader, stopped.set):
        pass
    os.write(writer, b"stop\n")
    assert not stopped.wait(0.05)
