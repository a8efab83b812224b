"""Encode pictures as PNG and OpenEXR."""
