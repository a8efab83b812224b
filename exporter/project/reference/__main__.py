"""Write the spec reference: `python -m exporter.project.reference FOLDER`."""

import sys
from pathlib import Path

from exporter.project.reference.page import reference_pages

if __name__ == "__main__":
    (folder,) = (word for word in sys.argv[1:] if not word.startswith("--"))
    for name, text in reference_pages(extensions="--extensions" in sys.argv[1:]).items():
        (Path(folder) / name).write_text(text, encoding="utf-8")
