"""The queries of the program, with their settings and their results as JSON."""
