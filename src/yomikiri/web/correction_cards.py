"""Cards for correcting a game: the editor of a turn, a contradiction, and a code wrongly reported as found.

A contradiction is a set of answers that no code fits. A code is wrongly reported if it contradicts the answers.
"""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.model.corrections import Repair
from yomikiri.hitblow.model.notation import write_hint
from yomikiri.hitblow.model.rules import Answered, Turn
from yomikiri.web.assist_cards import assist_pad
from yomikiri.web.assist_inputs import AssistInputs
from yomikiri.web.cards import Button, Buttons, Card, Section
from yomikiri.web.hitblow_cards import (
    AnswerMarks,
    CodeTiles,
    PadForm,
    TurnRow,
    TurnTable,
    answer_choices,
    answer_marks,
    turn_rows,
    turn_table,
)
from yomikiri.web.knowledge_cards import words_form
from yomikiri.web.review_cards import JudgedGame
from yomikiri.wording import _, contradictions, ngettext
from yomikiri.wording.hitblow import fact_text, percent

# A correction changes one or more turns. For a contradiction (a set of answers that no code fits), the page offers
# corrections of at most `_LINES` combinations of turns. A combination of one turn has at most `_OPTIONS` corrections.
_LINES, _OPTIONS = 3, 3


@dataclass(frozen=True, slots=True)
class FoldedPad(Card):
    """A form for a guess, folded under a button."""

    pad: PadForm
    is_open: bool


@dataclass(frozen=True, slots=True)
class CorrectionLink:
    """A correction of one or more turns.

    Each of `lines` contains a turn as it is now, its corrected answer, and its new text. The corrected answer is None
    if the correction changes the guess. `text` contains all new texts. `href` is the address of the corrected game.
    """

    lines: tuple[tuple[TurnRow, AnswerMarks | None, str], ...]
    text: str
    href: str


@dataclass(frozen=True, slots=True)
class Contradiction(Card):
    """The card of answers that cannot all be right, with possible corrections.

    In a match, `advice` says whose answers the player should check. `correction` is the most likely correction, or None
    if none was found. Each of `others` is a further correction: a text, its address, and its probability as text.
    `slips_button` is a link to the same game under the assumption that some answers may be wrong.
    """

    advice: str
    turns: TurnTable
    correction: CorrectionLink | None
    others: tuple[tuple[str, str, str], ...]
    undo: str
    slips_button: Button | None


def editor(game: AssistInputs, line: int) -> Section:
    """Return the card that edits entry `line` of the game: a turn or another fact, counted from 1."""
    address, query = game.address, game.query
    fact = address.entries[line - 1]
    hidden = (*address.game_parameters, ("edit", str(line)))
    cancel = Button(_("Cancel"), str(address.closed))
    delete = Button(_("Delete turn"), address.link_without_entry(line))
    if not isinstance(fact, Answered):
        form = words_form(game, hidden, query.fact or str(fact), query.fact_error, edits=True)
        return Section("editor", fact_text(fact, game.words), (form, Buttons((cancel, delete))), "card editor",
                       is_main=True)  # fmt: skip
    match = game.match
    mine = match is None or match.mover(line - 1) is Side.ME
    answered = mine or not (match and match.secret)
    pad = assist_pad(game, _("What did you guess?") if mine else _("What did they guess?"), _("Use this guess"), "m",
                     [("edit", str(line))])  # fmt: skip
    now = fact.hint if isinstance(fact, Turn) and query.guess in ("", fact.guess) else None
    guess = query.guess or fact.guess
    parts = (
        CodeTiles(guess),
        *([answer_choices(address, guess, line, now)] if answered else []),
        FoldedPad(pad, bool(not answered or pad.missing or pad.error)),
        # A turn of a match cannot be deleted, because the wrong player would then be to move.
        Buttons((cancel,) if match else (cancel, delete)),
    )
    question = _("They answered …") if mine else _("You answered …")
    return Section("editor", question if answered else _("What did they guess?"), parts, "card editor", is_main=True)


def contradiction(game: AssistInputs) -> Contradiction:
    """Return the card of the contradiction with the possible corrections."""
    session, address = game.session, game.address
    rows, advice = game.rows, ""
    if isinstance(session, MatchAssistant):
        is_mine = session.contradictory[0] is Side.ME
        rows = game.rows if is_mine else game.theirs
        advice = _("Look at their answers.") if is_mine else _("Look at your answers.")
    by_lines: dict[tuple[int, ...], list[Repair]] = {}
    for repair in session.repairs:
        by_lines.setdefault(repair.lines, []).append(repair)
    # If corrections change the same combination of several turns, offer only the likeliest of them. The links to the
    # others would look the same.
    offered = [repair for lines, repairs in list(by_lines.items())[:_LINES]
               for repair in repairs[: _OPTIONS if len(lines) == 1 else 1]]  # fmt: skip
    corrections = [_correction(game, repair) for repair in offered]
    others = (
        (_short(each), each.href, percent(repair.share)) for each, repair in zip(corrections, offered, strict=True)
    )
    slips_button = None
    if offered:
        slips = len(offered[0].lines)
        slips_button = Button(contradictions.slips_label(slips), address.link_with_slips(slips))
    turns = turn_table(rows, _("Turns so far"), whole=True)
    return Contradiction(advice, turns, corrections[0] if offered else None, tuple(others)[1:], game.undo, slips_button)


def _correction(game: AssistInputs, repair: Repair) -> CorrectionLink:
    words, address = game.words, game.address
    facts = [address.entries[line - 1] for line in repair.lines]
    guesses = [fact.guess if isinstance(fact, Answered) else "" for fact in facts]
    texts = [write_hint(turn.hint, words) if turn.guess == guess else fact_text(turn, words)
             for turn, guess in zip(repair.turns, guesses, strict=True)]  # fmt: skip
    answers = [answer_marks(turn.hint, words) if turn.guess == guess else None
               for turn, guess in zip(repair.turns, guesses, strict=True)]  # fmt: skip
    lines = tuple(zip(turn_rows(facts, words), answers, texts, strict=True))
    href = address.link_with_entries(dict(zip(repair.lines, repair.turns, strict=True)))
    return CorrectionLink(lines, " ".join(texts), href)


def _short(correction: CorrectionLink) -> str:
    """Return a correction as one line of text: the guesses, an arrow, and the new answers."""
    return f"{' '.join(row.guess or row.text for row, _answer, _text in correction.lines)} → {correction.text}"


def unfit_text(judged: JudgedGame) -> str:
    """Return a sentence that says that the code reported as found does not fit the answers.

    The sentence says how many answers would have to be wrong, if that number is known.
    """
    if not judged.slips:
        return _("{code} contradicts another fact.").format(code=judged.unfit)
    message = ngettext(
        "{code} fits only if {count} answer is wrong.", "{code} fits only if {count} answers are wrong.", judged.slips
    )
    return message.format(code=judged.unfit, count=judged.slips)


def unfit(game: AssistInputs, judged: JudgedGame) -> Section:
    """Return the card for a code that was reported as found but does not fit the answers, with ways to continue."""
    buttons = [Button(_("Undo the last"), game.undo, "btn go", "Backspace")]
    if judged.slips:
        buttons.append(Button(contradictions.slips_label(judged.slips), game.address.link_with_slips(judged.slips)))
    parts = (turn_table(game.rows, _("Turns so far"), whole=True), Buttons(tuple(buttons)))
    return Section("wrong", unfit_text(judged), parts, "card alert", is_main=True)
