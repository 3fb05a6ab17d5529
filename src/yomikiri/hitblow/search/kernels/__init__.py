"""Compiled code of the exact search: bit planes, scans, bounds, the recursion.

The modules of `search` call these compiled functions, the *kernels*. The modules in this folder contain only kernels
and the declarations of their arrays. Begin with `bit_planes`, then read `workspace` and `recursion`.
"""
