"""Find, read and write the level specs of one project.

Only `*.level.yaml` files in the project's spec folders are written. An agent can only replace a
text that it has read, which it proves by the digest.
"""

from __future__ import annotations

import os
from pathlib import Path

from exporter.agents.answers import MAXIMUM_TEXT, Answer, RefusedCallError, size_of
from exporter.export.tasks import peek_name
from exporter.model.errors import ChangedFileError, StoreError
from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_SPEC_BYTES
from exporter.model.suggestions import unknown_name
from exporter.project.agent_log import log_write, text_digest
from exporter.project.new_level import check_level_name, new_level_path
from exporter.project.project import Project
from exporter.project.saving import check_replaceable, save_text
from exporter.project.settings_file import load_project
from exporter.project.templates import LEVEL_SUFFIX

# Bytes of an answer beside a text and a message.
_ROOM = 100


@dataclass(frozen=True, slots=True)
class Spec:
    """A level spec: its file, and the text to read or write.

    Attributes:
        path: The spec's file, which may not exist yet.
        content: The text in bytes.
    """

    path: Path
    content: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the text, by which later changes are detected."""
        return text_digest(self.content)

    def answer(self) -> Answer:
        """Return the text as JSON data, with the digest that a write must repeat."""
        return {"text": self.content.decode("utf-8", "replace"), "digest": self.digest}


class Specs:
    """Finds, reads and writes the level specs of the project in `root`.

    Raises:
        SpecError: exporter.yaml has faults.
    """

    def __init__(self, root: Path) -> None:
        self.project: Project = load_project(root)
        self.root = self.project.root

    def paths(self) -> dict[str, str]:
        """Return the path of each level's spec in the project, by level name."""
        paths = {}
        for path in self.project.specs():
            try:
                content = read_input(self.root / path, MAXIMUM_SPEC_BYTES)
            except OSError:
                content = b""
            paths[peek_name(content, Path(path).name)] = path
        return paths

    def named(self, level: str) -> Spec:
        """Return the spec of the level with the name `level`.

        Raises:
            RefusedCallError: No level has that name, or its spec cannot be read.
        """
        paths = self.paths()
        if level not in paths:
            raise RefusedCallError(unknown_name("level", level, list(paths)))
        path = self.root / paths[level]
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise RefusedCallError(
                f"{paths[level]} is a link to a file outside the project (write the file itself)"
            )
        try:
            return Spec(path, read_input(path, MAXIMUM_SPEC_BYTES))
        except OSError as error:
            raise RefusedCallError(f"{paths[level]} cannot be read ({error.strerror})") from None

    def given(self, level: str, text: str) -> Spec:
        """Return the saved spec of `level`, or `text` as a spec.

        A call gives one of the two; the other is empty.

        Raises:
            RefusedCallError: Neither or both are given, or no level has that name.
        """
        if bool(level) == bool(text):
            raise RefusedCallError(
                "`level` and `text` are both given, or both missing (give one of them)"
            )
        if level:
            return self.named(level)
        return self.draft(self.root / new_level_path("draft", self.project.patterns), text)

    def draft(self, path: Path, text: str) -> Spec:
        """Return `text` as the spec at `path`, without saving it.

        Raises:
            RefusedCallError: The text is too long.
        """
        content = text.encode()
        if len(content) > MAXIMUM_SPEC_BYTES:
            raise RefusedCallError(f"the text is too long (allowed: {MAXIMUM_SPEC_BYTES} bytes)")
        return Spec(path, content)

    def target(self, level: str) -> Path:
        """Return the file of a level's spec; for a new level, the file to create.

        Raises:
            RefusedCallError: The name is not valid for a level.
        """
        paths = self.paths()
        if level in paths:
            return self.root / paths[level]
        check_level_name(level)
        if level.casefold() in {name.casefold() for name in paths}:
            raise RefusedCallError(
                f"a level has the same name as {level!r} except for upper and lower case (choose "
                "another name)"
            )
        return self.root / new_level_path(level, self.project.patterns)

    def write(self, spec: Spec, digest: str) -> Spec:
        """Write `spec` if its file has not changed since the agent read it.

        The write is logged. `digest` is the digest of the text that the agent has read; empty to
        create a file. Return the written spec.

        Raises:
            RefusedCallError: The file has another text, lies outside the project or is not a spec.
        """
        path = spec.path
        if not path.name.endswith(LEVEL_SUFFIX):
            raise RefusedCallError(
                f"the file is no level spec (write a name like NAME{LEVEL_SUFFIX})"
            )
        present = Spec(path, path.read_bytes()) if os.path.lexists(path) else None
        if present is None and digest:
            raise RefusedCallError("this level no longer exists (an empty digest creates it again)")
        if present is not None and present.digest != digest:
            raise _refuse_changed_text(present)
        try:
            check_replaceable(path, self.root)
            path.parent.mkdir(parents=True, exist_ok=True)
            save_text(path, None if present is None else present.content, spec.content)
        except ChangedFileError as error:
            raise _refuse_changed_text(Spec(path, error.present or b"")) from None
        except (StoreError, OSError) as error:
            raise RefusedCallError(str(error)) from None
        log_write(self.root, path, digest, spec.content)
        return spec


def _refuse_changed_text(present: Spec) -> RefusedCallError:
    """Return the refusal to replace a text that the agent has not read.

    It contains the text `present`, if there is room.
    """
    message = "the spec has another text now, which is here: put your change into it"
    answer = present.answer()
    if size_of(answer) > MAXIMUM_TEXT - len(message) - _ROOM:
        return RefusedCallError(
            "the spec was changed since it was read (read it again, then write)"
        )
    return RefusedCallError(message, **answer)
