"""The fixtures of a project and its studio."""

from studio_fixtures import project, serve, shared_studio, studio

__all__ = ["project", "serve", "shared_studio", "studio"]
