"""From a checked spec to a finished level, in stages that record what they read."""
