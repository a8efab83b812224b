"""Queue messages to a tab; a newer one replaces a waiting one of its kind."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator

from exporter.studio.events import TextEvent

Message = bytes | TextEvent


class Outbox:
    """The messages that wait to be sent to one tab, at most one of each kind.

    So a slow tab needs little memory. Messages are sent in the order in which they were put.
    """

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, Message] = OrderedDict()
        self._filled = asyncio.Event()
        self._closed = False

    def put(self, kind: str, message: Message) -> None:
        """Add a message; drop the message of the same `kind` that still waits."""
        self._waiting.pop(kind, None)
        self._waiting[kind] = message
        self._filled.set()

    def forget(self, prefix: str) -> None:
        """Drop the waiting messages whose kind begins with `prefix`."""
        for kind in [item for item in self._waiting if item.startswith(prefix)]:
            del self._waiting[kind]

    def close(self) -> None:
        """Let `messages` end when it has yielded the waiting messages."""
        self._closed = True
        self._filled.set()

    async def messages(self) -> AsyncIterator[Message]:
        """Yield messages in order, and wait for new ones, until `close` is called."""
        while True:
            while not self._waiting:
                if self._closed:
                    return
                self._filled.clear()
                await self._filled.wait()
            yield self._waiting.popitem(last=False)[1]
