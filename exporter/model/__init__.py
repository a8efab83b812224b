"""What every room speaks of: levels, parameters, errors, registries and keys."""
