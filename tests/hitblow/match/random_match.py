"""Random matches in which all facts are true: complete and partial answers, results of items, changes of the secret."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.model.facts import (
    CLASSES,
    At,
    Changed,
    Double,
    Has,
    High,
    OfTurn,
    Pass,
    SecretChange,
    Shuffle,
    Slash,
)
from yomikiri.hitblow.model.partial_answers import MarkedTurn, PartTurn, SumTurn, marks
from yomikiri.hitblow.model.rules import Answered, Fact, Repeats, Rules, Turn, hint

GAMES = (Rules(2, "012345"), Rules(3, "0123456"), Rules(2, "45678", Repeats.ALL), Rules(3, "234567", Repeats.GUESS))


def random_match(random: Random) -> tuple[Match, str]:
    """Return an unfinished match and the opponent's initial secret."""
    rules = random.choice(GAMES)
    secrets = {side: random.choice([*rules.secrets()]) for side in Side}  # the secret that each side has to find
    first = secrets[Side.ME]
    own_secret = secrets[Side.OPPONENT] if random.random() < 0.5 else ""
    match = Match(rules, rules, random.choice([*Side]), secret=own_secret, equal_turns=random.random() < 0.5)
    for _line in range(random.randint(1, 9)):
        later = _with_random_step(random, match, secrets)
        if later.outcome:
            break
        match = later
    return match, first


def _with_random_step(random: Random, match: Match, secrets: dict[Side, str]) -> Match:
    """Return the match after a guess or, with probability 0.3, another fact such as an item, a pass or a change."""
    mover = match.to_move
    assert mover
    if random.random() < 0.7:
        return match.play(_answered(random, match, mover, secrets[mover]))
    side = random.choice([*Side])
    fact = _fact(random, match.rules, secrets[side])
    if isinstance(fact, SecretChange):
        secrets[side] = random.choice(fact.secrets(secrets[side], match.rules))
    later = match.learn(mover if isinstance(fact, OfTurn) else side, fact)
    return replace(later, secret=secrets[Side.OPPONENT]) if match.secret and random.random() < 0.5 else later


def _answered(random: Random, match: Match, mover: Side, secret: str) -> Answered:
    known = match.known(mover)
    before = [turn.guess for turn in known.turns]
    guess = random.choice([random.choice(known.codes()), random.choice([*match.rules.secrets()]), *before])
    answer = hint(guess, secret)
    return random.choice(
        [
            *[Turn(guess, answer)] * 3,
            PartTurn(guess, hits=answer.hits),
            PartTurn(guess, blows=answer.blows),
            PartTurn(guess),
            SumTurn(guess, answer.hits + answer.blows),
            MarkedTurn(guess, marks(guess, secret)),
        ]
    )


def _fact(random: Random, rules: Rules, secret: str) -> Fact:
    place = random.randint(1, rules.digits)
    letters = next(name for name, digits in CLASSES.items() if secret[place - 1] in digits)
    changed = Changed(letters, place)
    high = "".join("H" if symbol in CLASSES["high"] else "L" for symbol in secret)
    facts = [High(high), Slash(int(max(secret)) - int(min(secret))), Has(secret[0]), At(secret[place - 1], place)]
    changes = [Shuffle()] + [changed] * bool(changed.secrets(secret, rules))
    return random.choice([*facts, *changes, *changes, Double(), Pass()])
