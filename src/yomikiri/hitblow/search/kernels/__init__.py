"""Compiled code of the exact search: bit planes, scans, bounds, the recursion.

The modules of `search` call these kernels. The files contain only kernels and the arrays of kernels. Begin with
`bit_planes`, then read `workspace` and `recursion`.
"""
