"""The exact search: the least cost of any strategy from any knowledge, with its proof and a tree that attains it.

`solve` is the way in. Questions in the middle of a game are asked of a `position`. Below stand the subproblems and the
engine that solves them (`subproblem`, `engine`), the trees grown from what it finds (`trees`), and the kernels:
`planes`, `occurring`, `scan`, `workspace`, `partition`, `symmetry`, `memo`, `bounds`, `recursion`. `plain` is the same
search for computers without machine code. `priced` is the search of one position whose codes have prices: `uneven` asks
it for least weighted totals, the race for greatest worths.
hitblow-search.md explains the ideas and proves the bounds.
"""
