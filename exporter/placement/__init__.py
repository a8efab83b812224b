"""Place objects: find their possible cells, and choose among them."""
