"""Open the files of a Tiled map: the map, its tilesets and templates."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from exporter.handmade.tiled.limits import (
    MAXIMUM_ELEMENTS,
    MAXIMUM_FILE_BYTES,
    MAXIMUM_FILES,
    TiledError,
)
from exporter.handmade.tiled.values import Document
from exporter.handmade.tiled.xml import document_of, read_elements
from exporter.model.errors import ParameterError
from exporter.model.text_budget import JSON, XML, over_budget

_MAXIMUM_NAME = 255
# A quote inside a text has a backslash before it, so that this key is found nowhere else.
_CELLS = re.compile(rb'("data"\s*:\s*)\[([0-9][0-9,\s]*)\]')
_CELLS_AS_TEXT = re.compile(rb'(?<="data":)"[^"]*"|(?<="data": )"[^"]*"')
_UTF_8_MARK = b"\xef\xbb\xbf"
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_document(content: bytes) -> Document:
    """Parse a file of Tiled, in XML or JSON, to the structure of its JSON.

    Raises:
        TiledError: The file is neither XML nor JSON, is broken, or too large.
    """
    if len(content) > MAXIMUM_FILE_BYTES:
        raise TiledError(f"has {len(content)} bytes (allowed: {MAXIMUM_FILE_BYTES})")
    # JSON is UTF-8; programs that are not Tiled mark it as such.
    first = content.removeprefix(_UTF_8_MARK).lstrip()[:1]
    if first == b"<" or content.startswith(_UTF_16_MARKS):
        _check_budget(content, XML)
        return document_of(read_elements(content))
    if first != b"{":
        raise TiledError("is not a Tiled file (it is neither XML nor JSON)")
    # Numbers of cells are read as texts, like XML's: lists of them take forty times as much.
    content = _CELLS.sub(rb'\1"\2"', content.removeprefix(_UTF_8_MARK))
    rest = _CELLS_AS_TEXT.sub(b"", content)
    if rest.count(b"{") + rest.count(b"[") > MAXIMUM_ELEMENTS:
        raise TiledError(f"has too many lists and objects (allowed: {MAXIMUM_ELEMENTS})")
    _check_budget(rest, JSON)
    del rest
    try:
        # Lines may end within the cells.
        document = json.loads(content, parse_constant=_refuse_constant, strict=False)
    except TiledError:
        raise
    except RecursionError:
        raise TiledError("is nested too deeply") from None
    except ValueError as error:
        raise TiledError(f"is broken ({error})") from None
    if not isinstance(document, dict):
        raise TiledError("is not a Tiled file")
    return document


def _check_budget(content: bytes, costs: Mapping[bytes, int]) -> None:
    message = over_budget(content, costs)
    if message:
        raise TiledError(message)


def _refuse_constant(name: str) -> NoReturn:
    raise TiledError(f"contains the number {name}, which JSON does not allow")


class BesideFiles:
    """The tilesets and templates beside a Tiled map, each opened only once.

    Args:
        read: Reads a file by its path relative to the spec.
    """

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self._read = read
        self._documents: dict[str, Document] = {}

    def open(self, source: Any, named_in: str, kind: str) -> tuple[str, Document]:
        """Open a file that another file names.

        Args:
            source: The path, relative to the file that names it.
            named_in: The path of the file that names it, relative to the spec.
            kind: What the file must be: `tileset` or `template`.

        Returns:
            The file's path, relative to the spec, and its document.

        Raises:
            TiledError: The path is malformed, there are too many files, or the file is broken.
            ParameterError: The file cannot be read.
        """
        plain = isinstance(source, str) and source.isprintable() and "\x00" not in source
        if not plain or not 0 < len(source) <= _MAXIMUM_NAME:
            raise TiledError(f"names a {kind} that is not a valid file path")
        # Programs on Windows write `\\` between folders; Tiled reads both everywhere.
        beside = source.replace("\\", "/")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(named_in), beside))
        if path not in self._documents:
            if len(self._documents) >= MAXIMUM_FILES:
                raise TiledError(f"needs too many other files (allowed: {MAXIMUM_FILES})")
            self._documents[path] = self._open(path, named_in, kind)
        document = self._documents[path]
        result = document.get("type")
        if result != kind and not (kind == "tileset" and "tilewidth" in document and not result):
            raise TiledError(f"names {source!r} as a {kind}, but that file is something else")
        return path, document

    def _open(self, path: str, named_in: str, kind: str) -> Document:
        try:
            content = self._read(path)
        except ParameterError as error:
            way_out = "embed it in the map" if kind == "tileset" else "detach its objects"
            raise ParameterError(
                f"{error.message}; {named_in} needs it as a {kind} (keep it inside the project, or "
                f"{way_out})"
            ) from None
        try:
            return read_document(content)
        except TiledError as error:
            raise TiledError(f"needs {path!r}, which {error}") from None
