"""Report what a blob contains, and how compressible any bytes are."""
