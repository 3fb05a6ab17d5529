"""Certificates for games with lists: lower bounds of totals as files that a small program checks.

`checker` is that program, and imports nothing from the rest of the package. `writer` writes the files. `cells` chooses
the bounds in them; the certificates of Hit & Blow use it, too. Only the commands import this package. Begin reading at
`checker`.
"""
