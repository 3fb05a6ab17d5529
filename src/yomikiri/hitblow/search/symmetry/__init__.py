"""Symmetries: permutations of places and symbols that do not change a problem, and their use.

`equivalent` finds them in the candidates at the start of a search. `canonical` gives one name to all cells that they
map to each other. The kernels of a running search are in `search.kernels.symmetry`. The checker of certificates has its
own code for this (certificate/renaming.py), because it must not share any with the search.
"""
