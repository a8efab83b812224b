"""Define levels, parameters, errors, registries and keys."""
