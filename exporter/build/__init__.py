"""Build levels from checked specs, in stages that record their reads."""
