"""The exact search: the least cost of any strategy from any knowledge, with its proof and a tree that attains it.

`solve` is the way in. Questions in the middle of a game are asked of a `position`. Below stand the subproblems and the
engine that solves them and grows their trees (`subproblem`, `engine`), and the kernels: `planes`, `occurring`, `scan`,
`workspace`, `partition`, `symmetry`, `memo`, `bounds`, `recursion`. `plain` is the same search without a compiler,
`uneven` that of least weighted totals where some secrets are likelier than others.
hitblow-search.md explains the ideas and proves the bounds.
"""
