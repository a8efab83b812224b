"""Report what a blob contains, and how well bytes can be compressed."""
