"""Entropy codecs for arrays, one file each."""
