"""Answers that may be wrong: how often the true correction of a contradiction is suggested, and the cost of an error.

    python benchmarks/hitblow_slips.py corrections     all errors in all games of proven play (3 of 10)
    python benchmarks/hitblow_slips.py guesses         all 720 secrets, a random error each, with and without --slips 1
    python benchmarks/hitblow_slips.py speed           CPU seconds of a suggestion with --slips 1 and 2, and in a match

`corrections` involves no randomness. For each secret, each turn of its game and each error that can be noticed, the
game continues with the wrong turn until no code fits. Errors are weighted by their probability (points). Many such
games have the same turns, so the error cannot be determined: the best possible method suggests the most frequent
errors. The script computes that method from these games alone, and compares it with the corrections that the program
suggests. An error in the guess means that the player typed the suggested guess but made another one.

In `guesses` the error is in one of the first four turns, if the game has that many. Without `--slips`, the first
suggested correction is applied at each contradiction. If another contradiction follows, all turns are restored first.
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.model.codes import possible_hints
from yomikiri.hitblow.model.corrections import repairs
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, Turn, hint
from yomikiri.hitblow.model.wrong_answers import Slips, guesses_for, hint_points
from yomikiri.hitblow.policies import policy_named

RULES = Rules()
Turns = tuple[Turn, ...]
Correction = tuple[int, Turn]
Slipped = dict[Correction, float]  # possible corrections with their frequencies
LONGEST = 25


class Player:
    """A player who guesses by the stored strategy. Where it has no guess, the player looks one step ahead.

    Knowledge and guesses are cached.
    """

    def __init__(self, slips: Slips | None = None) -> None:
        self._known: dict[Turns, Knowledge] = {(): Knowledge(slips=slips or Slips())}
        self._guesses: dict[Turns, str] = {}
        self._policy = policy_named("book")

    def known(self, turns: Turns) -> Knowledge:
        """Return the knowledge after some turns."""
        if turns not in self._known:
            self._known[turns] = self.known(turns[:-1]).after(turns[-1])
        return self._known[turns]

    def guess(self, turns: Turns) -> str:
        """Return the next guess; if no code fits, the one after the most probable correction."""
        if turns not in self._guesses:
            known = self.known(turns)
            while not known.count:
                first, told = repairs(known)[0], list(known.played)
                for line, turn in zip(first.lines, first.turns, strict=True):
                    told[line - 1] = turn
                known = Knowledge(facts=tuple(told), slips=known.slips)
            self._guesses[turns] = self._policy.choose(known).guess
        return self._guesses[turns]


def slips_of(turn: Turn, secret: str) -> Iterator[tuple[Turn, Turn, int]]:
    """Yield the possible errors in a turn: the wrong turn, the true turn, and the points (the frequency) of the error.

    A win is never misreported.
    """
    for told in possible_hints(RULES, turn.guess) - {turn.hint, RULES.win}:
        yield Turn(turn.guess, told), turn, hint_points(RULES, turn.hint, told)
    for guess, points in guesses_for(RULES, turn.guess):
        told = hint(guess, secret)
        if guess != secret and told != turn.hint and told in possible_hints(RULES, turn.guess):
            yield Turn(turn.guess, told), Turn(guess, told), points


def played(player: Player, secret: str, turns: Turns = ()) -> Turns:
    """Continue a game to its end or to a contradiction, and return it without the winning guess."""
    while player.known(turns).count and (guess := player.guess(turns)) != secret:
        turns = (*turns, Turn(guess, hint(guess, secret)))
    return turns


def corrections() -> None:
    player, ends = Player(), defaultdict[Turns, Slipped](lambda: defaultdict(float))
    for secret in Knowledge().codes():
        turns = played(player, secret)
        for line, turn in enumerate(turns, start=1):
            for told, real, points in slips_of(turn, secret):
                end = played(player, secret, (*turns[: line - 1], told))
                if not player.known(end).count:
                    ends[end][line, real] += points / len(turns)
    print(f"{len(ends):,} different games end in a contradiction after one slip\n")
    print("| named | all slips: first | among three | slips in hints: first | among three |")
    print("| --- | --- | --- | --- | --- |")
    for name, turn_only, ranked in (
        ("the turn", True, True),
        ("the best that can be done", True, False),
        ("the turn and what it was", False, True),
        ("the best that can be done", False, False),
    ):
        row = [
            share_of_true_corrections(player, ends, most, answers_only, turn_only, ranked)
            for answers_only in (False, True)
            for most in (1, 3)
        ]
        print(f"| {name} |", " | ".join(f"{share:.1%}" for share in row), "|")


def share_of_true_corrections(
    player: Player, ends: Mapping[Turns, Slipped], most: int, answers_only: bool, turn_only: bool, ranked: bool
) -> float:
    """Return the share of games whose true correction is among the first `most` suggestions.

    If `answers_only` is set, only errors in an answer count. If `turn_only` is set, it is enough to name the wrong
    turn. If `ranked` is set, suggestions are those of the program, otherwise the most frequent errors.
    """
    right = whole = 0.0
    for end, real in ends.items():
        true = summed(real.items(), end, answers_only, turn_only)
        order = true
        if ranked:
            found = (((repair.lines[0], repair.turns[0]), repair.share) for repair in repairs(player.known(end)))
            order = summed(found, end, answers_only, turn_only)
        first = sorted(order, key=lambda each: -order[each])[:most]
        right += sum(true.get(each, 0.0) for each in first)
        whole += sum(true.values())
    return right / whole


def summed(
    shares: Iterable[tuple[Correction, float]], end: Turns, answers_only: bool, turn_only: bool
) -> dict[object, float]:
    """Add up the frequencies of corrections of the game `end`, or of its wrong turns if `turn_only` is set.

    If `answers_only` is set, only corrections of an answer count.
    """
    found: dict[object, float] = defaultdict(float)
    for (line, turn), share in shares:
        if not answers_only or turn.guess == end[line - 1].guess:
            found[line if turn_only else (line, turn)] += share
    return found


def guesses_with_an_error(secret: str, wrong: int, chance: random.Random, player: Player) -> int:
    """Return the number of guesses in a game in which turn `wrong` is misreported."""
    turns: Turns = ()
    while len(turns) < LONGEST and (guess := player.guess(turns)) != secret:
        turn = Turn(guess, hint(guess, secret))
        if len(turns) + 1 == wrong:
            ways = sorted((str(told), told, points) for told, _real, points in slips_of(turn, secret))
            turn = chance.choices([way[1] for way in ways], [way[2] for way in ways])[0]
        turns = (*turns, turn)
    return len(turns) + 1


def guesses() -> None:
    print("| | one slip: guesses | most | no slip: guesses | most |")
    print("| --- | --- | --- | --- | --- |")
    for name, player in (
        ("without", Player()),
        ("`--slips 1`", Player(Slips(1))),
        ("`--slips 1 --slip-rate 0.2`", Player(Slips(1, 0.2))),
        ("`--slips 2 --slip-rate 0.2`", Player(Slips(2, 0.2))),
    ):
        row = []
        for wrong in (True, False):
            chance = random.Random(1)
            took = [
                guesses_with_an_error(code, chance.randint(1, 4) if wrong else 0, chance, player)
                for code in Knowledge().codes()
            ]
            row += [f"{sum(took) / len(took):.3f}", str(max(took))]
        print(f"| {name} |", " | ".join(row), "|", flush=True)


def speed() -> None:
    policy, advisor, chance = policy_named("exact"), Advisor(), random.Random(1)
    for most in (1, 2):
        alone, matches = [], []
        for game in range(41):
            secret, mine = chance.sample(Knowledge().codes(), 2)
            rounds = chance.sample([code for code in Knowledge().codes() if code not in (secret, mine)], 5)
            told = [Turn(code, hint(code, secret)) for code in rounds[: chance.randint(1, 5)]]
            known, match = Knowledge(facts=tuple(told), slips=Slips(most)), Match(secret=mine, slips=Slips(most))
            for turn in told:
                match = match.play(turn).play(Turn(turn.guess, hint(turn.guess, mine)))
            begin = time.process_time()
            policy.choose(known)
            between = time.process_time()
            advisor.advise(match)
            if game:  # not measured, because the first game loads the machine code
                alone.append(between - begin)
                matches.append(time.process_time() - between)
        for name, took in (("a guess", alone), ("a guess in a match, with its chance of winning", matches)):
            print(f"--slips {most}, {name}: {sorted(took)[20]:.3f} s of CPU in the middle, {max(took):.3f} s at most")


def main(names: Iterable[str]) -> None:
    for name in names:
        {"corrections": corrections, "guesses": guesses, "speed": speed}[name]()
        print()


if __name__ == "__main__":
    main(sys.argv[1:] or ("corrections", "guesses", "speed"))
