"""The version of the exporter, in one place; outputs and cache keys carry it."""

__version__ = "0.1.0"
