"""Modules that depend on no game: errors, input conversion, budgets, locks, stores, pictures, platform.

Any package may import them; they import only each other. Begin with `errors` and `budget`.
"""
