"""The search of boards, written once for Python and for machine code.

`search` calls it. `sets`, `pairing` and `alphabeta` are the search. `compiled` compiles it to machine code, with
`two_words` for boards with many lines, and `machine_code` calls the result.
"""
