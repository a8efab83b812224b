"""Files that describe a world as a whole."""
