"""Compiled code of the race: canonical forms, tables of pairs, and play at random.

The modules of `race` and `match` call it. A file here contains kernels and the arrays that they read, no other code.
Begin with `forms`.
"""
