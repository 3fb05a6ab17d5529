"""Compiled code for every code-guessing game: answers, scans, partitions, transposition table, recursion.

The modules of `guessing` and of `hitblow.search` call it. A file here contains kernels and the arrays that they read.
Begin with `answer_table`, then `scan` and `table_recursion`.
"""
