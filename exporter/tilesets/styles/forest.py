"""Mossy stone and deep woods: greens, warm earth, clear streams."""

from exporter.tilesets.styles import Style, style


@style("forest")
def colors() -> Style:
    """Return the colours of the style `forest`."""
    return Style(
        shade="#10241f",
        light="#fbf4b6",
        floor="#8c8b70",
        corridor="#807a60",
        cave="#7c7048",
        wall="#8f9a7a",
        face="#63704f",
        fill="#18251d",
        rock="#7f8a70",
        rock_face="#566249",
        rock_fill="#17231c",
        grass="#5f9a3c",
        tree="#2f6f38",
        sand="#d3c07c",
        dirt="#8b6a40",
        snow="#e1eadf",
        ice="#a5d2cf",
        water="#3f8fa8",
        deep="#2b6f8e",
        foam="#dcf5e6",
        lava="#d9582a",
        acid="#93b52c",
        pit="#0d1714",
        wood="#86592c",
        relief=("#225f78", "#459aa8", "#d3c07c", "#6fae48", "#3d7f3c", "#7b7a58", "#f0f2e8"),
    )
