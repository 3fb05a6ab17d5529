"""Symmetries: permutations of places and symbols that do not change a problem, and their use.

`equivalent` finds the symmetries of the candidates at the start of a search. `canonical` gives equivalent cells the
same turns. The kernels of a running search are in `search.kernels.symmetry`. The checker of certificates has its own
code for symmetries (certificate/renaming.py), because it must not share any with the search.
"""
