"""The few compiled loops: Cython pure-Python sources that also run interpreted."""
