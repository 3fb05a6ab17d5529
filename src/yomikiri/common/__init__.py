"""Modules that know neither game: errors, words and numbers as text, budgets, locks, stores, pictures, the platform."""
