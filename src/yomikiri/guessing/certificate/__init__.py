"""Certificates for games with lists: lower bounds of totals as files that a small program checks.

`checker` is that program and imports no part of the package; `writer` writes the files, and `cells` chooses the bounds
in them, for the certificates of Hit & Blow as well. Only the commands import this package. Begin reading at `checker`.
"""
