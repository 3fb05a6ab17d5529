"""The exact search: the least cost of any strategy from any knowledge, with its proof and a tree that attains it.

`solve` is the way in. Below it stand the subproblems (`subproblem`, `split`), the engine that solves them and the
trees it grows (`engine`, `grow`), and the kernels: `planes`, `scan`, `scan_large`, `workspace`, `partition`, `answers`,
`symmetry`, `memo`, `bounds`, `recursion`. docs/search.md explains the ideas and proves the bounds.
"""
