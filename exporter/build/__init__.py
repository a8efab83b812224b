"""Build levels from checked specs in stages; reuse unchanged stages."""
