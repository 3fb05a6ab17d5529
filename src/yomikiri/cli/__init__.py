"""Commands of the command line, one file for each command or group; the games do no input or output themselves.

No other package imports this one. Begin with `main`, then `base`, which all commands share; `sitting` is the loop of a
session at a terminal.
"""
