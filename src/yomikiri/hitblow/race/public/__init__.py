"""The race when both sides see both boards: its exact value, and the best guess in any position.

`race.PublicRace` is the way in. Below it stand the drivers of the kernels, `forms` and `pairs`, and the kernels
themselves. docs/race-public.md explains the ideas and proves the rules.
"""
