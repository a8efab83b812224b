"""Write LDtk projects and LDtk's Super Simple Export."""
