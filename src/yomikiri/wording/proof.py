"""Sentences about stored proofs and certificates, in the current language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from yomikiri.common.svg import fills
from yomikiri.wording import _, language, ngettext
from yomikiri.wording.hitblow import rules_text
from yomikiri.wording.strategy import duration, remains_of_computing

if TYPE_CHECKING:
    from yomikiri.common.budget import Progress
    from yomikiri.hitblow.certificate.checker import CertificateGame
    from yomikiri.hitblow.race.public.store import StoredGame
    from yomikiri.hitblow.search.proof.summary import CellState, Summary


# --- a stored proof ---------------------------------------------------------------------------------------------------


def lines(summary: Summary) -> Iterator[str]:
    """Yield the state of a stored proof: bounds, effort so far, and remaining work.

    The last lines are the bounds for each answer to the first guess.
    """
    yield _game(summary)
    yield _total(summary)
    if summary.ties is not None:
        yield (
            _("All requested tie-breaks are proven.")
            if summary.ties
            else _("The requested tie-breaks are not proven yet.")
        )
    yield _("{answers} results, {nodes} nodes, {time} of computing; workers: {workers}").format(
        answers=f"{summary.answers:,}",
        nodes=f"{summary.nodes:,}",
        time=duration(summary.seconds),
        workers=summary.workers,
    )
    if not summary.proven:
        remains = _("unknown") if summary.share is None else remains_of_computing(summary.share, summary.left)
        yield _("Progress: {remains}").format(remains=remains)
    if summary.cells:
        yield _("After the first guess {guess}:").format(guess=summary.guess)
        for cell in summary.cells:
            yield "  " + _cell(cell)


def race_lines(games: Iterable[StoredGame]) -> Iterator[str]:
    """Yield lines on the contents of a store, the file with the progress of a race (a match before its first guess).

    Each game in the store gets two lines: its rules, and the numbers of stored candidate sets and canonical forms. Sets
    that are interchangeable in the race have the same canonical form.
    """
    for game in games:
        yield _("Race store: {game}").format(game=rules_text(game.rules))
        yield _("{sets} candidate sets, {forms} canonical forms, {listed} of the forms expanded").format(
            sets=f"{game.sets:,}", forms=f"{game.forms:,}", listed=f"{game.listed:,}"
        )
    yield _("Winning chances are not stored. To compute them from here, run hitblow race for this game with --store.")


def page(summary: Summary) -> str:
    """Return the state of a proof as an HTML file.

    A picture shows the candidates that give each answer to the first guess.
    """
    shown = [(str(cell.hint), cell.codes, float(cell.proven)) for cell in summary.cells]
    caption = _("Candidates by the answer to the first guess. Filled squares are proven.")
    return as_page(lines(summary), f"{fills(shown, caption)}\n<p>{caption}</p>" if shown else "")


def as_page(text_lines: Iterable[str], picture: str = "") -> str:
    """Return lines as an HTML file with a picture. The first line is the title. Indented lines become list items."""
    head, *rest = map(escape, text_lines)
    text = "\n".join(f"<p>{line}</p>" for line in rest if not line.startswith(" "))
    rows = "\n".join(f"<li>{line.strip()}</li>" for line in rest if line.startswith(" "))
    body = "\n".join(filter(None, (f"<h1>{head}</h1>", text, picture, rows and f"<ul>\n{rows}\n</ul>")))
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{head}</title>\n"
        "<style>:root { color-scheme: light dark; font-family: sans-serif } body { max-width: 45em; margin: auto; "
        "padding: 1em } h1 { font-size: 1.4em } svg { max-width: 100%; height: auto }</style>\n"
        f"{body}\n</html>"
    )


def _game(summary: Summary) -> str:
    text = rules_text(summary.rules)
    if summary.absent:
        text = _("{game}, without {symbols}").format(game=text, symbols=summary.absent)
    if summary.facts:
        text = _("{game}, after {turns}").format(game=text, turns=" ".join(summary.facts))
    if summary.consistent:
        text = _("{game}, guessing only candidates").format(game=text)
    return _("Proof store: {game}").format(game=text)


def _total(summary: Summary) -> str:
    if summary.upper is None:
        return _("Total: at least {lower}; no strategy of the whole game is stored").format(lower=f"{summary.lower:,}")
    if summary.proven:
        return _("Total: {total}, proven").format(total=f"{summary.lower:,}")
    return _("Total: at least {lower}, at most {upper}, gap {gap}").format(
        lower=f"{summary.lower:,}", upper=f"{summary.upper:,}", gap=f"{summary.upper - summary.lower:,}"
    )


def _cell(cell: CellState) -> str:
    if cell.proven:
        bounds = _("{total}, proven").format(total=f"{cell.lower:,}")
    elif cell.upper is None:
        bounds = _("at least {lower}").format(lower=f"{cell.lower:,}")
    else:
        bounds = _("at least {lower}, at most {upper}").format(lower=f"{cell.lower:,}", upper=f"{cell.upper:,}")
    text = ngettext("{hint}: {codes} code, {bounds}", "{hint}: {codes} codes, {bounds}", cell.codes)
    return text.format(hint=cell.hint, codes=f"{cell.codes:,}", bounds=bounds)


# --- a certificate ----------------------------------------------------------------------------------------------------


def accepted(game: CertificateGame) -> Iterator[str]:
    """Yield the lines on an accepted certificate: its game and the proven bound.

    The lines name the whole game, so that the user can see whether the certificate is about the intended game.
    """
    repeats = {
        "none": _("no repeats"),
        "guess": _("repeats in guesses only"),
        "all": _("repeats"),
    }[game.repeats]
    yield _("Game: {digits} digits from {symbols} symbols, {repeats}").format(
        digits=game.p, symbols=game.q, repeats=repeats
    )
    if game.absent != "-":
        yield _("Not in the secret: {symbols}").format(symbols=game.absent)
    if game.turns:
        yield _("After: {turns}").format(turns=" ".join(game.turns))
    yield _("Accepted: no strategy finds all {secrets} secrets in fewer than {total} guesses in total.").format(
        secrets=f"{len(game.own):,}", total=f"{game.total:,}"
    )
    yield _("Symbols are numbered from 0. {lemmas} lemmas, {leaves} leaves.").format(
        lemmas=f"{game.lemmas:,}", leaves=f"{game.leaves:,}"
    )


def progress(known: Progress) -> str:
    """Return the progress of the check of a certificate."""
    return _("{lemmas} lemmas, {sets} sets, {seconds} s").format(
        lemmas=f"{known.done:,}", sets=f"{known.states:,}", seconds=f"{known.seconds:.0f}"
    )
