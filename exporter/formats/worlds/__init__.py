"""Write the files that describe a whole world."""
