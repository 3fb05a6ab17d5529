"""What is said of certificates, in the language in use."""

from __future__ import annotations

from collections.abc import Iterator

from yomikiri.budget import Progress
from yomikiri.hitblow.certificate.checker import Game
from yomikiri.wording import _


def accepted(game: Game) -> Iterator[str]:
    """The whole claim of a certificate that was accepted: whoever relies on it compares it with the rules."""
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
    yield _("Symbols are told by their number from 0 on. {lemmas} lemmas, {leaves} leaves.").format(
        lemmas=f"{game.lemmas:,}", leaves=f"{game.leaves:,}"
    )


def undecided() -> str:
    """Said where the time was over before, or the check was interrupted."""
    return _("Not decided: the check stopped before the end of the certificate.")


def unfinished() -> str:
    """Said where the writing of a certificate was interrupted, or its check."""
    return _("Interrupted: the certificate is not finished or not checked; the proof stands.")


def checking() -> str:
    """Said before a certificate is checked."""
    return _("The certificate is being checked.")


def writing() -> str:
    """Said before a certificate is written."""
    return _("The certificate is being written.")


def progress(known: Progress) -> str:
    """How far that is."""
    return _("{lemmas} lemmas, {sets} sets, {seconds} s").format(
        lemmas=f"{known.done:,}", sets=f"{known.states:,}", seconds=f"{known.seconds:.0f}"
    )
