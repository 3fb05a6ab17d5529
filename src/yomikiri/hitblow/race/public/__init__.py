"""The race when both sides see both boards: its exact value, and the best guess in any position.

`race.PublicRace` is the way in. Below it stand what drives the kernels, `worths`, and the kernels: `tables`, `entries`,
`forms` and `pairs`. `shipped_tables` keeps their work in files. race-public.md explains the ideas and proves the
rules.
"""
