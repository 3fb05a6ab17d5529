"""Certificates: files that prove a lower bound of a total, their writer, and an independent program that checks them.

`checker` is that program, and imports nothing from the package. `writer` imports the search. Begin with the docstring
of `checker`, which proves that the check is sound.
"""
