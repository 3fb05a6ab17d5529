"""Suggest the next guess of Hit & Blow, with the reason.

134 leaves 59.0 candidates on average; it needs 4.23 guesses from here, proven.
"""

from yomikiri.hitblow import Knowledge, suggest

known = Knowledge.parse("012:0H1B")
guess = suggest(known).proposed
print(
    f"{guess.guess} leaves {guess.expected_remaining:.1f} candidates on average; "
    f"it needs {guess.expected_guesses:.2f} guesses from here, proven."
)
