"""Parallel proofs: the subproblems of a proof, the workers that solve them, and the bounds that are stored.

`solve` imports this package. Begin with `tree`, then `worker_pool`.
"""
