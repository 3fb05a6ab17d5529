"""The race in which both players see both boards: its exact value, and the best guess in any position.

`race.PublicRace` is the entry. `payoffs` drives the kernels in `race.kernels`, `tables` makes and checks their arrays,
and `shipped_tables` stores their results in files. docs/theory/race-public.md explains the ideas and proves the rules.
"""
