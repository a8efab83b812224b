"""Export a project: find stale levels, build them, and write their files.

A level is stale if its spec, another input or an output has changed since it was last built. A
world is a level too large for one build: it is built and exported in square chunks. The manifest
records the inputs and outputs of all exports, with one entry for each spec and each chunk.
"""
