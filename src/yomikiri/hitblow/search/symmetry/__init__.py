"""What may be exchanged without any difference, places, symbols and turns, and what follows from it.

    alike       what may be exchanged at the start, read off the codes that fit
    names       one name for cells that an exchange turns into each other: proofs and stores know cells by it
    kernels     the same in a running search: guesses that an exchange turns into lower ones, keys of large sets

The race names sets by what is in them, since it meets each in many ways (race/public/names.py). The checker of
certificates has its own renamings (certificate/renaming.py): it shares nothing with the search.
"""
