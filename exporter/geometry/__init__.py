"""Cut masks into polygons: outlines with holes, and convex pieces."""
