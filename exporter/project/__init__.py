"""Projects: exporter.yaml, the specs and games around it, starting and checking them."""
