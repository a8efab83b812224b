"""Write files that describe a whole world, made of chunks."""
