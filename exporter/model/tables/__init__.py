"""Tables of game data with typed columns."""
