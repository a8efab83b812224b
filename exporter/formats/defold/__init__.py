"""Write text files for Defold: protocol buffers, and data for scripts."""
