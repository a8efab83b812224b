"""Encode height samples for several formats."""
