"""Encode samples of heights, for several formats."""
