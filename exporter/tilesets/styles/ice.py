"""Frozen halls: pale blue stone, snow and dark water."""

from exporter.tilesets.styles import Style, style


@style("ice")
def colors() -> Style:
    """Return the colours of the style `ice`."""
    return Style(
        shade="#182048",
        light="#f6fbff",
        floor="#a9bfd2",
        corridor="#98b0c6",
        cave="#9db6ca",
        wall="#d5e4f0",
        face="#7f9ec4",
        fill="#1c2a4a",
        rock="#cfe0ee",
        rock_face="#7494bc",
        rock_fill="#1b2947",
        grass="#9fbfae",
        tree="#4f8586",
        sand="#d6dde2",
        dirt="#9aa3ae",
        snow="#eef5fa",
        ice="#a8dcf0",
        water="#2f6aa8",
        deep="#214f8c",
        foam="#f2fbff",
        lava="#e0662e",
        acid="#6fb8a0",
        pit="#0f1730",
        wood="#7c6a66",
        metal="#e8d9a0",
        relief=("#1f4a86", "#4f8fc4", "#cfe0ea", "#b9d3df", "#8fb4c8", "#7f93ad", "#ffffff"),
    )
