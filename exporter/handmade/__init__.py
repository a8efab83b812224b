"""Represent maps drawn in editors, and read the files of each program.

Readers turn the bytes of a file into a `HandMap`; `meaning` decides the meaning of its tiles. Files
may come from anywhere: sizes, depths and counts are checked before anything is built from them.
"""
