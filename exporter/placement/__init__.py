"""Place objects: find the cells each group can use, and choose among them."""
