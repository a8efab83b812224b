"""Turn masks of cells into outlines, convex pieces and rectangles.

Engines use them as collision shapes and navigation meshes. A mask is a boolean array [height,
width]; the other main words are explained in the modules.
"""
