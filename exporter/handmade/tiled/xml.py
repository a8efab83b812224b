"""Convert Tiled's XML to the structure of its JSON.

The plain document type that Tiled wrote until 2013 is skipped; one with declarations, which could
define entities, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any
from xml.parsers import expat

from exporter.handmade.tiled.limits import MAXIMUM_DEPTH, MAXIMUM_ELEMENTS, SAVE_AGAIN, TiledError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_TOTAL_CELLS

# Elements whose text is read.
_WITH_TEXT = frozenset({"data", "chunk", "property"})
_LAYERS = {
    "layer": "tilelayer",
    "objectgroup": "objectgroup",
    "imagelayer": "imagelayer",
    "group": "group",
}
# Shapes of an object beside its rectangle.
_MARKS = frozenset({"point", "ellipse", "capsule", "text"})


@dataclass(slots=True)
class Element:
    """An element of XML.

    `tiles` has the numbers of its `tile` children, which are too many to keep as elements; None if
    it has no such children.
    """

    name: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""
    tiles: list[str] | None = None

    def named(self, name: str) -> Iterator[Element]:
        """Yield the children called `name`."""
        return (child for child in self.children if child.name == name)


def read_elements(content: bytes) -> Element:
    """Parse XML and return its outermost element.

    Raises:
        TiledError: The XML is broken, too large or too deep, or has declarations.
    """
    reader = _ElementReader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    parser.StartDoctypeDeclHandler = _check_document_type
    parser.EntityDeclHandler = _refuse_entities
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise TiledError(f"is broken ({error})") from None
    except TiledError:
        raise
    except (LookupError, ValueError) as error:
        raise TiledError(f"is broken ({error})") from None
    return reader.outermost.children[0]


def document_of(element: Element) -> dict[str, Any]:
    """Convert `element`, a map, tileset or template, to Tiled's JSON form."""
    make = _DOCUMENTS.get(element.name)
    if make is None:
        raise TiledError(f"is not a Tiled file (it begins with <{element.name[:40]}>)")
    return make(element)


class _ElementReader:
    """Collects elements while expat parses a file."""

    def __init__(self) -> None:
        self.outermost = Element("", {})
        self._open = [self.outermost]
        self._texts: list[str] = []
        self._count = 0
        self._tiles = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        above = self._open[-1]
        if name == "tile" and above.name in ("data", "chunk"):
            # There may be millions: their number is all that counts.
            if above.tiles is None:
                above.tiles = []
            above.tiles.append(attributes.get("gid", "0"))
            self._tiles += 1
            if self._tiles > MAXIMUM_TOTAL_CELLS:
                raise TiledError("has too many cells")
            self._open.append(_TILE)
            return
        self._count += 1
        if self._count > MAXIMUM_ELEMENTS or len(self._open) > MAXIMUM_DEPTH:
            raise TiledError(
                "has too many elements, or they are nested too deeply (allowed: "
                f"{MAXIMUM_ELEMENTS} elements, {MAXIMUM_DEPTH} levels)"
            )
        if above is _TILE:
            raise TiledError(f"has the element <{name[:40]}> inside a cell")
        element = Element(name, attributes)
        above.children.append(element)
        self._open.append(element)
        self._texts = []

    def end(self, name: str) -> None:
        element = self._open.pop()
        if element.name in _WITH_TEXT:
            element.text = "".join(self._texts)
        self._texts = []

    def characters(self, text: str) -> None:
        if self._open[-1].name in _WITH_TEXT:
            self._texts.append(text)


_TILE = Element("tile", {})


def _check_document_type(
    _name: str, _system: str | None, _public: str | None, has_own: bool
) -> None:
    if has_own:
        _refuse_entities()


def _refuse_entities(*_: Any) -> None:
    raise TiledError(f"has a document type with declarations, which is not allowed ({SAVE_AGAIN})")


def _map(element: Element) -> dict[str, Any]:
    return {
        **_attributes_of(element),
        "type": "map",
        "tilesets": [_tileset(item) for item in element.named("tileset")],
        "layers": _layers(element),
    }


def _layers(element: Element) -> list[dict[str, Any]]:
    return [_layer(child) for child in element.children if child.name in _LAYERS]


def _layer(element: Element) -> dict[str, Any]:
    document = {**_attributes_of(element), "type": _LAYERS[element.name]}
    if element.name == "group":
        document["layers"] = _layers(element)
    elif element.name == "objectgroup":
        document["objects"] = [_object(item) for item in element.named("object")]
    for data in element.named("data"):
        encoding = data.attributes.get("encoding")
        document["encoding"] = encoding if encoding is not None else "tiles"
        document["compression"] = data.attributes.get("compression", "")
        chunks = [
            {**item.attributes, "data": _data(item, encoding)} for item in data.named("chunk")
        ]
        if chunks:
            document["chunks"] = chunks
        else:
            document["data"] = _data(data, encoding)
    return document


def _data(element: Element, encoding: str | None) -> str | list[str]:
    return element.text if encoding is not None else element.tiles or []


def _tileset(element: Element) -> dict[str, Any]:
    document: dict[str, Any] = dict(element.attributes)
    for image in element.named("image"):
        document["image"] = image.attributes.get("source", "") or "embedded"
    for grid in element.named("grid"):
        document["grid"] = dict(grid.attributes)
    document["tiles"] = [_attributes_of(item) for item in element.named("tile")]
    document["wangsets"] = [
        {
            **item.attributes,
            "colors": [color.attributes for color in item.named("wangcolor")],
            "wangtiles": [tile.attributes for tile in item.named("wangtile")],
        }
        for block in element.named("wangsets")
        for item in block.named("wangset")
    ]
    return document


def _template(element: Element) -> dict[str, Any]:
    document: dict[str, Any] = {"type": "template"}
    for item in element.named("tileset"):
        document["tileset"] = _tileset(item)
    for entry in element.named("object"):
        document["object"] = _object(entry)
    return document


def _object(element: Element) -> dict[str, Any]:
    document = _attributes_of(element)
    for child in element.children:
        if child.name in _MARKS:
            document[child.name] = True
        elif child.name in ("polygon", "polyline"):
            # There may be millions of corners: they are counted before they are taken apart.
            document[child.name] = child.attributes.get("points", "").strip()
    return document


def _attributes_of(element: Element) -> dict[str, Any]:
    """Return the attributes of `element`, and its list of properties."""
    listed = [
        {"value": item.text, **item.attributes}
        for block in element.named("properties")
        for item in block.named("property")
    ]
    return {**element.attributes, "properties": listed}


_DOCUMENTS: dict[str, Callable[[Element], dict[str, Any]]] = {
    "map": _map,
    "tileset": lambda element: {**_tileset(element), "type": "tileset"},
    "template": _template,
}
