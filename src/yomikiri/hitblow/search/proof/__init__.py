"""Parallel proofs: the tasks of a proof, the workers that solve them, and the bounds that are stored.

`solve` imports this package. Begin with `tree`, then read `worker_pool`.
"""
