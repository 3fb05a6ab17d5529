"""Necessity of every guard of the checker: for each guard, a forgery that only this guard rejects."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from tests.hitblow.certificate.forged import Group, Guard, Liar, guards, renamings, without
from tests.hitblow.certificate.made import as_file, certificate

from yomikiri.hitblow.certificate import checker

TURN_LENGTH, TURN_SUM, TURN_GUESS = "len(code) == self.p", "int(hits) + int(blows) <= self.p", "guess >= 0"
PERMUTED = "(sorted(places), sorted(symbols)) == ([*range(self.p)], [*range(self.q)])"
SYMMETRY = "all((np.isin(self.row[f[self.own[s]]], s).all() for f in maps))"
PART = "np.isin(self.row[self.renamed(found[2], self.own[other])], s).all()"


@cache
def liar(*game: str) -> Liar:
    return Liar(*game)


SMALL, REPEATED, THREE = liar("2 4 none -"), liar("2 3 all -"), liar("3 4 none -")
FEW = liar("3 5 none -", "012:2H0B")  # has a single cheap guess


def cheap(of: Liar) -> list[int]:
    """Return the guesses that cost less than the false claim."""
    return of.guesses_to_list(of.all, of.total + 1)[0]


Lie = Callable[[str, Any], tuple[str, list[str]]]


def groups_with_a_false_cell(of: Liar, lie: Lie) -> list[Group]:
    """Return the guesses that cost less than the false claim, each with one false cell that `lie` makes."""
    return [_group_with_a_false_cell(of, guess, lie) for guess in cheap(of)]


def _group_with_a_false_cell(of: Liar, guess: int, lie: Lie) -> Group:
    cells = list(of.cells(of.all, guess))
    for false_one, _cell in cells:
        words, lines = [of.names[guess]], list[str]()
        try:
            for answer, cell in cells:
                word, more = lie(answer, cell) if answer == false_one else of.item(answer, cell)
                words.append(word)
                lines += more
        except LookupError:
            continue
        return words, lines
    raise AssertionError("no cell can be lied about")


def others(of: Liar) -> list[int]:
    """Return the guesses that a lemma can omit."""
    cheap_ones, dear = of.guesses_to_list(of.all, of.total + 1)
    return [guess for guess in range(len(of.names)) if guess not in (*cheap_ones, *dear)]


def groups_without_cells(of: Liar, guesses: list[int]) -> list[Group]:
    """Return these guesses as parts of a lemma that list no cells."""
    return [([of.names[guess]], []) for guess in guesses]


def one_more(answer: str, cell: Any) -> tuple[str, list[str]]:
    return f"{answer}={SMALL.least(cell) + 1}", []


def refers(of: Liar, renaming: Callable[[Any, Any], str], less: int = 0) -> list[str]:
    """Return a false certificate in which one cell of each cheap guess refers to a lemma about another set.

    Cheap guesses cost less than the claim. `renaming(known, cell)` returns the renaming that the reference contains, as
    text, from the set `known` of the lemma. It raises a `LookupError` if there is none. The bound that the lemma proves
    may be up to `less` below the claim about the cell.
    """
    other = others(of)[0]
    words, lines, proven, at = [of.names[other]], list[str](), [], 1
    for answer, cell in of.cells(of.all, other):
        shown = of.lemma(cell, of.least(cell))
        words.append(f"{answer}={of.least(cell)}+")
        lines += shown
        proven.append((at, cell, of.least(cell)))
        at += sum(1 for line in shown if not line.startswith("@"))

    def lie(answer: str, cell: Any) -> tuple[str, list[str]]:
        claimed = of.least(cell) + 1
        for number, known, bound in proven:
            if bound >= claimed - less:
                try:
                    return f"{answer}={claimed}+", [f"@{number}/{renaming(known, cell)}"]
                except LookupError:
                    continue
        raise LookupError

    return of.false([(words, lines), *groups_with_a_false_cell(of, lie)])


def renaming_into_subset(of: Liar, texts: Any) -> Callable[[Any, Any], str]:
    """Return a function that picks from `texts` the first renaming that maps the set of a lemma into a cell."""

    def find(known: Any, cell: Any) -> str:
        game = of.game
        for text in texts:
            places, symbols = ([int(digit, 16) for digit in part] for part in text.split("/"))
            at = np.array(symbols)[game.codes[game.own[known]]] @ game.q ** (game.p - 1 - np.array(places))
            if (at < len(game.number)).all() and np.isin(game.row[game.number[at]], cell).all():
                return str(text)
        raise LookupError

    return find


def symmetric() -> list[str]:
    """Return a false certificate that uses a permutation of symbols which does not preserve the set.

    The permutation maps the only cheap guess to a costly one with a lower number, which the lemma lists instead.
    """
    for start in ("01:0H1B", "01:1H0B", "01:0H0B"):
        for text in ("2 4 none -", "2 5 none -", "2 4 all -", "2 6 none -"):
            of = liar(text, start)
            rows = set(of.all.tolist())
            for renaming in renamings(of.game.p, of.game.q, right=True):
                image = of.game.row[of.game.renamed(renaming, of.game.own)]
                if set(image.tolist()) == rows:
                    continue
                cheap, dear = of.guesses_to_list(of.all, of.total + 1, (renaming,))
                if not cheap:
                    words, *lines = [" ".join(w for g in dear for w in of.guess(of.all, g)[0])]
                    lines = [line for g in dear for line in of.guess(of.all, g)[1]]
                    return [of.head(of.total + 1), f"*{renaming} {words}".rstrip(), *lines]
    raise AssertionError("no such renaming")


def counted_twice(of: Liar) -> list[Group]:
    """Return the cheap guesses with every cell listed twice."""
    groups = [of.guess(of.all, guess) for guess in cheap(of)]
    return [([words[0], *words[1:], *words[1:]], [*lines, *lines]) for words, lines in groups]


def groups_with_an_empty_cell(of: Liar) -> list[Group]:
    """Return the cheap guesses with an additional empty cell."""
    groups = []
    for guess in cheap(of):
        words, lines = of.guess(of.all, guess)
        answers = ("00", "01", "02", "03", "10", "11", "12", "20")
        empty = next(each for each in answers if each not in {word[:2] for word in words[1:]})
        groups.append(([*words, f"{empty}=1"], lines))
    return groups


FALSE: dict[Guard, Callable[[], list[str]]] = {
    Guard("n"): lambda: ["certificate 1 3 4 none - 99 012:3H0B 013:3H0B", ""],
    Guard(TURN_SUM): lambda: ["certificate 1 3 4 none - 1 012:1H4B", ""],
    Guard(PERMUTED): lambda: refers(REPEATED, renaming_into_subset(REPEATED, [*renamings(2, 3, right=False)])),
    Guard(SYMMETRY): symmetric,
    Guard("have >= least"): lambda: SMALL.false(groups_without_cells(SMALL, [*cheap(SMALL), *others(SMALL)[:1]])),
    Guard("have >= least", 1): lambda: FEW.false(after=groups_without_cells(FEW, cheap(FEW))),
    Guard("not missing"): lambda: SMALL.false(),
    Guard("not self.open(cell, bound)[0]"): lambda: SMALL.false(groups_with_a_false_cell(SMALL, one_more)),
    Guard("index not in seen"): lambda: THREE.false(counted_twice(THREE)),
    Guard("0 < len(cell)"): lambda: FEW.false(groups_with_an_empty_cell(FEW)),
    Guard("bound >= least"): lambda: refers(SMALL, renaming_into_subset(SMALL, [*renamings(2, 4, right=True)]), less=1),
    Guard(PART): lambda: refers(SMALL, lambda _known, _cell: SMALL.same),
}  # fmt: skip


def with_replaced_text(lines: list[str], old: str, new: str) -> list[str]:
    """Replace the first occurrence of a text in the lines."""
    text = "\n".join(lines)
    assert old in text
    return text.replace(old, new, 1).split("\n")


def certificate_with_invalid_turn() -> list[str]:
    """Return a certificate whose given turn names an invalid guess."""
    return with_replaced_text(Liar("3 4 none -", "321:0H2B").true(), "321:0H2B", "011:0H2B")


def in_a_section(*end: str) -> list[str]:
    """Return a certificate with a separate section for one cell, which ends with these lines."""
    lines = with_replaced_text(THREE.true(), " 11=13 ", " 11=13^ ")
    return [*lines, *THREE.lemma(dict(THREE.cells(THREE.all, 0))["11"], 13), *end]


FALSE[Guard(TURN_GUESS)] = certificate_with_invalid_turn

# Malformed files whose claims are true, but easily misread.
MALFORMED: dict[Guard, Callable[[], list[str]]] = {
    Guard("all((symbol < q for symbol in absent))"): lambda: with_replaced_text(SMALL.true(), "none - ", "none 9 "),
    Guard(TURN_LENGTH): lambda: with_replaced_text(THREE.true(), "012 ", "12 "),
    Guard("next(self.lines, '') == 'end'"): in_a_section,
    Guard("next(read, None) is None"): lambda: [*SMALL.true(), ""],
}

# Guards against memory use, depth and truncation, with separate tests below.
LIMITS = {
    Guard("20 * p * q * q ** p <= memory"),
    Guard("9 * n * size <= memory"),
    Guard("depth < DEPTH"),
    Guard("self.kept < MOST"),
    Guard("line.endswith(b'\\n')"),
}

# Redundant guards, which exist for their error message.
TWICE: dict[Guard, tuple[list[str], str]] = {
    Guard("(found := pattern.fullmatch(text))"): (["certificate 2 2 4 none - 30", ""], "there are no groups to read"),
    Guard("p <= q or self.repeats == 'all'"): (["certificate 1 4 3 none - 9", ""], "such a game has no secret"),
    Guard("index < self.r"): (["certificate 1 3 4 none - 9 012:2H1B", ""], "no secret gives that answer"),
    Guard("int(found[1]) < len(self.proven)"): (["certificate 1 2 4 none - 30", "@0/01/0123"], "an index out of range"),
    Guard("line[:1] != '@'"): (["certificate 1 2 4 none - 30"], "such a line contains no guess"),
    Guard("len(cell) < len(s)"): (
        ["certificate 1 2 4 none - 31", "01", "02 00=31+", "@0/01/0123"],
        "such a guess is not among those that a lemma has to name, and its cell is a set whose lemma is not read yet",
    ),
}


def run(names: Any, lines: list[str] | bytes, **settings: Any) -> Any:
    return names["check"](BytesIO(lines) if isinstance(lines, bytes) else as_file(lines), **settings)


def test_every_guard_has_a_forgery_or_a_reason():
    assert sorted(guards()) == sorted([*FALSE, *MALFORMED, *LIMITS, *TWICE])


@pytest.mark.parametrize("guard", [*FALSE, *MALFORMED], ids=lambda guard: f"{guard.text[:40]} {guard.number}")
def test_forgery_is_refused_by_one_guard_alone(guard: Guard):
    lines = (FALSE | MALFORMED)[guard]()
    with pytest.raises(checker.Rejected):
        run(vars(checker), lines)
    run(without(guard), lines)


@pytest.mark.parametrize("guard", TWICE, ids=lambda guard: guard.text[:40])
def test_redundant_guard_supplies_the_reason_of_a_rejection(guard: Guard):
    lines, _reason = TWICE[guard]
    with pytest.raises(checker.Rejected):
        run(vars(checker), lines)
    names = without(guard)
    with pytest.raises((names["Rejected"], NameError, AssertionError, IndexError)):
        run(names, lines)


def test_places_are_permuted_and_not_only_symbols():
    of = liar("3 2 all -")
    texts = [text for text in renamings(3, 2, right=False) if len(set(text[4:])) == 2]
    lines = refers(of, renaming_into_subset(of, texts))
    with pytest.raises(checker.Rejected, match="is not a renaming"):
        run(vars(checker), lines)
    run(without(Guard(PERMUTED)), lines)


def test_true_certificates_of_the_small_games_are_accepted():
    for of in (SMALL, REPEATED, THREE, FEW):
        run(vars(checker), of.true())
    run(vars(checker), in_a_section("end"))


def test_memory_of_both_tables_is_limited():
    lines, few = SMALL.true(), list(certificate(3, 6, "none", 436))
    for guard, claim, memory in (
        ("20 * p * q * q ** p <= memory", lines, 2000),
        ("9 * n * size <= memory", few, 100_000),
    ):
        with pytest.raises(checker.Rejected, match="too large"):
            run(vars(checker), claim, memory=memory)
        run(without(Guard(guard)), claim, memory=memory)
    for size, claim in ((20 * 2 * 4 * 16, lines), (9 * 120 * 120, few)):
        run(vars(checker), claim, memory=size)
        with pytest.raises(checker.Rejected, match="too large"):
            run(vars(checker), claim, memory=size - 1)


def test_lemmas_inside_each_other_are_limited():
    game = checker.CertificateGame("certificate 1 2 4 none - 30")
    for depth in (checker.DEPTH - 1, checker.DEPTH):
        game.lines = iter([""])
        if depth == checker.DEPTH:
            with pytest.raises(checker.Rejected, match="too deep"):
                game.lemma(SMALL.all, 30, depth)
        else:
            game.lemma(SMALL.all, 30, depth)
    names = without(Guard("depth < DEPTH"))
    game = names["CertificateGame"]("certificate 1 2 4 none - 30")
    game.lines = iter([""])
    game.lemma(SMALL.all, 30, checker.DEPTH)


@pytest.mark.parametrize("sign", ["+", "^"])
def test_depth_counts_lemmas_and_sections(sign: str):
    game, depths = checker.CertificateGame("certificate 1 3 4 none - 72"), list[int]()
    lemma = game.lemma

    def noted(s: Any, least: int, depth: int = 0) -> None:
        depths.append(depth)
        lemma(s, least, depth)

    game.lemma = noted  # type: ignore[method-assign]
    lines = in_a_section(*["end"] * (sign == "^"))
    game.lines = iter(with_replaced_text(lines, " 11=13^ ", f" 11=13{sign} ")[1:])
    game.lemma(THREE.all, 72)
    assert max(depths) == 1


def test_codes_of_all_lemmas_are_limited(monkeypatch: pytest.MonkeyPatch):
    lines = SMALL.true()
    for most in (13, 12):
        monkeypatch.setattr(checker, "MOST", most)
        if most == 13:
            run(vars(checker), lines)
        else:
            with pytest.raises(checker.Rejected, match="too many lemmas"):
                run(vars(checker), lines)


def test_truncated_line_is_refused():
    whole = as_file(THREE.true()).getvalue()
    cut = whole[:-1] + b"9"  # the checker would remove the last byte as the end of the line
    with pytest.raises(checker.Rejected, match="cut off"):
        run(vars(checker), cut)
    run(without(Guard("line.endswith(b'\\n')")), cut)


def test_lemma_never_refers_to_itself():
    """This holds even if a guess has the whole set as a cell, which another guard rejects."""
    names = without(Guard("len(cell) < len(s)"))
    game = names["CertificateGame"]("certificate 1 2 4 none - 31")
    game.lines = iter(["01 02=31+", "@0/01/0123"])
    game.hints[:] = game.answer_index[2]  # each guess now has one cell
    with pytest.raises(names["Rejected"], match="bound is too small"):
        game.lemma(np.arange(len(game.own)), 31)
