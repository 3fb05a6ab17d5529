"""Compiled code of the race: canonical forms, tables of pairs, and play at random."""
