"""A level as a model in three dimensions: binary glTF 2.0."""
