"""Turn masks of cells into outlines, convex pieces and rectangles.

Engines use them as collision shapes and navigation meshes. A mask is a bool array [height, width].
"""
