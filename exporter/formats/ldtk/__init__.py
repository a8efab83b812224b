"""The files of LDtk's Super Simple Export."""
