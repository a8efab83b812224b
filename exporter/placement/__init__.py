"""Place objects: find the cells that each may have, and choose among them."""
