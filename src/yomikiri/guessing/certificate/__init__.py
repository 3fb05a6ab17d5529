"""Certificates for games with the user's lists of codes: files that prove a lower bound of the total number of guesses.

`checker` is a small program that checks these files, and imports nothing from the rest of the package. `writer` writes
the files. `cells` chooses the bounds in them; the certificates of Hit & Blow use this module, too. Only the commands
import this package. Begin reading at `checker`.
"""
