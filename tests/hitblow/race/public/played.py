"""What the program's perfect play is sure of: replayed against everything that the other side may do.

    python -m tests.hitblow.race.public.played DIGITS SYMBOLS [--repeats] [--revealed 1] [--equal-turns]

When nobody reveals a symbol, when the first player does, and when the second does: the first player's chance to win by
the program's moves at least, whatever the second does, and at most against the program's, whatever the first does.
Where both are equal they are the value of the race, and nothing but the rules was needed to find that out. 3 of 10
takes some three minutes and 1.2 GB.
"""

from __future__ import annotations

from argparse import ArgumentParser
from fractions import Fraction
from functools import cache

import numpy as np
from tests.reference.forms import forms
from tests.reference.public_race import codes_of
from tests.reference.replay import CLOSING, OPENING, SUDDEN, most

from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.race.public.race import PublicRace


class Played:
    """A game with the program's move in every position that play can come to.

    Sets are told by their forms: `every` is that of all codes, `told` that of those without the last symbols.
    """

    def __init__(self, rules: Rules, *, revealed: int = 1, equal_turns: bool = False) -> None:
        self.codes = sorted(codes_of(rules))
        rows = np.array([[rules.symbols.index(symbol) for symbol in code] for code in self.codes])
        left = np.flatnonzero((rows < len(rules.symbols) - revealed).all(axis=1))
        self.forms = forms(rows, [np.arange(len(rows)), left])
        self.every, self.told = self.forms.start
        self.begins = OPENING if equal_turns else SUDDEN
        self.race = PublicRace(rules, equal_turns=equal_turns)
        self._best = cache(self._option)
        # The program's moves look at no more of the other side's set than its own form of it: ask once for each.
        asked = self.race._forms[0]
        self._theirs = [asked.form(asked.numbers(example)) for example in self.forms.example]
        self._alike = {theirs: form for form, theirs in enumerate(self._theirs)}

    def option(self, kind: int, held: int, other: int) -> int:
        """The number of the option that the program takes."""
        return self._best(kind, held, self._alike[self._theirs[other]])

    def sure(self, mover: int, other: int, kind: int) -> tuple[Fraction, Fraction]:
        """The mover's chance to win: at least by the program's moves, and at most against them."""
        halves = 2 * int(self.forms.size[mover] * self.forms.size[other])
        replied = most(self.forms, self.option, kind, mover, other, replies=False)
        won = most(self.forms, self.option, kind, other, mover, replies=True)
        return 1 - Fraction(replied, halves), Fraction(won, halves)

    def _option(self, kind: int, held: int, other: int) -> int:
        example = self.forms.example
        guess = self.race.moves(example[held], example[other], closing=kind == CLOSING)[0]
        option = int(self.forms.option[held][self.codes.index(guess)])
        assert option >= 0
        return option


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("digits", type=int)
    parser.add_argument("symbols", type=int)
    parser.add_argument("--repeats", action="store_true")
    parser.add_argument("--revealed", type=int, default=1)
    parser.add_argument("--equal-turns", action="store_true")
    asked = parser.parse_args()
    repeats = Repeats.ALL if asked.repeats else Repeats.NONE
    rules = Rules(asked.digits, "0123456789ABCDEF"[: asked.symbols], repeats)
    played = Played(rules, revealed=asked.revealed, equal_turns=asked.equal_turns)
    every, told = played.every, played.told
    for who, sets in (("nobody", (every, every)), ("the first", (every, told)), ("the second", (told, every))):
        least, most_ = played.sure(*sets, played.begins)
        print(f"{who} reveals: at least {least}, at most {most_}", flush=True)


if __name__ == "__main__":
    main()
