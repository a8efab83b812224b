"""Read and set up projects: exporter.yaml, level specs, and game projects."""
