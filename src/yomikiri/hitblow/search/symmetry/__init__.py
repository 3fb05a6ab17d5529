"""Permutations of places and symbols that change nothing, and what follows from them.

`equivalent` finds them in the candidates at the start of a search, and `canonical` gives one name to all cells that
they map to each other. The kernels of a running search are in `search.kernels.symmetry`. The checker of certificates
has its own code for this (certificate/renaming.py), because it must not share any with the search.
"""
