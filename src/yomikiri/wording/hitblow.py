"""Sentences of the Hit & Blow assistant, in the current language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from yomikiri.hitblow.match.match import Learned
from yomikiri.hitblow.model.facts import NamedFact
from yomikiri.hitblow.model.labels import Measure, Unproven
from yomikiri.hitblow.model.notation import write_answer, write_hint
from yomikiri.hitblow.model.rules import Answered, Hint, Repeats, Words
from yomikiri.wording import _, joined, language, ngettext

if TYPE_CHECKING:
    from yomikiri.hitblow.advice.suggestion import Figures, Suggestion
    from yomikiri.hitblow.match.advice import MatchAdvice
    from yomikiri.hitblow.match.match import Match
    from yomikiri.hitblow.model.knowledge import Knowledge
    from yomikiri.hitblow.model.rules import Fact, Rules


def rules_text(rules: Rules) -> str:
    """Return the rules on one line: digits, symbols, repeats, and forbidden first symbols."""
    repeats = {
        Repeats.NONE: _("all different"),
        Repeats.GUESS: _("all different, repeats allowed in guesses"),
        Repeats.ALL: _("repeats allowed"),
    }[rules.repeats]
    message = ngettext(
        "{digits} digit of {symbols}, {repeats}", "{digits} digits of {symbols}, {repeats}", rules.digits
    )
    text = message.format(digits=rules.digits, symbols=rules.symbols, repeats=repeats)
    return _("{rules}, no leading {symbols}").format(rules=text, symbols=rules.no_leading) if rules.no_leading else text


def example(rules: Rules) -> str:
    """Return a code of the game, as an example of what the player can type."""
    return rules.example


def example_answer(rules: Rules, words: Words) -> str:
    """Return an answer, such as 1H1B, as an example of what the player can type."""
    return write_hint(Hint(1, 1) if rules.digits > 2 else Hint(0, 1), words)


_LIKELY = 3  # number of secrets of a prior that are listed
_LISTED = 6  # number of candidates that are listed


def game_name(preset: str | None) -> str:
    """Return the name of the game that a preset selects.

    It is "Hit & Blow" for None, and for presets whose game has no name of its own.
    """
    return {
        "numeron": _("Numer0n"),
        "bulls": _("Bulls & Cows"),
        "mastermind": _("Mastermind"),
    }.get(preset or "", _("Hit & Blow"))


def welcome(preset: str | None, rules: Rules, absent: str = "", prior: Sequence[tuple[str, int]] = ()) -> Iterator[str]:
    """Yield the first lines of a game: its name, its rules, its absent symbols, and the weights of its secrets."""
    yield _("{game}: {rules}. 'help' lists the commands.").format(game=game_name(preset), rules=rules_text(rules))
    yield from absent_symbols(absent)
    if prior:
        yield weighted(prior)


def absent_symbols(absent: str) -> Iterator[str]:
    """Yield a sentence that lists the symbols known from the start to be absent, if there are any."""
    if absent:
        yield _("Not in the secret: {symbols}").format(symbols=absent)


def weighted(prior: Sequence[tuple[str, int]]) -> str:
    """Return a sentence on the prior weights: the number of secrets and the likeliest ones."""
    whole, likeliest = sum(weight for _code, weight in prior), sorted(prior, key=lambda pair: -pair[1])[:_LIKELY]
    listed = _(", ").join(f"{code} {percent(weight / whole)}" for code, weight in likeliest)
    return _("Weighted secrets: {count}, the likeliest {listed}").format(count=f"{len(prior):,}", listed=listed)


def tolerance(game: Knowledge | Match) -> Iterator[str]:
    """Yield a sentence on how many turns may be wrong, if any."""
    if most := game.slips.most:
        yield ngettext("{count} answer may be wrong.", "{count} answers may be wrong.", most).format(count=most)


def saved(rules: Rules, absent: str, facts: Sequence[Fact], words: Words) -> str:
    """Return the line on a saved game in a list of games.

    It contains the rules, the absent symbols, and the number of entries: turns and other pieces of knowledge about the
    secret. It also contains the text of the last entry.
    """
    message = ngettext("{count} entry, last {turn}", "{count} entries, last {turn}", len(facts))
    parts = [rules_text(rules), message.format(count=len(facts), turn=fact_text(facts[-1], words))]
    if absent:
        parts.insert(1, _("not in the secret: {symbols}").format(symbols=absent))
    return _("; ").join(parts)


def candidate_count(count: int) -> str:
    """Return the number of candidates in words."""
    return ngettext("{count} candidate", "{count} candidates", count).format(count=f"{count:,}")


def candidate_counts(known: Knowledge) -> str:
    """Return the number of candidates in words, separately for each number of wrong turns if turns may be wrong."""
    if not known.slips.most:
        return candidate_count(known.count)
    fitting, *others = known.by_slips
    fits = ngettext("{count} code fits every answer", "{count} codes fit every answer", fitting).format(
        count=f"{fitting:,}"
    )
    more = (
        ngettext("{count} more if one is wrong", "{count} more if {wrong} are wrong", wrong).format(
            count=f"{count:,}", wrong=wrong
        )
        for wrong, count in enumerate(others, start=1)
        if count
    )
    return _(", ").join((fits, *more))


# In percent. A value this close to 100 differs from it only by rounding.
_CERTAIN = 100 - 1e-9


def percent(share: Fraction | float, *, exact: bool = True) -> str:
    """Return a probability as text in percent, with "about" unless it is exact.

    A small probability has two significant digits. Only a certain event has 100%.
    """
    value = float(share) * 100
    if 99.5 <= value < _CERTAIN:
        text = f"{floor(10 * value) / 10:.1f}%"
    else:
        text = f"{value:.0f}%" if value >= 10 else f"{value:.1f}%" if value >= 0.1 else f"{value:.2g}%"
    return text if exact else _("about {chance}").format(chance=text)


def mean(value: float) -> str:
    """Return an average as text: with one decimal place, or as a whole number if it is 100 or more."""
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def proposal(advice: Suggestion | MatchAdvice, number: int) -> str:
    """Return the sentence with the suggested guess, its number in the game, and the number of candidates."""
    guess = advice.proposed.guess
    if advice.count == 1:
        return _("{number}. Guess {guess}: the only candidate.").format(number=number, guess=guess)
    candidates = candidate_count(advice.count)
    return _("{number}. Guess {guess} ({left}).").format(number=number, guess=guess, left=candidates)


def outlook(advice: Suggestion) -> str | None:
    """Return the sentence that says if the suggestion is proven optimal, and how many more guesses it needs.

    Returns None if the policy does not know this.
    """
    if advice.unproven is Unproven.TOO_LARGE and not advice.proposed.even:
        return _("Not proven optimal: too many weighted codes for the exact search.")
    if advice.unproven:
        return unproven(advice.unproven)
    known = advice.proposed.outlook
    if known is None or advice.count == 1:
        return None
    expected = advice.proposed.expected_guesses
    assert expected is not None
    if not known.proven:
        return _("Not proven optimal: at most {expected} more guesses on average.").format(expected=f"{expected:.2f}")
    return proven(expected, known.max_guesses)


def proven(expected: float, most: int | None) -> str:
    """Return the sentence on proven play: the guesses on average, and at most if known."""
    if most is None:
        return _("Proven optimal: {expected} more guesses on average.").format(expected=f"{expected:.2f}")
    return _("Proven optimal: {expected} more guesses on average, {most} at most.").format(
        expected=f"{expected:.2f}", most=most
    )


def unproven(reason: Unproven) -> str:
    """Return the sentence that says why the suggested guess is not proven best."""
    return {
        Unproven.NO_MACHINE_CODE: _("Not proven optimal: there is no machine code for this processor."),
        Unproven.TOO_LARGE: _("Not proven optimal: too many codes for the exact search."),
        Unproven.TIME: _("Not proven optimal: the best guess found within the time limit."),
        Unproven.SLIPS: _("Not proven optimal: answers may be wrong."),
    }[reason]


def others(advice: Suggestion) -> Iterator[str]:
    """Yield the lines on other guesses: those as good as the suggested one, and the next best ones.

    Each of the next best is listed with its expected number of guesses, or of candidates left.
    """
    if same := advice.equally_good:
        yield _("Equally good: {listed}").format(listed=_(", ").join(shown.guess for shown in same))
    rest = [shown for shown in advice.alternatives if shown not in same]
    proven = [(shown.guess, f"{shown.expected_guesses:.2f}") for shown in rest if shown.outlook]
    if proven:
        message, listed = _("Next best, with guesses on average: {listed}"), proven
    else:
        message = _("Next best, with candidates left on average: {listed}")
        listed = [(shown.guess, mean(shown.expected_remaining)) for shown in rest]
    if listed:
        named = (_("{guess} ({expected})").format(guess=guess, expected=expected) for guess, expected in listed)
        yield message.format(listed=_(", ").join(named))


def likeliest(known: Knowledge) -> str:
    """Return the likeliest codes with their probabilities. If all probabilities are equal, they are stated once."""
    if known.weights is not None:
        codes = known.likeliest(_LISTED)
        listed = _(", ").join(f"{code} {percent(known.probability(code))}" for code in codes)
        if known.count <= _LISTED:
            return _("Candidates: {listed}").format(listed=listed)
        return _("Candidates: {listed} and {more} more").format(listed=listed, more=f"{known.count - _LISTED:,}")
    each = " ".join(known.codes(_LISTED))
    chance = percent(1 / known.count)
    if known.count <= _LISTED:
        return _("Candidates, {chance} each: {codes}").format(chance=chance, codes=each)
    return _("Candidates, {chance} each: {codes} and {more} more").format(
        chance=chance, codes=each, more=f"{known.count - _LISTED:,}"
    )


def why(advice: Suggestion, words: Words) -> str:
    """Return the reason for a guess, and how the guess splits the candidates."""
    if advice.count == 1:
        return _("{guess} is the only code that fits every answer.").format(guess=advice.proposed.guess)
    return joined(_lead(advice), split(advice.proposed, words))


def _lead(advice: Suggestion) -> str:
    proposed, gain = advice.proposed, advice.gain
    if gain is None:
        return _candidacy(proposed)
    rival = gain.rival
    match gain.measure:
        case Measure.EXPECTED_GUESSES:
            message = _(
                "{guess} cannot be the secret, but needs {ours} guesses on average, against {theirs} for {rival}."
            )
            ours, theirs = f"{proposed.expected_guesses:.2f}", f"{rival.expected_guesses:.2f}"
        case Measure.EXPECTED_REMAINING:
            message = _(
                "{guess} cannot be the secret, but leaves {ours} candidates on average, against {theirs} for {rival}."
            )
            ours, theirs = mean(proposed.expected_remaining), mean(rival.expected_remaining)
        case Measure.PARTS:
            message = _(
                "{guess} cannot be the secret, but splits the candidates into {ours} parts, against {theirs} "
                "for {rival}."
            )
            ours, theirs = str(proposed.parts), str(rival.parts)
        case Measure.LARGEST:
            message = ngettext(
                "{guess} cannot be the secret, but leaves at most {ours} candidate, against {theirs} for {rival}.",
                "{guess} cannot be the secret, but leaves at most {ours} candidates, against {theirs} for {rival}.",
                max(proposed.left),
            )
            ours, theirs = f"{max(proposed.left):,}", f"{max(rival.left):,}"
        case Measure.BITS:
            message = _(
                "{guess} cannot be the secret, but leaves {ours} bits of uncertainty, against {theirs} for {rival}."
            )
            ours, theirs = f"{proposed.bits:.2f}", f"{rival.bits:.2f}"
    return message.format(guess=proposed.guess, ours=ours, theirs=theirs, rival=rival.guess)


def _candidacy(shown: Figures) -> str:
    message = _("{guess} can be the secret.") if shown.is_candidate else _("{guess} cannot be the secret.")
    return message.format(guess=shown.guess)


def split(shown: Figures, words: Words) -> str:
    """Return how a guess splits the candidates: the number of parts, and the largest or likeliest part."""
    hint, largest = shown.largest
    if not shown.even:
        return ngettext(
            "It splits {count} candidates into {parts} part. The likeliest answer is {hint} ({share}).",
            "It splits {count} candidates into {parts} parts. The likeliest answer is {hint} ({share}).",
            shown.parts,
        ).format(
            count=f"{shown.count:,}",
            parts=shown.parts,
            share=percent(largest / shown.total),
            hint=write_hint(hint, words),
        )
    return ngettext(
        "It splits {count} candidates into {parts} part. On average {mean} remain, at most {largest} ({hint}).",
        "It splits {count} candidates into {parts} parts. On average {mean} remain, at most {largest} ({hint}).",
        shown.parts,
    ).format(
        count=f"{shown.count:,}",
        parts=shown.parts,
        largest=f"{largest:,}",
        hint=write_hint(hint, words),
        mean=mean(shown.expected_remaining),
    )


def cell_size(shown: Figures, size: int) -> str:
    """Return the number `size` of the candidates that give one answer to a guess, or their share of the total weight.

    The share is returned if some candidates are likelier than others. `size` is then the sum of their weights.
    """
    return f"{size:,}" if shown.even else percent(size / shown.total)


def compared(shown: Figures, words: Words) -> str:
    """Return the sentence on a guess that the player wants to compare: how it splits the candidates, and its average.

    The average is the expected number of guesses.
    """
    text = joined(_candidacy(shown), split(shown, words))
    if shown.outlook is None:
        return text
    message = _("It needs {expected} more guesses on average.")
    if not shown.outlook.proven:
        message = _("It needs at most {expected} more guesses on average.")
    return joined(text, message.format(expected=f"{shown.expected_guesses:.2f}"))


def sampled() -> str:
    """Return the note that a guess was chosen from a sample of guesses and candidates."""
    return _("(chosen from a sample: too many guesses and candidates to compare them all)")


def fact_forms(shown: Iterable[NamedFact]) -> Iterator[tuple[str, str]]:
    """Yield examples of the input, other than turns, with which a person can enter knowledge about a secret.

    Each example is a pair: the text to type, such as `has 3`, and its meaning as a sentence.
    """
    for fact in shown:
        yield fact.as_typed(" / ".join(dict.fromkeys((fact.name, name_typed(fact))))), fact_text(fact, Words.HIT)


def name_typed(fact: NamedFact) -> str:
    """Return the word to type for a kind of knowledge about a secret, such as `has`, in the current language."""
    foreign = (name for name in fact.also if not name.isascii())
    return next(foreign, fact.name) if language() == "ja" else fact.name


def fact_text(fact: Fact, words: Words) -> str:
    """Return a piece of knowledge as text for people: a turn, such as `012 1H1B`, or a sentence for anything else.

    `words` selects the letters for hits and blows.
    """
    if isinstance(fact, Answered):
        return f"{fact.guess} {write_answer(fact, words)}"
    if isinstance(fact, Learned):
        return fact_text(fact.fact, words)
    assert isinstance(fact, NamedFact)
    return _(fact.said).format(**fact.fields) if fact.said else str(fact)


def lines(known: Knowledge, words: Words) -> Iterator[str]:
    """Yield one line for each turn or other piece of knowledge so far, with its number."""
    for number, fact in enumerate(known.facts, start=1):
        yield f"{number}. {fact_text(fact, words)}"


def program_won(count: int, secret: str) -> str:
    """Return the sentence for a game that the program has won."""
    return ngettext(
        "I win in {count} guess. The secret was {secret}.", "I win in {count} guesses. The secret was {secret}.", count
    ).format(count=count, secret=secret)


def found(turns: Sequence[Answered]) -> str:
    """Return the sentence for a found secret, from the turns of the game."""
    count = len(turns)
    return ngettext("Found: {code}, in {count} guess.", "Found: {code}, in {count} guesses.", count).format(
        code=turns[-1].guess, count=count
    )
