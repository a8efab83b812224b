"""Model maps drawn in editors, with a reader for each program.

Bytes of a file flow in, a `HandMap` flows out; what its tiles mean is decided by `meaning`. Files
may come from anywhere: sizes, depths and counts are checked before anything is built from them.
"""
