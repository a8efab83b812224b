"""`python -m exporter.cli.reference` prints the reference page; `--extensions`, other packages'."""

import sys

from exporter.cli.reference.page import reference_page

if __name__ == "__main__":
    sys.stdout.write(reference_page(extensions="--extensions" in sys.argv[1:]))
