"""Compiled code that searches of every code-guessing game share: partitions and the transposition table."""
