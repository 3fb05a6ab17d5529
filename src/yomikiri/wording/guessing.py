"""Sentences of games with lists of codes, in the current language."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from yomikiri.common.budget import Progress
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.results import GuessAdvice, JudgedTurn, SimulatedGame, SolvedGame
from yomikiri.wording import _, joined, ngettext, puzzles
from yomikiri.wording.hitblow import percent

if TYPE_CHECKING:
    from yomikiri.guessing.certificate.checker import ListGame
    from yomikiri.guessing.puzzles import CheckedCode

_LISTED = 12  # greatest number of candidates that are listed


def lists(game: Game) -> str:
    """Return the sentence with the number of secrets and the number of allowed guesses of a game."""
    text = ngettext("{secrets} secret, {guesses} allowed guesses.", "{secrets} secrets, {guesses} allowed guesses.",
                    len(game.secrets))  # fmt: skip
    return text.format(secrets=len(game.secrets), guesses=len(game.guesses))


def suggestion(advice: GuessAdvice, turn: int) -> Iterator[str]:
    """Yield the suggested guess for a turn, how far it is proven optimal, and how it splits the candidates."""
    count = advice.candidates
    text = ngettext("{turn}. Guess {guess} ({count} candidate).", "{turn}. Guess {guess} ({count} candidates).", count)
    yield text.format(turn=turn, guess=advice.guess, count=f"{count:,}")
    if not advice.finds_all:
        yield _("No strategy is sure to find the secret with the guesses left.")
    elif advice.expected is None:
        yield _("Not proven optimal: an exact search would take longer than --seconds.")
    elif advice.is_proven:
        yield _("Proven optimal: {expected} more guesses on average.").format(expected=decimal(advice.expected))
    else:
        yield _("Best guess found: {expected} more guesses on average. Not proven optimal.").format(
            expected=decimal(advice.expected)
        )
    if count > 1:
        chance = _("{guess} can be the secret ({chance}).") if advice.chance else _("{guess} cannot be the secret.")
        parts = _("It splits the candidates into {parts} parts, the largest with {largest} of them.")
        yield joined(
            chance.format(guess=advice.guess, chance=percent(advice.chance)),
            parts.format(parts=advice.parts, largest=percent(advice.largest)),
        )


def candidates(position: Position) -> str:
    """Return the sentence that lists the first candidates of a position, with the number of the others."""
    found = position.candidates
    shown, more = " ".join(found[:_LISTED]), len(found) - _LISTED
    if more > 0:
        return _("Candidates: {codes} and {more} more").format(codes=shown, more=f"{more:,}")
    return _("Candidates: {codes}").format(codes=shown)


def guess_result(found: CheckedCode, position: Position) -> Iterator[str]:
    """Yield the result of a guess at a puzzle, and how the guess splits the candidates. The best guess is not named."""
    loss = puzzles.guesses(found.cost) if found.cost else ""
    yield puzzles.result(found.guess, loss, found.grade)
    if not found.is_proven and found.cost is not None:
        yield _("It is compared with the best guess found, which is not proven optimal.")
    for answer, codes in found.means:
        yield puzzles.meaning(position.game.answers.shown(answer), codes)
    yield puzzles.split([f"{size:,}" for size in found.sizes])
    if found.expected is not None:
        yield puzzles.expected_guesses(found.expected)


def finds_all(judged: JudgedTurn) -> str:
    """Return "sure", "not sure" or "unknown", in the current language, for a judged turn.

    It says whether a strategy still finds every candidate within the limit of guesses.
    """
    if judged.finds_all is None:
        return _("unknown")
    return _("sure") if judged.finds_all else _("not sure")


def turns(position: Position) -> Iterator[str]:
    """Yield one line for each turn of a position, with its number."""
    kind = position.game.answers
    for number, turn in enumerate(position.turns, start=1):
        yield f"{number}. {turn.guess} {kind.shown(turn.answer)}"


def found(position: Position) -> str:
    """Return the sentence that says with how many guesses the secret was found."""
    count = len(position.turns)
    text = ngettext("Found: {code}, in {count} guess.", "Found: {code}, in {count} guesses.", count)
    return text.format(code=position.turns[-1].guess, count=count)


def not_found(position: Position) -> str:
    """Return the sentence for a game that ended before the secret was found."""
    count = len(position.turns)
    return ngettext("Not found in {count} guess.", "Not found in {count} guesses.", count).format(count=count)


def starting() -> str:
    """Return the sentence shown until a search has progress to report."""
    return _("The search begins.")


def progress(known: Progress) -> str:
    """Return the progress of a proof. The most important part is first, because a narrow terminal cuts off the rest."""
    if not known.of:
        return _("{states} sets searched").format(states=f"{known.states:,}")
    tried = _("{done} of {of} first guesses").format(done=f"{known.done:,}", of=f"{known.of:,}")
    if known.upper is None:
        return tried
    return _("; ").join([tried, _("{lower} to {upper}").format(lower=known.lower, upper=known.upper)])


def solution(solved: SolvedGame) -> Iterator[str]:
    """Yield the first guess of a solution, its total, the proven bound, and the secrets found at each guess."""
    yield _("First guess: {guess}").format(guess=solved.first)
    yield _total(solved.total, solved.average, len(solved.histogram))
    if solved.is_proven:
        yield _("Proven: no strategy of this kind has a smaller total.")
    else:
        yield _("Not proven: the smallest total is at least {bound}.").format(bound=solved.bound)
    yield _("Found at guess 1, 2, 3, ...: {counts}").format(counts=" ".join(map(str, solved.histogram)))


def _total(total: int, average: Fraction, most: int) -> str:
    text = ngettext("Total: {total} guess, {average} on average, {most} at most.",
                    "Total: {total} guesses, {average} on average, {most} at most.", total)  # fmt: skip
    return text.format(total=total, average=decimal(average, 4), most=most)


def played(game: SimulatedGame, position: Position) -> str:
    """Return how many of the candidates of a position were played in a simulation."""
    of = len(position.candidates)
    text = ngettext("Played {secrets} of {count} secret.", "Played {secrets} of {count} secrets.", of)
    return text.format(secrets=game.secrets, count=of)


def simulation(game: SimulatedGame, position: Position) -> Iterator[str]:
    """Yield the number of guesses in a simulation from a position, and the secrets not found within the limit."""
    if game.average is not None:
        yield _total(game.total, game.average, game.most)
    if position.guesses_left is not None:
        share = percent(Fraction(game.missed, max(1, sum(game.histogram) + game.missed)))
        text = ngettext("Not found within {limit} guess: {missed} ({share}).",
                        "Not found within {limit} guesses: {missed} ({share}).", position.guesses_left)  # fmt: skip
        yield text.format(limit=position.guesses_left, missed=game.missed, share=share)


def interrupted(policy: str, done: int, count: int) -> str:
    """Return the sentence on an interrupted simulation: only the first `done` of `count` secrets were played."""
    if not done:
        return _("Interrupted before {policy} had finished a secret.").format(policy=policy)
    text = _(
        "Interrupted: {policy} has played only {done} of {count} secrets, drawn at random. Its figures are of these."
    )
    return text.format(policy=policy, done=done, count=count)


def certified() -> str:
    """Return the sentence for an accepted certificate: no strategy takes fewer guesses in total."""
    return _("Checked: the certificate proves that no strategy takes fewer guesses in total.")


def accepted(game: ListGame) -> Iterator[str]:
    """Yield the lines on an accepted certificate: its game and the proven bound.

    The user can see whether the kind of answers, the turns and the first guess are the intended ones. The lists of
    codes are not shown, because the checker has compared their hashes with those of the user's lists.
    """
    yield _("Answers: {kind}").format(kind=game.kind)
    if game.turns:
        yield _("After: {turns}").format(turns=" ".join(game.turns))
    if game.first >= 0:
        yield _("First guess: {guess}").format(guess=game.codes[game.first])
    if game.weights.min() < game.weights.max():
        yield _("Each guess counts with the weight of its secret.")
    yield _("Accepted: no strategy has a total below {total} (number of secrets: {secrets}).").format(
        total=f"{game.total:,}", secrets=f"{len(game.own):,}"
    )
    yield _("Lemmas: {lemmas}, leaves: {leaves}.").format(lemmas=f"{game.lemmas:,}", leaves=f"{game.leaves:,}")


def verified(position: Position, solved: SolvedGame, *, checked: bool = False) -> Iterator[str]:
    """Yield the results of checking a strategy file: what is correct, and what was not checked.

    `checked` is True if a certificate proved that no strategy has a smaller total.
    """
    yield lists(position.game)
    if position.turns:
        yield _("After: {turns}").format(turns=" ".join(map(str, position.turns)))
    yield _("Correct: every secret was replayed, and the cost is as the file states.")
    first, total, _proof, found = solution(solved)
    yield from (first, total, found)
    if checked:
        yield certified()
    elif solved.is_proven:
        yield _("Not checked: the file claims that this total is proven optimal.")
    else:
        yield _("Not checked: the file claims that no total is below {bound}.").format(bound=solved.bound)


def decimal(number: Fraction, places: int = 2) -> str:
    """Return a number with `places` decimal places."""
    return f"{float(number):.{places}f}"
