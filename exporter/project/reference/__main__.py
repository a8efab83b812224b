"""Prints the reference page of the spec; with `--extensions`, with what other packages bring."""

import sys

from exporter.project.reference.page import reference_page

if __name__ == "__main__":
    sys.stdout.write(reference_page(extensions="--extensions" in sys.argv[1:]))
