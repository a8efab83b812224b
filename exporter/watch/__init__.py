"""The watch daemon: export a project, and again whenever it changes."""
