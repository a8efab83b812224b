"""Define the exporter's version, which outputs and cache keys contain."""

__version__ = "0.1.0"
