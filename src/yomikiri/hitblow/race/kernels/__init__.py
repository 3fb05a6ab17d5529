"""Compiled code of the race: canonical forms, payoffs of pairs, and random play.

The modules of `race` and `match` call it. A file here contains only kernels and the arrays that they use. Begin with
`forms`.
"""
