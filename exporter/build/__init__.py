"""Build levels from checked specs in stages; reuse unchanged stages.

A stage makes one layer, group of objects or other part of a level from recorded inputs.
"""
