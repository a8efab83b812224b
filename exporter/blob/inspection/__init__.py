"""Inspect the content of a blob, and how compressible any bytes are."""
