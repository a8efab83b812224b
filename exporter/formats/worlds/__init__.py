"""Write files that describe a whole world."""
