"""Objects: which cells they may stand on, and which of those they get."""
