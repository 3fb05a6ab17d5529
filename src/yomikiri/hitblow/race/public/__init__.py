"""The race in which both players see both boards: its exact value, and the best guess in any position.

Begin with `race.PublicRace`. `forms` and `payoffs` call the kernels of `race.kernels`, `tables` builds and checks their
arrays, and `shipped_tables` stores their results in files. docs/theory/race-public.md explains the ideas, and proves
that each shortcut of the search is correct.
"""
