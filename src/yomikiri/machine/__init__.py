"""Kernels: what they may be, the library they become when the package is built, and calling it. Knows no game."""
