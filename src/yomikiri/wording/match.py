"""Sentences about matches and races, in the current language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.model.labels import Basis, Motive, Unsolved
from yomikiri.hitblow.model.notation import write_hint
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.race.terms import Reveals
from yomikiri.wording import _, joined, ngettext
from yomikiri.wording.hitblow import (
    candidate_count,
    example,
    example_answer,
    fact_text,
    percent,
    rules_text,
    tolerance,
    weighted,
)

if TYPE_CHECKING:
    from yomikiri.common.budget import Progress
    from yomikiri.hitblow.match.advice import MatchAdvice, Prospect, Ranking, Standing
    from yomikiri.hitblow.match.match import Match, MatchOutcome
    from yomikiri.hitblow.match.opponents import Opponent
    from yomikiri.hitblow.model.rules import Hint, Rules, Words
    from yomikiri.hitblow.race.finish import Pace
    from yomikiri.hitblow.race.terms import Terms

_SOON = 3  # number of guesses of the opponent for which `danger` shows chances


def welcome(rules: Rules) -> str:
    """Return the first line that is shown in a match, with the rules of the opponent's secret."""
    return _("Match: {rules}. 'help' lists the commands.").format(rules=rules_text(rules))


def terms(match: Match, *more: str) -> Iterator[str]:
    """Yield the first lines of a match.

    The first line says who goes first, which symbols were revealed and so on, followed by the texts `more`. More lines
    follow if they are needed: the weights of the secrets, how many answers may be wrong, and how to enter the player's
    secret.
    """
    yield reduce(joined, (terms_line(match), *more))
    if match.prior:
        yield weighted(match.prior)
    yield from tolerance(match)
    if not match.secret:
        message = _(
            "Type 'secret {example}', with your own digits: the program then works out your answers, and how soon they "
            "may find your secret."
        )
        yield message.format(example=example(match.own_rules))


def terms_line(match: Match, *, with_secret: bool = True) -> str:
    """Return one line on the conditions of a match: who goes first, which symbols were revealed, and so on.

    The player's secret is included if it is known and `with_secret` is True.
    """
    parts = [_("You go first.") if match.first is Side.ME else _("They go first.")]
    if match.own_rules != match.rules:
        parts.append(_("Your own secret: {rules}.").format(rules=rules_text(match.own_rules)))
    if match.secret and with_secret:
        parts.append(_("Your secret is {secret}.").format(secret=match.secret))
    if match.shown:
        parts.append(_("You revealed {symbols}.").format(symbols=" ".join(match.shown)))
    if match.absent:
        parts.append(_("They revealed {symbols}.").format(symbols=" ".join(match.absent)))
    if match.equal_turns:
        parts.append(_("Both players get the same number of guesses."))
    return reduce(joined, parts)


def chances(advice: MatchAdvice) -> str:
    """Return the chances of a suggested guess: of being right, and of winning."""
    proposed = advice.proposed
    return _("{hit} chance of being right, {win} of winning against {opponent}.").format(
        hit=percent(proposed.hit),
        win=percent(proposed.win, exact=proposed.exact),
        opponent=opponent_name(advice.opponent),
    )


def assumed_opponent(name: str) -> str:
    """Return the sentence that names the model of the opponent for which the chances on a page hold."""
    return _("Against {opponent}.").format(opponent=opponent_name(name))


def estimate_note(name: str) -> str:
    """Return the sentence on guesses without a grade: their chances are estimates against this opponent."""
    return _("Guesses without a grade have estimates, against {opponent}.").format(opponent=opponent_name(name))


def opponent_name(name: str) -> str:
    """Return the words for the opponent model called `name`, for use inside a sentence."""
    return {
        "optimal": _("an opponent with the fewest guesses on average"),
        "consistent": _("an opponent guessing any candidate"),
        "entropy": _("an opponent guessing for most information"),
        "perfect": _("a perfect opponent"),
        "custom": _("an opponent with the given finish times"),
    }[name]


def unsolved(advice: MatchAdvice) -> str | None:
    """Return the sentence that says why the best method for a match was not used, or None if it was."""
    if advice.unsolved is None:
        return None
    because = {
        Unsolved.NO_MACHINE_CODE: _("there is no machine code for this processor"),
        Unsolved.TOO_LARGE: _("too many positions"),
        Unsolved.TIME: _("not enough time"),
        Unsolved.UNEVEN: _("the candidates are not equally likely"),
        Unsolved.SLIPS: _("answers may be wrong"),
        Unsolved.DOUBLE: _("two guesses in this turn"),
    }[advice.unsolved]
    message = _("(The match was not solved: {because}. This guess needs few guesses on average.)")
    if advice.basis is Basis.PACE:
        message = _(
            "(The match was not solved: {because}. This guess is the best against an opponent guessing any candidate.)"
        )
    return message.format(because=because)


def why(advice: MatchAdvice) -> str:
    """Return the sentence that gives the reason for a suggested guess in a match."""
    reason, ours = advice.reason, advice.proposed
    match reason.motive:
        case Motive.ONLY:
            return _("{guess} is the only code that fits every answer.").format(guess=ours.guess)
        case Motive.LAST_CHANCE:
            return _("They have found your secret. Find theirs now to draw; {guess} is a candidate.").format(
                guess=ours.guess
            )
    rival = reason.rival
    if rival is None:
        return _unrivalled(advice).format(guess=ours.guess)
    opening_words = {
        True: _(
            "{guess} wins {win} of the time, against {less} for {rival}, which needs the fewest guesses on average:"
        ),
        False: _("{guess} wins {win} of the time, against {less} for {rival}, which needs as many guesses on average:"),
        None: _("{guess} wins {win} of the time, against {less} for {rival}, which needs few guesses on average:"),
    }[reason.fewer].format(guess=ours.guess, win=_compared(ours), rival=rival.guess, less=_compared(rival))
    match reason.motive:
        case Motive.NOW:
            rest = _("it is right {ours} of the time, against {theirs} for {rival}.").format(
                ours=percent(ours.hit), rival=rival.guess, theirs=percent(rival.hit)
            )
        case Motive.WITHIN:
            rest = _(
                "it finds the secret within {guesses} guesses {ours} of the time, against {theirs} for {rival}."
            ).format(
                guesses=reason.guesses, ours=percent(reason.ours), rival=rival.guess, theirs=percent(reason.theirs)
            )
        case _ if advice.basis is Basis.RACE:
            rest = _("your chance of winning is higher under best play by both sides.")
        case _:
            rest = _("its chance of finding the secret before they do is higher.")
    return joined(opening_words, rest)


def _unrivalled(advice: MatchAdvice) -> str:
    """Return a sentence on how good a guess is that is not compared with another guess.

    The sentence contains the text `{guess}`, which the caller replaces with the guess. If the guess was chosen only to
    need few guesses (`Basis.PLAIN`), the sentence does not say that it wins most often.
    """
    fewest = advice.reason.motive is Motive.BOTH
    if advice.basis is Basis.PLAIN and fewest:
        return _("{guess} needs the fewest guesses on average.")
    if advice.basis is Basis.PLAIN:
        return _("{guess} needs few guesses on average.")
    if fewest:
        return _("{guess} wins most often, and no guess needs fewer guesses on average.")
    return _("{guess} wins most often.")


def ranking(found: Ranking) -> Iterator[str]:
    """Yield a sentence on the best guesses, each with its chance of winning.

    If the best guess cannot be the secret, also yield a sentence on the best guess that can be the secret.
    """
    listed = _(", ").join(f"{each.guess} {_compared(each)}" for each in found.best)
    yield _("Best guesses, with your chance of winning: {listed}").format(listed=listed)
    if not found.best[0].hit:
        yield _("The best candidate is {guess}: {hit} chance of being right, {win} of winning.").format(
            guess=found.candidate.guess, hit=percent(found.candidate.hit), win=_compared(found.candidate)
        )


def prospect(shown: Prospect) -> str:
    """Return the sentence with the chances of a guess that the player has named: of being right, and of winning."""
    return _("{guess}: {hit} chance of being right, {win} of winning.").format(
        guess=shown.guess, hit=percent(shown.hit), win=_compared(shown)
    )


def _compared(shown: Prospect) -> str:
    """Return a chance of winning as text, with enough digits to compare it with those of other guesses."""
    return f"{float(shown.win):.2%}" if shown.exact else percent(shown.win, exact=False)


def winning_chance(shown: Standing) -> str:
    """Return the chance of winning while the opponent is to move."""
    return _("Your chance of winning is {win}.").format(win=percent(shown.win, exact=not shown.error))


def danger(match: Match, theirs: Pace) -> tuple[str, list[tuple[str, str]]]:
    """Return a sentence on what the opponent knows about the player's secret, and the chances that they find it.

    The chances are rows of a label and a percentage. There are none if the opponent is certain to find it next, or has
    found it.
    """
    if match.last_chance:
        return _("They have found your secret: find theirs now to draw."), []
    candidates = candidate_count(match.resolved.known(Side.OPPONENT).count)
    first, *later = chances_to_find(theirs)
    if not later:
        return _("They have {left} for your secret, and find it with their next guess!").format(left=candidates), []
    rows = [(_("with the next guess"), first)]
    rows += [(_("within {guesses} guesses").format(guesses=guesses), chance)
             for guesses, chance in enumerate(later, start=2)]  # fmt: skip
    return _("They have {left} for your secret. Chance that they find it:").format(left=candidates), rows


def chances_to_find(theirs: Pace, most: int = _SOON) -> list[str]:
    """Return the chances that the opponent finds the player's secret within 1, 2, ... guesses, up to `most`."""
    return [
        percent(chance, exact=guesses == 1 or not theirs.error)
        for guesses, chance in enumerate(theirs.soon(most), start=1)
    ]


def substitute_note(opponent: Opponent) -> str | None:
    """Return the caveat for estimates that come from a substitute model of the opponent, or None."""
    if not opponent.watches:
        return None
    message = _("(These are the chances of {other}; the guesses of {opponent} depend on both boards.)")
    return message.format(other=opponent_name(opponent.stand_in.name), opponent=opponent_name(opponent.name))


def their_turn(match: Match, words: Words) -> str:
    """Return the prompt for the opponent's guess."""
    number = len(match.facts) + 1
    if match.secret:
        return _("{number}. Their turn: type their guess.").format(number=number)
    shown = f"{example(match.own_rules)} {example_answer(match.own_rules, words)}"
    return _("{number}. Their turn: type their guess and your answer, such as '{example}'.").format(
        number=number, example=shown
    )


def answer(hint: Hint, words: Words) -> str:
    """Return the sentence with the answer that the player has to give to the opponent."""
    return _("Answer {hint}.").format(hint=write_hint(hint, words))


def wasted_symbols(guess: str, symbols: str) -> str:
    """Return the note on a guess of the opponent that uses symbols which the player revealed."""
    return _(
        "Note: {guess} uses {symbols}, which you revealed as not in your secret. If you misheard, undo this turn."
    ).format(guess=guess, symbols=" ".join(symbols))


def lines(match: Match, words: Words, names: Mapping[Side, str] | None = None) -> Iterator[str]:
    """Yield the numbered turns so far, each with the name of its side."""
    sides = names or {Side.ME: _("you"), Side.OPPONENT: _("they")}
    for line, fact in enumerate(match.facts):
        yield f"{line + 1}. {sides[match.mover(line)]} {fact_text(fact, words)}"


def board(match: Match, side: Side, words: Words) -> Iterator[str]:
    """Yield a heading, and one numbered line for each turn or other piece of knowledge of a side.

    The number is the 1-based place in the match.
    """
    yield _("Their secret:") if side is Side.ME else _("Your secret:")
    for line, fact in enumerate(match.facts):
        if match.mover(line) is side:
            yield f"{line + 1}. {fact_text(fact, words)}"


def corrected(before: Match, after: Match, words: Words) -> str:
    """Return the sentence on answers that were corrected, because they did not fit the player's secret."""
    answers = _(", ").join(
        _("{guess} {right} (not {given})").format(
            guess=right.guess, right=write_hint(right.hint, words), given=write_hint(given.hint, words)
        )
        for given, right in zip(before.facts, after.facts, strict=True)
        if isinstance(given, Turn) and isinstance(right, Turn) and given != right
    )
    return _("Your secret {secret} gives {answers}.").format(secret=after.secret, answers=answers)


def contradicted(sides: Sequence[Side]) -> str:
    """Return the sentence that says whose answers contradict each other."""
    if len(sides) > 1:
        return _("Their answers contradict each other, and yours do, too. Theirs come first, then yours.")
    if sides[0] is Side.ME:
        return _("Their answers contradict each other.")
    return _("Your answers contradict each other.")


def result(match: Match, outcome: MatchOutcome) -> str:
    """Return the sentence on the result of a match."""
    count = len(match.known(outcome.winner or Side.ME).turns)
    if outcome.winner is None:
        return ngettext(
            "Draw: both found the secret in {count} guess.", "Draw: both found the secret in {count} guesses.", count
        ).format(count=count)
    if outcome.winner is Side.ME:
        return won(count)
    return ngettext("They win in {count} guess.", "They win in {count} guesses.", count).format(count=count)


def won(count: int) -> str:
    """Return the sentence for a match that the player has won with `count` guesses."""
    return ngettext("You win in {count} guess.", "You win in {count} guesses.", count).format(count=count)


_SHOWN = 4  # significant digits of a chance


def terms_lines(terms: Terms) -> Iterator[str]:
    """Yield the rules of a race (a match before its first guess), one line each."""
    sought, own = terms.first.rules, terms.second.rules
    yield _("Race: {rules}").format(rules=rules_text(sought))
    if own != sought:
        yield _("The second player seeks: {rules}").format(rules=rules_text(own))
    if terms.absent:
        yield _("In neither secret: {symbols}").format(symbols=" ".join(terms.absent))
    if terms.prior:
        yield weighted(terms.prior)
    count = len(terms.shown)
    message = {
        Reveals.NONE: _("Neither player reveals a symbol."),
        Reveals.FIRST: ngettext(
            "The first player reveals {count} symbol that is not in their secret.",
            "The first player reveals {count} symbols that are not in their secret.",
            count,
        ),
        Reveals.SECOND: ngettext(
            "The second player reveals {count} symbol that is not in their secret.",
            "The second player reveals {count} symbols that are not in their secret.",
            count,
        ),
    }[terms.reveals]
    yield message.format(count=count)
    yield (
        _("Both players get the same number of guesses; finding both secrets in one round is a draw.")
        if terms.equal_turns
        else _("The first to find the secret wins at once.")
    )


def information_text(information: str) -> str:
    """Return the sentence that says which boards the players of a race see, and whether they use their own secrets."""
    return {
        "public": _("Both players see both boards and use all answers; best play by both sides."),
        "unseen": _("Neither player sees the other's board; best play by both sides."),
        "private": _("Each player sees all answers and also uses their own secret; best play by both sides."),
    }[information]


def value_lines(lower: Fraction, upper: Fraction, draw: Fraction | None) -> Iterator[str]:
    """Yield the chances of both players in a race, and the proven bounds.

    `draw` is the probability of a draw, or None if the search ended early, by Ctrl-C or its time limit. In that case
    only the bounds are known.
    """
    if draw is None:
        yield _("The search ended early. The first player's chance of winning is between {lower} and {upper}.").format(
            lower=chance(lower), upper=chance(upper)
        )
        return
    value = (lower + upper) / 2
    yield _("The first player wins {first} of the time, the second {second}.").format(
        first=chance(value - draw / 2), second=chance(1 - value - draw / 2)
    )
    if draw:
        yield _("Draws: {draw}. Counting a draw as half a win, the first player scores {value}.").format(
            draw=chance(draw), value=chance(value)
        )
    if lower == upper:
        yield _("Exact value: {fraction}").format(fraction=f"{value.numerator}/{value.denominator}")
    else:
        yield _("Proven: between {lower} and {upper}").format(
            lower=f"{float(lower):.12f}", upper=f"{float(upper):.12f}"
        )


def chance(share: Fraction | float) -> str:
    """Return a probability in percent, with enough digits to see the difference between two races."""
    return f"{float(share):.{_SHOWN - 2}%}"


def mixing_note(first: int, second: int) -> str:
    """Return the sentence that says if the players choose at random, given the number of strategies of each."""
    if first == second == 1:
        return _("Both use a pure strategy; neither gains by choosing at random.")
    if first == 1:
        return _("The first player uses a pure strategy, the second chooses among {second} at random.").format(
            second=second
        )
    if second == 1:
        return _("The first player chooses among {first} strategies at random, the second uses a pure one.").format(
            first=first
        )
    return _("Mixed strategies: the first player chooses among {first} at random, the second among {second}.").format(
        first=first, second=second
    )


def progress(known: Progress) -> str:
    """Return the progress of a computation: its bounds if they are known, otherwise its effort."""
    if known.lower is not None and known.upper is not None:
        return _("between {lower} and {upper}").format(lower=chance(known.lower), upper=chance(known.upper))
    return _("{states} positions, {seconds} s").format(states=f"{known.states:,}", seconds=f"{known.seconds:.0f}")


def public_work(sets: int, pairs: int) -> str:
    """Return the sentence on the effort of solving a race in which both players see all guesses and answers.

    `sets` is the number of candidate sets searched, and `pairs` the number of positions.
    """
    return _("Searched: {sets} candidate sets, {pairs} positions.").format(sets=f"{sets:,}", pairs=f"{pairs:,}")
