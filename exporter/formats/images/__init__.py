"""Encoders of pictures: PNG and OpenEXR."""
