"""Winning chances that the program's perfect play guarantees, by a replay against all moves of the other side.

    python -m tests.hitblow.race.public.played DIGITS SYMBOLS [--repeats] [--revealed 1] [--equal-turns]

For no revealed symbol, and for one revealed by the first or the second player, the program prints two bounds of the
first player's winning chance: the least if the program moves first, and the greatest if it moves second. If both are
equal, they are the value of the race; the proof uses only the rules. 3 of 10 takes about three minutes and 1.2 GB.
"""

from __future__ import annotations

from argparse import ArgumentParser
from fractions import Fraction
from functools import cache

import numpy as np
from tests.reference.forms import forms
from tests.reference.public_race import codes_of
from tests.reference.replay import CLOSING, OPENING, SUDDEN, best_result_against

from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.race.public.race import PublicRace


class Played:
    """A game with the program's move in every reachable position.

    Sets of codes are represented by the numbers of their forms. `every` is the form of the set of all codes, `reduced`
    that of the codes without the revealed symbols, which are the last ones.
    """

    def __init__(self, rules: Rules, *, revealed: int = 1, equal_turns: bool = False) -> None:
        self.codes = sorted(codes_of(rules))
        rows = np.array([[rules.symbols.index(symbol) for symbol in code] for code in self.codes])
        left = np.flatnonzero((rows < len(rules.symbols) - revealed).all(axis=1))
        self.forms = forms(rows, [np.arange(len(rows)), left])
        self.every, self.reduced = self.forms.start
        self.begins = OPENING if equal_turns else SUDDEN
        self.race = PublicRace(rules, equal_turns=equal_turns)
        self._best = cache(self._option)
        # The program's moves depend on the other side's set only through its form, so one query per form is enough.
        asked = self.race._forms[0]
        self._theirs = [asked.form(asked.numbers(example)) for example in self.forms.example]
        self._alike = {theirs: form for form, theirs in enumerate(self._theirs)}

    def option(self, kind: int, held: int, other: int) -> int:
        """Return the index of the option that the program takes.

        `kind` is SUDDEN, OPENING or CLOSING, `held` the form of the mover's candidates, and `other` that of the other
        side's.
        """
        return self._best(kind, held, self._alike[self._theirs[other]])

    def guaranteed_chances(self, mover: int, other: int, kind: int) -> tuple[Fraction, Fraction]:
        """Return the mover's least chance if it plays like the program, and its greatest if the other side does."""
        halves = 2 * int(self.forms.size[mover] * self.forms.size[other])
        replied = best_result_against(self.forms, self.option, kind, mover, other, replies=False)
        won = best_result_against(self.forms, self.option, kind, other, mover, replies=True)
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
    every, reduced = played.every, played.reduced
    for who, sets in (("nobody", (every, every)), ("the first", (every, reduced)), ("the second", (reduced, every))):
        least, most = played.guaranteed_chances(*sets, played.begins)
        print(f"{who} reveals: at least {least}, at most {most}", flush=True)


if __name__ == "__main__":
    main()
