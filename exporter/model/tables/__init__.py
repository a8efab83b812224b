"""Make and check tables of game data, such as monsters or loot."""
