"""Recognise tabs of earlier runs, and prove this studio to them.

A tab has a key that only studios of the same user, project and port can derive, from a secret file
in the user's folder. The key is not sent in the handshake. Each side proves that it has the key, by
an authentication code of two random numbers. The studio proves first, so that another program at
the same port learns nothing.
"""

from __future__ import annotations

import hmac
import re
import secrets
from pathlib import Path
from typing import Any

from exporter.store.user_folder import Seal

_NUMBER_BYTES = 32
_NUMBER = re.compile("[0-9a-f]{64}")


class Handshake:
    """The studio's side of the handshake with a tab of an earlier run.

    Args:
        project_or_spec: The project's folder, or the one spec that is served.
        port: The port of the server.
    """

    def __init__(self, project_or_spec: Path, port: int) -> None:
        key = Seal(project_or_spec).of(b"studio tab", str(port).encode())
        self.key = key.hex()
        self._key = key

    def begin(self, challenge: object) -> dict[str, str] | None:
        """Return the event that proves to a tab that the studio has the key.

        `challenge` is the random number of the tab. Return None if it is malformed, as from a tab
        without a key.
        """
        if not isinstance(challenge, str) or not _NUMBER.fullmatch(challenge):
            return None
        number = secrets.token_hex(_NUMBER_BYTES)
        return {
            "event": "proof",
            "number": number,
            "proof": self._proof("studio", challenge, number),
        }

    def accepts(self, challenge: str, number: str, answer: dict[str, Any] | None) -> bool:
        """Return whether the tab's message `answer` proves that it has the key.

        `challenge` is the random number of the tab, `number` that of the studio. `answer` is None
        if the tab sent no message.
        """
        proof = answer.get("proof") if answer else None
        if not isinstance(proof, str) or not proof.isascii():
            return False
        return hmac.compare_digest(proof, self._proof("tab", challenge, number))

    def _proof(self, side: str, challenge: str, number: str) -> str:
        text = f"{side} {challenge} {number}".encode()
        return hmac.digest(self._key, text, "sha256").hex()
