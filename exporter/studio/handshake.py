"""Recognise tabs of earlier runs, and prove that this is the same studio.

A tab has a key that only studios of the same user, project and port can derive: from the secret in
the user's folder, which only this user can read. Neither side sends it again. Each proves that it
has it, by the code of two numbers that are used once; the studio first, so that another program
that took the port learns nothing from the tab.
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
    """The studio's side.

    Args:
        project_or_spec: The project's folder, or the one spec that is served.
        port: The port that it is served at.
    """

    def __init__(self, project_or_spec: Path, port: int) -> None:
        key = Seal(project_or_spec).of(b"studio tab", str(port).encode())
        self.key = key.hex()
        self._key = key

    def begin(self, challenge: object) -> dict[str, str] | None:
        """Return the proof for a tab; None if the tab has no key.

        Args:
            challenge: The tab's number.
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
        """Whether a tab's answer proves that it has the key."""
        proof = answer.get("proof") if answer else None
        if not isinstance(proof, str) or not proof.isascii():
            return False
        return hmac.compare_digest(proof, self._proof("tab", challenge, number))

    def _proof(self, side: str, challenge: str, number: str) -> str:
        text = f"{side} {challenge} {number}".encode()
        return hmac.digest(self._key, text, "sha256").hex()
