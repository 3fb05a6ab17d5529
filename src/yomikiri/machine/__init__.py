"""Kernels: functions compiled to machine code, the library that contains them, and how Python calls them.

The searches of both games import this package; it imports neither game. Begin with `kernel`, then read `running`.
"""
