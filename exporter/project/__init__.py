"""Read and start projects: exporter.yaml, specs and surrounding games."""
