"""The search of boards, written once: it runs as Python, or compiled to machine code.

`search.solver` calls it. `sets`, `pairing` and `alphabeta` are the search. `compiled` compiles these modules to machine
code, with `two_words` for boards with many lines. `machine_code` contains the functions with which Python calls the
compiled search.
"""
