"""Maps of Tiled: `.tmx` (XML) and `.tmj` (JSON), with their tilesets and templates.

`files` opens a file and `xml` brings XML into the form of the JSON; from there on both are read
alike: `cells`, `layers`, `tilesets`, `objects`, `values` and, above them, `maps`.
The format: https://doc.mapeditor.org/en/stable/reference/json-map-format/
"""
