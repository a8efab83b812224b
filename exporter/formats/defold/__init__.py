"""Write Defold's text files (protocol buffers), and data for scripts."""
