"""Read the files of the pages: `page/`, the editor, the blob reader."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable

from exporter.model.installed import templates
from exporter.studio.page_modules import joined_modules

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FIRST_MODULE = "main.js"
_READER = "level-blob.js"
_EDITOR = "codemirror.js"


def page_files() -> dict[str, tuple[bytes, str]]:
    """Return the page's files, with their types, by request path.

    Modules are joined to one file, except the editor, which is large and loaded only when needed.
    """
    result = {
        f"/{name}": (text.encode(), _TYPES[suffix])
        for name, text in page_texts().items()
        if (suffix := _suffix(name)) != ".js"
    }
    result[f"/{_FIRST_MODULE}"] = page_script(_FIRST_MODULE).encode(), _TYPES[".js"]
    editor = _text(resources.files("exporter.studio") / "vendor" / _EDITOR)
    result[f"/{_EDITOR}"] = editor.encode(), _TYPES[".js"]
    result["/"] = result["/index.html"]
    return result


def page_script(first: str) -> str:
    """Return a module of the page and all its imports as one module.

    Args:
        first: The module's name.
    """
    modules = {name: text for name, text in page_texts().items() if _suffix(name) == ".js"}
    modules[_READER] = _text(templates() / "javascript" / _READER)
    return joined_modules(first, modules)


def page_texts() -> dict[str, str]:
    """Return the texts of the folder `page/`, by name, with plain line feeds."""
    page = resources.files("exporter.studio") / "page"
    return {
        entry.name: _text(entry)
        for entry in page.iterdir()
        if entry.is_file() and _suffix(entry.name) in _TYPES
    }


def _suffix(name: str) -> str:
    return "." + name.rpartition(".")[2]


def _text(file: Traversable) -> str:
    # A checkout on Windows may have other ends of lines; the same page is the same everywhere.
    return file.read_bytes().decode().replace("\r\n", "\n")
