"""Define what all packages share: levels, parameters, errors, registries."""
