"""Build a finished level from a checked spec, in stages that record their reads."""
