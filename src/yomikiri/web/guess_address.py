"""The addresses of a game with the user's own lists of codes. They contain the whole game, and never the lists.

    /guess?v=1&turn=crane:01002&turn=slate:02002       help with the next guess
    /guess/play?v=1&lists=3f2a9c01&seed=k3x9&me=crane  the person guesses the program's secret

With `/guess`, `guess=` is a guess to make instead of the suggested one. The answer to this guess comes in one of two
forms: `answer=` is the answer as text, and `m1=2&m2=0` are its marks, one for each place. Mark 2 means the right place,
1 a wrong place, and 0 that the symbol is missing. With a valid answer, the page redirects to the address with the new
turn. `edit=2` edits the second turn, and `listed=1` shows a long list of candidates.

With `/guess/play`, the answers are computed. `lists` is a digest of the lists, because the secret is a function of the
lists and the seed. `hint=2` is a hint for the second guess.

`review=1` shows the review of a finished game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from yomikiri.common.enums import fold, number
from yomikiri.common.errors import N_, InputError
from yomikiri.common.seeds import check_seed
from yomikiri.guessing.answers import MARKS, all_answers
from yomikiri.guessing.game import Game, Observation, Position
from yomikiri.web.limits import MOST_PLAYED, check_turns
from yomikiri.web.link import VERSION, Link, Pairs, check_version, language_in, with_values
from yomikiri.web.own_game import OwnGame

PATH, PLAY_PATH = "/guess", "/guess/play"


@dataclass(frozen=True)
class GuessAddress:
    """The address of a game in which the page suggests guesses.

    `guess` is a guess to make instead of the suggested one, or empty. `edit` is the turn that is being edited, from 1,
    or 0. `listed` means that the page shows the long list of candidates, and `review` that it shows the review if the
    game is over.
    """

    position: Position
    lang: str | None = None
    guess: str = ""
    edit: int = 0
    listed: bool = False
    review: bool = False

    def __str__(self) -> str:
        opened = [("guess", self.guess), ("edit", str(self.edit or "")), ("listed", "1" if self.listed else ""),
                  ("review", "1" if self.review else "")]  # fmt: skip
        return str(Link.of(PATH, [*self.game_parameters, *opened]))

    @property
    def game_parameters(self) -> Pairs:
        """The (name, value) pairs that each form on the page also sends: the game and the language, but nothing else.

        So the next page shows no review and no long list of candidates.
        """
        turns = [("turn", str(turn)) for turn in self.position.turns]
        return with_values([("v", VERSION), *turns, ("lang", self.lang or "")])

    @property
    def closed(self) -> GuessAddress:
        """The address of the same game without the parameters that only concern the page.

        These are the selected guess, the edited turn, the long list of candidates, and the review.
        """
        return GuessAddress(self.position, self.lang)

    @property
    def restarted(self) -> GuessAddress:
        """The address of a new game with the same lists."""
        return GuessAddress(self.position.game.start, self.lang)

    @property
    def undone(self) -> GuessAddress | None:
        """The address of the game without its last turn, or None if it has no turns."""
        turns = self.position.turns
        return GuessAddress(Position(self.position.game, turns[:-1]), self.lang) if turns else None

    @property
    def shared(self) -> str:
        """The link to share. It names no language, so the other person sees the one that their browser prefers."""
        return str(Link.of(PATH, self.game_parameters).without("lang"))

    @property
    def others(self) -> Position:
        """The position without the turn that is being edited."""
        turns, edit = self.position.turns, self.edit
        return Position(self.position.game, (*turns[: edit - 1], *turns[edit:])) if edit else self.position

    @property
    def reviewed(self) -> GuessAddress:
        """The address of the game with the review of its turns."""
        return replace(self.closed, review=True)

    def with_guess(self, guess: str) -> GuessAddress:
        """Return the address with a guess to make instead of the suggested one. The edited turn stays the same."""
        return replace(self.closed, guess=guess, edit=self.edit)

    def answered(self, guess: str, answer: str) -> GuessAddress:
        """Return the address of the game after a guess and its answer, which replace the edited turn or add a turn.

        If the guess finds the secret, all turns after it are removed.
        """
        game, turns, turn = self.position.game, self.position.turns, Observation(guess, answer)
        changed = (*turns[: self.edit - 1], turn, *turns[self.edit :]) if self.edit else (*turns, turn)
        if answer == game.answers.win(game.places):
            changed = changed[: self.edit or len(changed)]
        return GuessAddress(Position(game, changed), self.lang)

    def editing(self, line: int) -> GuessAddress:
        """Return the address of the page that edits turn `line`, counted from 1."""
        return replace(self.closed, edit=line)

    def deleted(self) -> GuessAddress:
        """Return the address of the game without the edited turn."""
        return GuessAddress(self.others, self.lang)


def read(query: Sequence[tuple[str, str]], game: Game) -> GuessAddress:
    """Read the query of an address. The `guess` of the result is empty, even if the query has one.

    Raises an `InputError` if the query is invalid.
    """
    parameters = dict(query)
    check_version(parameters)
    turns = [value for name, value in query if name == "turn"]
    check_turns(turns, MOST_PLAYED)
    position = game.start
    for turn in turns:
        guess, colon, answer = turn.rpartition(":")  # the last colon, because a symbol may be a colon, too
        read_turn = Observation(game.code(guess), game.answers.parse(answer, game.places)) if colon else turn
        position = position.after(read_turn)
    edit = number(parameters, "edit", 0)
    if edit > len(turns):
        raise InputError(N_("edit={given}: expected a turn from 1 to {most}"), given=edit, most=len(turns))
    listed, review = (parameters.get(name) == "1" for name in ("listed", "review"))
    return GuessAddress(position, language_in(parameters), "", edit, listed, review)


def is_beginning_of_turn(game: Game, text: str, *, answered: bool = True) -> bool:
    """Return True if `text` may be the beginning of a turn: of `GUESS:ANSWER`, or of a guess if not `answered`."""
    guess, rest = fold(text[: game.places]), text[game.places :]
    if not set(guess) <= set(game.symbols):
        return False
    if not rest:
        return len(guess) < game.places or answered
    if not answered or rest[0] != ":":
        return False
    if game.answers is MARKS:
        return len(rest) <= game.places and set(rest[1:]) <= set("012")
    return any(answer.startswith(fold(rest[1:])) for answer in all_answers(game.answers, game.places))


def answer_in(parameters: Mapping[str, str], places: int) -> str:
    """Return the answer to a guess that a form sent: the text that the player typed, or the marks as one string.

    The string has one digit for each place, such as `01002`. If nothing was typed and a mark is missing, it is empty.
    """
    if typed := parameters.get("answer", "").strip():
        return typed
    marks = [parameters.get(f"m{place}", "") for place in range(1, places + 1)]
    return "".join(marks) if all(marks) else ""


@dataclass(frozen=True)
class GuessPlayAddress:
    """The address of a game in which the person guesses a secret of the program.

    `hinted_guesses` contains the numbers of the guesses, from 1, for which the person requested a hint.
    """

    own: OwnGame
    seed: str
    guesses: tuple[str, ...] = ()
    hinted_guesses: tuple[int, ...] = ()
    given_up: bool = False
    lang: str | None = None
    review: bool = False

    def __str__(self) -> str:
        return str(Link.of(PLAY_PATH, [*self.game_parameters, *([("review", "1")] if self.review else [])]))

    @property
    def game_parameters(self) -> Pairs:
        """The (name, value) pairs that each form on the page also sends: the game and the language.

        The review is not among them, so it is not shown again.
        """
        guesses = [("me", guess) for guess in self.guesses]
        more = [("hint", ",".join(map(str, self.hinted_guesses))), ("give-up", "1" if self.given_up else "")]
        return with_values([*self._terms, *guesses, *more, ("lang", self.lang or "")])

    @property
    def _terms(self) -> Pairs:
        return [("v", VERSION), ("lists", self.own.key), ("seed", self.seed)]

    @cached_property
    def secret(self) -> str:
        """The program's secret, which the seed determines."""
        return self.own.secret(self.seed)

    @cached_property
    def position(self) -> Position:
        """The position after the guesses. Raises an `InputError` if a guess is not allowed."""
        position = self.own.game.start
        for guess in self.guesses:
            position.require_allowed(guess)
            position = position.after(Observation(guess, self.own.game.answers.answer(guess, self.secret)))
        return position

    @property
    def is_over(self) -> bool:
        """True if the person has found the secret, has used all guesses, or gave up."""
        return self.given_up or self.position.is_over

    @property
    def turn(self) -> int:
        """The number of the next guess, from 1."""
        return len(self.guesses) + 1

    @property
    def hinted(self) -> GuessPlayAddress:
        """The address with a hint for the next guess."""
        return replace(self, hinted_guesses=(*self.hinted_guesses, self.turn))

    @property
    def surrendered(self) -> GuessPlayAddress:
        """The address after the person has given up."""
        return replace(self, given_up=True)

    @property
    def undone(self) -> GuessPlayAddress | None:
        """The address of the game without its last guess, or None if it has no guesses."""
        return replace(self.closed, guesses=self.guesses[:-1], given_up=False) if self.guesses else None

    @property
    def closed(self) -> GuessPlayAddress:
        """The address of the same game on a page that does not show the review."""
        return replace(self, review=False)

    @property
    def reviewed(self) -> GuessPlayAddress:
        """The address of the same game on a page that shows the review."""
        return replace(self, review=True)

    @property
    def again(self) -> Link:
        """The link to a game with another secret."""
        return Link.of(PLAY_PATH, [("v", VERSION), ("lang", self.lang or "")])

    @property
    def shared(self) -> str:
        """The link to share: a game with the same secret, without guesses."""
        return str(Link.of(PLAY_PATH, self._terms))

    def after(self, guess: str) -> GuessPlayAddress:
        """Return the address after a guess. Raises a `CodeError` if the guess is not allowed."""
        code = self.own.game.code(guess)
        self.position.require_allowed(code)
        return replace(self, guesses=(*self.guesses, code))


def read_play(query: Sequence[tuple[str, str]], own: OwnGame) -> GuessPlayAddress | None:
    """Read the query of a game against the program. Returns None if the seed is missing. Raises an `InputError`."""
    parameters = dict(query)
    check_version(parameters)
    if "seed" not in parameters:
        return None
    if parameters.get("lists", own.key) != own.key:
        raise InputError(
            N_("this link belongs to a game with other lists: expected lists={expected}, found {given!r}"),
            given=parameters["lists"],
            expected=own.key,
        )
    guesses = [value for name, value in query if name == "me"]
    check_turns(guesses, MOST_PLAYED)
    hints = sorted({int(text) for text in parameters.get("hint", "").split(",") if text.isdecimal() and len(text) < 3})
    address = GuessPlayAddress(
        own,
        check_seed(parameters["seed"]),
        tuple(map(own.game.code, guesses)),
        tuple(hints),
        parameters.get("give-up") == "1",
        language_in(parameters),
        parameters.get("review") == "1",
    )
    _position = address.position  # compute it now, because it raises an error for a guess that is not allowed
    return address
