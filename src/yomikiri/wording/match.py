"""What is said in a match of Hit & Blow, in the language in use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import reduce

from yomikiri.hitblow.match.advice import Basis, MatchAdvice, Motive, Prospect, Standing, Unread
from yomikiri.hitblow.match.match import Match, Outcome, Side
from yomikiri.hitblow.match.opponents import Opponent, Pace
from yomikiri.hitblow.notation import write_hint
from yomikiri.hitblow.rules import Hint, Rules, Words
from yomikiri.wording.hitblow import candidates_left, joined, percent, rules_text, turn_text
from yomikiri.wording.language import _

_SOON = 3  # how many guesses of the opponent are looked ahead
_SURE = 0.9995


def welcome(rules: Rules) -> str:
    """The first line of a match."""
    return _("Match: {rules}. 'help' lists the commands.").format(rules=rules_text(rules))


def terms(match: Match) -> Iterator[str]:
    """What the sides agreed on, to one who can tell more."""
    yield agreed(match)
    if not match.secret:
        yield _("With 'secret 314' the program answers for you, and tells how soon they find it.")


def agreed(match: Match) -> str:
    """What the sides agreed on, on one line."""
    parts = [_("You move first.") if match.first is Side.ME else _("They move first.")]
    if match.own_rules != match.rules:
        parts.append(_("Your own secret: {rules}.").format(rules=rules_text(match.own_rules)))
    if match.secret:
        parts.append(_("Your secret is {secret}.").format(secret=match.secret))
    if match.shown:
        parts.append(_("You showed {symbols}.").format(symbols=" ".join(match.shown)))
    if match.absent:
        parts.append(_("They showed {symbols}.").format(symbols=" ".join(match.absent)))
    if match.equal_turns:
        parts.append(_("The second player completes the turn."))
    return reduce(joined, parts)


def proposal(advice: MatchAdvice, number: int) -> str:
    """The proposed guess with the number of candidates it is chosen for."""
    guess = advice.proposed.guess
    if advice.reason.motive is Motive.ONLY:
        return _("{number}. Guess {guess}: it is the only code left.").format(number=number, guess=guess)
    left = candidates_left(advice.count)
    return _("{number}. Guess {guess} ({left}).").format(number=number, guess=guess, left=left)


def promise(advice: MatchAdvice) -> str:
    """The chances of a proposal: of hitting now, and of winning the match against that opponent."""
    proposed = advice.proposed
    message = _("You hit now with {hit}, and win the match with {win} against {opponent}.")
    if not proposed.exact:
        message = _("You hit now with {hit}, and win the match with about {win} against {opponent}.")
    return message.format(hit=share(proposed.hit), win=share(proposed.win), opponent=opponent_name(advice.opponent))


def share(chance: Fraction | float) -> str:
    """A chance in percent."""
    return percent(float(chance))


def opponent_name(name: str) -> str:
    """A model of the opponent, as it stands in a sentence."""
    return {
        "optimal": _("one who asks for fewest guesses"),
        "consistent": _("one who guesses whatever fits"),
        "entropy": _("one who asks for most information"),
        "perfect": _("perfect play"),
        "custom": _("one as quick as you said"),
    }[name]


def unread(advice: MatchAdvice) -> str | None:
    """Said where the race was not read out; None where it was."""
    if advice.unread is None:
        return None
    because = {
        Unread.COMPILING: _("while the search is being prepared"),
        Unread.TOO_LARGE: _("since there are too many positions"),
        Unread.TIME: _("since the time given was not enough"),
    }[advice.unread]
    message = _("(the race is not read out {because}: a guess that asks for few guesses)")
    if advice.basis is Basis.PACE:
        message = _("(the race is not read out {because}: the best guess against one who guesses whatever fits)")
    return message.format(because=because)


def why(advice: MatchAdvice) -> str:
    """Why this guess, in one sentence."""
    reason, ours = advice.reason, advice.proposed
    match reason.motive:
        case Motive.ONLY:
            return _("{guess} is the only code that fits every answer.").format(guess=ours.guess)
        case Motive.LAST_CHANCE:
            return _("They have found your secret: only a hit now still draws, and {guess} can be right.").format(
                guess=ours.guess
            )
    rival = reason.rival
    if rival is None:
        return _("{guess} wins most often, and no guess asks for fewer guesses.").format(guess=ours.guess)
    lead = _("{guess} wins {win}; {rival}, which asks for fewest guesses, only {less}:").format(
        guess=ours.guess, win=_compared(ours), rival=rival.guess, less=_compared(rival)
    )
    match reason.motive:
        case Motive.NOW:
            rest = _("it hits now with {ours}, {rival} with {theirs}.").format(
                ours=share(ours.hit), rival=rival.guess, theirs=share(rival.hit)
            )
        case Motive.WITHIN:
            rest = _("it finds the secret within {guesses} guesses with {ours}, {rival} with {theirs}.").format(
                guesses=reason.guesses, ours=share(reason.ours), rival=rival.guess, theirs=share(reason.theirs)
            )
        case _:
            rest = _("after it both sides' best play leaves you better off.")
    return joined(lead, rest)


def prospect(shown: Prospect) -> str:
    """The chances of a guess that the person named."""
    return _("{guess} hits now with {hit}, and wins the match with {win}.").format(
        guess=shown.guess, hit=share(shown.hit), win=_compared(shown)
    )


def _compared(shown: Prospect) -> str:
    """A chance of winning that is to be compared with another."""
    chance = f"{float(shown.win):.2%}".replace("%", " %")
    return chance if shown.exact else _("about {chance}").format(chance=chance)


def standing(shown: Standing) -> str:
    """The chance of winning while the opponent is to move."""
    message = _("You win about {win} from here.") if shown.error else _("You win {win} from here.")
    return message.format(win=share(shown.win))


def danger(match: Match, theirs: Pace) -> str:
    """What the opponent can know of my secret, and how soon they find it."""
    left = candidates_left(match.known(Side.OPPONENT).count)
    chances = [theirs.within(guesses) for guesses in range(1, _SOON + 1)]
    if chances[0] >= _SURE:
        return _("They have {left} for your secret: they find it with their next guess!").format(left=left)
    parts = [_("with the next guess {chance}").format(chance=percent(chances[0]))]
    for guesses, chance in enumerate(chances[1:], start=2):
        parts.append(_("within {guesses} {chance}").format(guesses=guesses, chance=percent(chance)))
        if chance >= _SURE:
            break
    return _("They have {left} for your secret. They find it {soon}.").format(left=left, soon=_(", ").join(parts))


def stand_in(opponent: Opponent) -> str | None:
    """Said of how soon they find my secret, where that is how soon another would; None where it is not."""
    if not opponent.watches:
        return None
    message = _("(So soon would {other}; the guesses of {opponent} depend on both boards.)")
    return message.format(other=opponent_name(opponent.stand_in.name), opponent=opponent_name(opponent.name))


def their_turn(match: Match) -> str:
    """Asks for the opponent's guess."""
    number = len(match.turns) + 1
    if match.secret:
        return _("{number}. Their turn: type what they guess.").format(number=number)
    return _("{number}. Their turn: type what they guess and what you answer, as in '345 1H1B'.").format(number=number)


def answer(hint: Hint, words: Words) -> str:
    """What to answer the opponent."""
    return _("Answer {hint}.").format(hint=write_hint(hint, words))


def wasted(guess: str, symbols: str) -> str:
    """Said of a guess that uses what I showed."""
    return _("Note: {guess} uses {symbols}, which you showed. If you misheard, 'undo' takes it back.").format(
        guess=guess, symbols=" ".join(symbols)
    )


def lines(match: Match, words: Words, names: Mapping[Side, str] | None = None) -> Iterator[str]:
    """The turns so far, numbered, each with the side that moved, by its name if one is given."""
    sides = names or {Side.ME: _("you"), Side.OPPONENT: _("they")}
    for line, turn in enumerate(match.turns):
        yield f"{line + 1}. {sides[match.mover(line)]} {turn_text(turn, words)}"


def contradicted(side: Side) -> str:
    """On whose board the hints contradict each other."""
    if side is Side.ME:
        return _("What they answered you does not fit together.")
    return _("What you answered them does not fit together.")


def result(match: Match, outcome: Outcome) -> str:
    """The end of a match."""
    count = len(match.lines(outcome.winner or Side.ME))
    if outcome.winner is None:
        return _("Drawn: both found it in {count}.").format(count=count)
    if outcome.winner is Side.ME:
        return _("You win in {count}.").format(count=count)
    return _("They win in {count}.").format(count=count)
