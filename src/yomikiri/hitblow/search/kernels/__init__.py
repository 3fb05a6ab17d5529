"""Compiled code of the exact search: bit planes, scans, bounds, the recursion.

The modules of `search` call it. A file here contains kernels and the arrays that they read, and no other code. Begin
with `bit_planes`, then `recursion`.
"""
