"""Certificates, with the programs that write and check them.

A *certificate* is a file that proves a lower bound of the number of guesses, added up over all secrets. `checker` is an
independent program that checks these files, and imports nothing from the package. `writer` imports the search. Begin
with the docstring of `checker`, which proves that the check is sound.
"""
