"""Write output files safely, record them in a manifest, and cache results.

Files are replaced atomically, and the manifest records which files the exporter wrote, so that
files of the user are never overwritten.
"""
