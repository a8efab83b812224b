"""Write LDtk projects and its Super Simple Export."""
