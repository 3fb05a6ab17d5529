"""The exact search: the least cost of any strategy from any knowledge, with its proof and a tree that attains it.

`solve` is the way in. Below it: objectives, pieces of work, the engine that runs them, and the kernels (planes, bits,
scan, scan_large, cells, symmetry, memo, work, bounds, recursion). docs/search.md explains the ideas and proves the
bounds.
"""
