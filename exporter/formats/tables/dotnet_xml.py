"""How .NET's `DataTable` begins the XML of a table."""

from __future__ import annotations

# What DataTable.WriteXml names the root of a table that belongs to no data set.
ROOT = "DocumentElement"
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
