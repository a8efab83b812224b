"""Read the files of the studio's pages, and join their scripts and styles.

The modules of a page are joined into one script, its style sheets into one: a browser takes some
milliseconds for each file that it fetches, and a page has more than a hundred.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable

from exporter.model.installed import templates

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_STYLE = re.compile(r'^<link rel="stylesheet" href="([\w-]+\.css)">\n', re.MULTILINE)
_FIRST_MODULE = "main.js"
_READER = "level-blob.js"
_EDITOR = "codemirror.js"


def page_files() -> dict[str, tuple[bytes, str]]:
    """Return the content and media type of each file, by request path.

    Modules are joined to one file, except the editor, which is large and loaded only when needed.
    The style sheets are joined, too, in the order of `index.html`.
    """
    texts = page_texts()
    page = texts["index.html"]
    sheets = [match[1] for match in _STYLE.finditer(page)]
    texts[sheets[0]] = "".join(texts[name] for name in sheets)
    texts["index.html"] = _STYLE.sub(lambda match: match[0] * (match[1] == sheets[0]), page)
    result = {
        f"/{name}": (text.encode(), _TYPES[suffix])
        for name, text in texts.items()
        if (suffix := _suffix(name)) != ".js" and name not in sheets[1:]
    }
    result[f"/{_FIRST_MODULE}"] = page_script(_FIRST_MODULE).encode(), _TYPES[".js"]
    editor = _text(resources.files("exporter.studio") / "vendor" / _EDITOR)
    result[f"/{_EDITOR}"] = editor.encode(), _TYPES[".js"]
    result["/"] = result["/index.html"]
    return result


def page_script(first: str) -> str:
    """Return the module `first` and all modules it imports, as one script.

    `first` is its file name in the folder `page/`.
    """
    modules = {name: text for name, text in page_texts().items() if _suffix(name) == ".js"}
    modules[_READER] = _text(templates() / "javascript" / _READER)
    return joined_modules(first, modules)


def page_texts() -> dict[str, str]:
    """Return the texts of the files in the folder `page/`, by name.

    Line ends are plain line feeds.
    """
    page = resources.files("exporter.studio") / "page"
    return {
        entry.name: _text(entry)
        for entry in page.iterdir()
        if entry.is_file() and _suffix(entry.name) in _TYPES
    }


def _suffix(name: str) -> str:
    return "." + name.rpartition(".")[2]


def _text(file: Traversable) -> str:
    # A checkout on Windows may have other line ends, but the page must be the same everywhere.
    return file.read_bytes().decode().replace("\r\n", "\n")


_IMPORT = re.compile(r'^import \{ ([^}\n]+) \} from "\./([\w-]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:class|const|(?:async )?function) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"(?:^|;)[^\S\n]*((?:import|export)\b.*)", re.MULTILINE)


def joined_modules(first: str, modules: Mapping[str, str]) -> str:
    """Return a JavaScript module and all modules it imports, as one module.

    Each imported module becomes a function that runs once and returns its exports, after the
    modules it imports. Only the module `first` may await promises.

    Args:
        first: The module's name, such as `main.js`.
        modules: The texts of modules by name, with plain line feeds. They import by lines `import {
            ... } from "./name.js";`, export each class, constant and function where it is declared,
            and do not import each other in circles.

    Raises:
        ValueError: A module uses another form of import or export, imports in a circle, or imports
            a name that is not exported.
        KeyError: An imported module is missing.
    """
    # By name: its text in the script; None while its imports are being joined.
    result: dict[str, str | None] = {}
    exports: dict[str, list[str]] = {}

    def join(name: str) -> None:
        if name in result:
            if result[name] is None:
                raise ValueError(f"{name} imports itself by way of others")
            return
        result[name] = None
        text = modules[name]
        for imported in _IMPORT.finditer(text):
            join(imported[2])
            for item in imported[1].split(", "):
                if item.partition(" as ")[0] not in exports[imported[2]]:
                    raise ValueError(f"{name} imports {item}, which {imported[2]} does not export")
        exports[name] = [item[2] for item in _EXPORT.finditer(text)]
        text = _EXPORT.sub(r"\1", _IMPORT.sub(_import_text, text))
        other = _OTHER.search(text)
        if other is not None:
            raise ValueError(f"{name} has a line that cannot be joined: {other[1]}")
        del result[name]  # after its imports
        result[name] = text if name == first else _called(name, text, exports[name])

    join(first)
    if len({_variable(name) for name in result}) < len(result):
        raise ValueError(f"modules have names that differ in - and _ alone: {', '.join(result)}")
    return "".join(f"// {name}\n{text}\n" for name, text in result.items())


def _import_text(imported: re.Match[str]) -> str:
    """Convert an `import` line to a line that unpacks the module's exports."""
    names = imported[1].replace(" as ", ": ")
    return f"const {{ {names} }} = {_variable(imported[2])};"


def _called(name: str, text: str, exported: list[str]) -> str:
    returned = f"return {{ {', '.join(exported)} }};"
    return f"const {_variable(name)} = (() => {{\n{text}\n{returned}\n}})();"


def _variable(name: str) -> str:
    return "$" + name.removesuffix(".js").replace("-", "_")
