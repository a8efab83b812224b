"""Represent maps drawn in editors, and read each editor's files.

Readers turn the bytes of a file into a `HandMap`; `meaning` decides the meaning of its tiles. Files
may come from anywhere: sizes, depths and counts are checked before anything is built from them.
"""
