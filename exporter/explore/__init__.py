"""Search many levels of one spec, and report the best.

A candidate is a number; its seed and its varied parameters follow from the number, the spec and, in
a search for variety, from earlier generations. So the result does not depend on the number of
processes, or on interruptions.

For variety, the range of each metric is divided into parts. A niche is a combination of such parts,
one for each metric; a level lies in the niche of its values.
"""
