"""The files of the pages: the folder `page/`, and the blob reader of JavaScript games."""

from __future__ import annotations

from importlib import resources

from exporter.project.templates import templates
from exporter.studio.page_modules import joined_modules

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FIRST_MODULE = "main.js"
_READER = "level-blob.js"


def page_files() -> dict[str, tuple[bytes, str]]:
    """Return the files of the studio's page: content and type by the path they are asked with.

    Its modules are one file.
    """
    found = {
        f"/{name}": (content, _TYPES[suffix])
        for name, content in _contents().items()
        if (suffix := "." + name.rpartition(".")[2]) != ".js"
    }
    found[f"/{_FIRST_MODULE}"] = page_script(_FIRST_MODULE).encode(), _TYPES[".js"]
    found["/"] = found["/index.html"]
    return found


def page_script(first: str) -> str:
    """Return a module of a page with all that it imports, as one module.

    Args:
        first: The module's name.
    """
    contents = _contents()
    contents[_READER] = (templates() / "javascript" / _READER).read_bytes()
    return joined_modules(
        first, {name: text.decode() for name, text in contents.items() if name.endswith(".js")}
    )


def _contents() -> dict[str, bytes]:
    page = resources.files("exporter.studio") / "page"
    return {
        entry.name: entry.read_bytes()
        for entry in sorted(page.iterdir(), key=lambda entry: entry.name)
        if entry.is_file() and "." + entry.name.rpartition(".")[2] in _TYPES
    }
