"""Certificates: lower bounds that can be checked independently, and the program that checks them.

`checker` is a separate program that imports nothing from the package. `writer` imports the search. Begin with
`checker`, which describes the argument.
"""
