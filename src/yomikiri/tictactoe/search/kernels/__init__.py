"""The search of boards, written once for Python and for machine code."""
