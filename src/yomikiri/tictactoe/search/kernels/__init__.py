"""The search of boards, written once for Python and for machine code.

`search` calls it. `sets`, `pairing` and `alphabeta` are the search; `compiled` makes machine code of it, with
`two_words` for boards of many lines, and `machine_code` calls that.
"""
