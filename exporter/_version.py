"""The version of the exporter; outputs and cache keys carry it."""

__version__ = "0.1.0"
