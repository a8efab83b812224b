"""The socket the studio listens on."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from exporter.model.errors import ExporterError
from exporter.studio.listening import ServerOptions, listen
from studio_tabs import Studio


def test_small_messages_are_not_held_back() -> None:
    """Asyncio turns Nagle's algorithm off for sockets that are called TCP alone."""
    with closing(listen(ServerOptions()).socket) as listening:
        assert listening.proto == socket.IPPROTO_TCP
        assert listening.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_told_with_a_way_out() -> None:
    with closing(listen(ServerOptions()).socket) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(ExporterError, match=f"127.0.0.1:{port} cannot be .*another --port"):
            listen(ServerOptions(port=port))


def test_an_interruption_ends_it_in_one_line(project: Path, serve: Callable[..., Studio]) -> None:
    studio = serve(project)
    tab = studio.tab()
    tab.shown("open", level=next(iter(tab.levels.values())))
    studio.process.send_signal(signal.SIGINT)
    assert studio.process.wait(20) == 130
    assert studio.process.stderr is not None
    assert studio.process.stderr.read() == "interrupted: the studio has ended\n"
