"""Write Defold's files as text of protocol buffers, and its scripts' data."""
