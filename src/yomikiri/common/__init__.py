"""Modules that know neither game: errors, words and numbers as text, budgets, locks, stores, pictures, the platform.

Every other package may import them; they import only each other. Begin with `errors` and `budget`.
"""
