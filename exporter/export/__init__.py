"""Export a project: find stale levels, build them, and write their files.

A level is stale if its spec, another input or an output has changed since it was last built. A
world is a level too large for one build; it is divided into square parts, each with files of its
own. The manifest is the store's record of inputs and outputs, one entry for each spec and each
part.
"""
