"""Certificates: lower bounds that others can check, and the file that checks them, which stands alone."""
