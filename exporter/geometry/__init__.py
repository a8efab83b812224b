"""Polygons of masks: outlines with holes, and convex pieces for navigation."""
