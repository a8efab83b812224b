"""Puzzles a level can hold."""
