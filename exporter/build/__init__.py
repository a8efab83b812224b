"""Build levels from checked specs in stages; unchanged stages are reused."""
