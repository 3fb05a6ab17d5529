"""Compiled code of the race: canonical forms of candidate sets, payoffs of positions, and random play.

The modules of `race` and `match` call these kernels. The files contain only kernels and the declarations of their
arrays. Begin with `tables`, which defines the terms, then read `forms`.
"""
