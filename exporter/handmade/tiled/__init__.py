"""Read maps of Tiled: `.tmx` (XML) and `.tmj` (JSON), with their files.

`files` opens a file and `xml` brings XML into the form of the JSON; from there on both are read
alike: `cells`, `layers`, `tilesets`, `objects`, `values` and, above them, `maps`.
The format: https://doc.mapeditor.org/en/stable/reference/json-map-format/
"""
