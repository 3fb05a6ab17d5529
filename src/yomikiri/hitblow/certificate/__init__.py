"""Certificates: files that prove a lower bound of the total number of guesses, their writer, and their checker.

`checker` is an independent program that checks these files, and imports nothing from the package. `writer` imports the
search. Begin with the docstring of `checker`, which proves that the check is sound.
"""
