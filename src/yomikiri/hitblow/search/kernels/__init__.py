"""Compiled code of the exact search: bit planes, scans, bounds, the transposition table, the recursion."""
