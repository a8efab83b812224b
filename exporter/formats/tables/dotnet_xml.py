"""Define how .NET's `DataTable` begins the XML of a table."""

from __future__ import annotations

# DataTable.WriteXml's root name for a table outside a data set.
ROOT = "DocumentElement"
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
