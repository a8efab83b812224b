"""File formats, one file each: a Level goes in, artifacts (bytes) come out."""
