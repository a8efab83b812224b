"""Grey stone and slate walls under a warm lamp; green land and blue water."""

from exporter.tilesets.styles import Style, style


@style("stone")
def colors() -> Style:
    """Return the default colours, those that other styles start from."""
    return Style()
