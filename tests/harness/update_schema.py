"""Write the JSON Schema of specs that `init` copies.

Run it after a change of what a spec can say:

    .venv/bin/python tests/harness/update_schema.py
"""

from exporter.model.installed import templates
from exporter.project.schema_file import SCHEMA, derived_schema

if __name__ == "__main__":
    (templates() / "levels" / SCHEMA).write_bytes(derived_schema())
