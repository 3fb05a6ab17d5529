"""Kernels: what they may contain, the library that they are compiled into, and how Python calls it.

The searches of both games import this package, which knows neither. Begin with `kernel`, then `running`.
"""
