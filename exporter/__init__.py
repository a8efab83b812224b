"""Level Exporter: small YAML level specs in, the files game engines import out."""
