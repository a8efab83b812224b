"""What is in a blob, and how compressible any bytes are."""
