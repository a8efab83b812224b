"""Define the first lines of XML tables, as .NET's `DataTable` writes them."""

from __future__ import annotations

# DataTable.WriteXml's root name for a table outside a data set.
ROOT = "DocumentElement"
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
