"""Certificates: lower bounds that others can check, and the program that checks them.

`checker` is a program of its own that imports nothing of the package; `writer` imports the search. Begin with
`checker`, which describes the format.
"""
