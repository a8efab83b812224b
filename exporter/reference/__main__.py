"""`python -m exporter.reference` prints the reference page; `--extensions` adds other packages'."""

import sys

from exporter.reference.page import reference_page

if __name__ == "__main__":
    sys.stdout.write(reference_page(extensions="--extensions" in sys.argv[1:]))
