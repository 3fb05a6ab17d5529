"""Japanese translations of all messages, and no unused translations.

Also tests `wording/__init__.py`: sentences in the current language.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from jinja2.ext import babel_extract

import yomikiri
from yomikiri.cli.main import cli

SOURCE = Path(yomikiri.__file__).parent
CATALOGUES = sorted(SOURCE.glob("locale/ja/*.po"))
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}

# Messages of click that cannot occur in this program, by reason.
CANNOT_OCCUR = {
    "they tell a programmer of a mistake in a command's declaration": {
        "Name '{name}' defined twice",
        "Boolean option {decl!r} cannot use the same flag for true/false.",
        "Could not determine name for option with declarations {decls!r}",
        "No options defined but a name was passed ({name}). Did you mean to declare an argument instead? "
        "Did you mean to pass '--{name}'?",
        "Arguments take exactly one parameter declaration, got {length}: {decls}.",
        "Invalid start character for option ({option})",
        "Unknown color {colour!r}",
        "Unknown standard stream '{name}'",
        "Value must be an iterable.",
        "Choice({choices})",
        "Missing parameter",
        "Missing {param_type}",
        "Missing parameter: {param_name}",
    },
    "nothing here is deprecated": {
        "deprecated",
        "DeprecationWarning: The command {name!r} is deprecated.{extra_message}",
        "DeprecationWarning: The {param_type} {name!r} is deprecated.{extra_message}",
    },
    "the program says these itself, see cli/main.py and cli/base.py": {
        "Aborted!",
        "Usage:",
        "Missing argument",
        "Missing option",
        "Error: {message}",
        "Try '{command} {option}' for help.",
        "Show this message and exit.",
        "%(prog)s, version %(version)s",
    },
    "click's own prompts, progress bar, editor and shell completion are not used": {
        "Do you want to continue?",
        "Confirm the action without prompting.",
        "Repeat for confirmation",
        "Error: The two entered values do not match.",
        "Error: invalid input",
        "Press any key to continue...",
        "{editor}: Editing failed",
        "{editor}: Editing failed: {e}",
        "d",
        "Windows error: {error}",
        "Shell completion is not supported for Bash versions older than 4.4.",
        "Couldn't detect Bash version, shell completion is not supported.",
    },
    "no option or argument is a date, a truth value, a UUID or a pair": {
        "{value!r} does not match the format {format}.",
        "{value!r} is not a valid boolean. Recognized values: {states}",
        "{value!r} is not a valid UUID.",
        "{len_type} values are required, but {len_value} was given.",
    },
}

# Placeholders that a translation omits, with the reason.
LEFT_OUT = {
    ("{value!r} is not a valid {number_type}.", "number_type"): "click gives an English name such as 'integer range'",
    ("Did you mean {possibility}?", "possibility"): "Japanese has one form for one and for many",
    ("{value!r} is not {choice}.", "choice"): "Japanese has one form for one and for many",
}


def marked(folder: Path) -> Iterator[str]:
    """Yield the messages in the Python files and templates of `folder`; for plural messages, the singular."""
    for path in sorted(folder.rglob("*.py")):
        for _line, found, _comments, _context in extract_from_file("python", path, keywords=KEYWORDS):
            message = found[0] if isinstance(found, tuple) else found
            assert message, path
            yield message
    for path in sorted(folder.rglob("*.html")):
        with path.open("rb") as file:
            for _line, _function, texts, _comments in babel_extract(file, list(KEYWORDS), (), {}):
                singular = texts[0] if isinstance(texts, tuple) else texts
                assert singular, path
                yield singular


def helps(command: click.Command) -> Iterator[str]:
    """Yield the English help texts of a command, its parameters and all its subcommands."""
    context = click.Context(command)
    for item in (command, *command.params):
        if text := getattr(item, "_help", None):
            yield text
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below, name
            yield from helps(below)


def wanted() -> set[str]:
    """Return all messages that need a translation."""
    of_click = set(marked(Path(click.__file__).parent))
    unmet = set().union(*CANNOT_OCCUR.values())
    assert unmet <= of_click, "click no longer has these"
    return {*marked(SOURCE), *helps(cli), *(of_click - unmet)}


def catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale="ja", abort_invalid=True)


def translations() -> dict[str, tuple[Message, Path]]:
    """Return the Japanese translations by their English message (singular)."""
    return {
        singular(message): (message, path) for path in CATALOGUES for message in catalogue(path) if singular(message)
    }


def test_colons_after_japanese_are_full_width():
    half_width = re.compile(r"[぀-ヿ㐀-鿿）」](?: \{\w*\})?:(?:\s|\{|$)")
    assert half_width.search("有力候補（各 {chance}）: {codes}")
    found = [text for text, (message, _path) in translations().items() if half_width.search(str(message.string))]
    assert not found


def singular(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ("",))


def placeholders(text: str) -> set[str]:
    return {field for _literal, field, _spec, _conversion in string.Formatter().parse(text) if field is not None}


def test_every_message_has_a_translation():
    missing = wanted() - {english for english, (message, _path) in translations().items() if all(forms(message.string))}
    assert not missing, "\n".join(sorted(map(repr, missing)))


def test_every_translation_has_a_message():
    obsolete = translations().keys() - wanted()
    assert not obsolete, "\n".join(f"{translations()[english][1].name}: {english!r}" for english in sorted(obsolete))


def test_every_message_is_translated_once():
    # Count the lines, because babel only keeps the last of several entries.
    entries = Counter(entry for path in CATALOGUES for entry in entries_of(path.read_text(encoding="utf-8")))
    assert [entry for entry, count in entries.items() if count > 1] == []


def entries_of(text: str) -> list[str]:
    found = re.findall(r'^msgid ((?:".*"\n)+)', text, re.MULTILINE)
    return [entry for block in found if (entry := "".join(re.findall(r'"(.*)"', block)))]


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.name)
def test_no_translation_is_unfinished(path: Path):
    whole = catalogue(path)
    assert [message.id for message in whole if message.fuzzy and message.id] == []
    assert list(whole.obsolete) == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.name)
def test_translations_have_the_placeholders_of_their_message(path: Path):
    for message in catalogue(path):
        if not message.id:
            continue
        english = set().union(*map(placeholders, forms(message.id)))
        english -= {field for field in english if (singular(message), field) in LEFT_OUT}
        for text in forms(message.string):
            assert placeholders(text) == english, message.id


NOUNS = (
    "answers|candidates|cells|codes|columns|digits|games|guesses|marks|moves|parts|places|positions|rows|secrets|symbols"
    "|times|turns|weights"
)
COUNTED = re.compile(rf"\{{(\w+)(?:!r)?\}} (?:\w+ )?(?:{NOUNS})\b")

# Messages with one form of a noun after a number, by the reason why nobody reads a 1 there.
NEVER_ONE = {
    "a number with decimal places": {
        "About {guesses} more guesses on average.",
        "Bad luck cost {guesses} guesses.",
        "Best guess found: {expected} more guesses on average. Not proven optimal.",
        "Best play needs {expected} guesses on average. {luck}",
        "Guess {guess}: {ours} more guesses on average, with the unused items (proven).",
        "It needs at most {expected} more guesses on average.",
        "It needs {expected} more guesses on average.",
        "Luck saved {guesses} guesses.",
        "Not proven optimal: at most {expected} more guesses on average.",
        "Proven optimal: {expected} more guesses on average, {most} at most.",
        "Proven optimal: {expected} more guesses on average.",
        "Your choices cost {loss} guesses.",
        "Your choices cost {loss} guesses; turn {number} cost the most.",
        "Your choices cost {loss} guesses; turn {number} cost the most: {best} would have saved {most} compared with "
        "{guess}.",
        "about {codes} candidates",
        "cost {loss} guesses",
        "{guesses} more guesses on average",
        "{guess} cannot be the secret, but leaves {ours} candidates on average, against {theirs} for {rival}.",
        "{guess} cannot be the secret, but needs {ours} guesses on average, against {theirs} for {rival}.",
        "{guess} is better by {saved} guesses, and there is a better one still.",
        "{guess} risked {risk} guesses, and the risk paid off.",
        "{ours} more guesses on average, {other} without an item in this turn (proven)",
    },
    "a large number, or a limit above one": {
        "Estimated: as if both guess candidates only, from a sample of {sampled} candidates.",
        "Searched: {sets} candidate sets, {pairs} positions.",
        "a board of {given} cells is too large for the page: choose at most {limit} cells, or use the command line",
        "at {place}: {given}: expected a non-negative integer of at most {digits} digits",
        "level perfect plays games of at most {limit} codes: choose another level",
        "the codes have {given} different symbols: expected at most {most}",
        "the weight {given} is too long: expected an integer of at most {most} digits",
        "this race can last more than {limit} guesses, too many to solve: choose a smaller game",
        "{given} candidates are too many for free questions: give turns until fewer are left",
        "{given} candidates are too many for a search: give turns until at most {limit} are left",
        "{given} candidates are too many for one JSON document: add turns until {limit} or fewer remain",
        "{given} candidates are too many for one page: add turns until {limit} or fewer remain, or choose another "
        "--format",
        "{given} codes: expected at most {most}",
        "{given} digits: expected 1 to 6",
        "{given} possible guesses are too many for the page: choose a game with at most {limit}, or use the command "
        "line",
        "{given} revealed symbols leave too few for a secret: expected at most {limit}",
        "{given} secrets are too many to learn their weights: choose a game with at most {limit}",
        "{given} secrets are too many to solve this race: choose a game with at most {limit}",
        "{given} secrets times {guesses} guesses are too many for the page: expected at most {limit}, or use the "
        "command line",
        "{given} turns are too many: expected at most {limit}",
    },
    "two or more: parts of a set, places of a repeated symbol, guesses after the next one": {
        "It splits the candidates into {parts} parts, the largest with {largest} of them.",
        "guess {given!r}: hard mode needs {symbol!r} {count} times",
        "it finds the secret within {guesses} guesses {ours} of the time, against {theirs} for {rival}.",
        "within {guesses} guesses",
        "{guess} can leave {count} candidates. {best} leaves at most {fewer}.",
        "{guess} cannot be the secret, but splits the candidates into {ours} parts, against {theirs} for {rival}.",
        "{symbol!r} is in {given!r} more than once: use {digits} different symbols",
        "{symbol} is there more than once. Use {digits} different symbols.",
    },
    "the progress or the proof of a search, which has many parts": {
        "Accepted: no strategy finds all {secrets} secrets in fewer than {total} guesses in total.",
        "Game: {digits} digits from {symbols} symbols, {repeats}",
        "Interrupted, not proven optimal: no strategy for this objective takes fewer than {bound} guesses in total.",
        "Interrupted, not proven optimal: the best found so far. No strategy for this objective takes fewer than "
        "{bound} guesses in total.",
        "Interrupted: {policy} has played only {done} of {count} secrets, drawn at random. Its figures are of these.",
        "{done} of {of} first guesses",
        "{moves} of {of} moves solved, {nodes} positions",
        "{nodes} positions. {certain}",
        "{states} positions, {seconds} s",
        "{total} guesses are enough, beginning with {guess}.",
    },
    "no number before a noun": {
        "a board of {rows}x{columns} cells: expected 1 to 8 rows and 1 to 8 columns",
        "policy {given} guesses repeated digits such as 000: it needs --repeats guess or --repeats all",
        "the players have {first} and {second} cells: expected equal numbers, or one more for the first player",
        "{player} answers in pairs, {pairs}: when {other} takes one cell of a pair, {player} takes the other. So "
        "{other} completes no line, and {player} ends with at least {own} to {others}.",
    },
}


def test_numbers_before_nouns_have_both_forms():
    """A message such as "after 1 guesses" needs `ngettext`, or both forms in the field: `{count:guess|guesses}`."""
    singular_only = {english for english, (message, _path) in translations().items() if isinstance(message.id, str)}
    found = {english for english in singular_only if COUNTED.search(english)}
    known = set().union(*NEVER_ONE.values())
    assert not found - known, "\n".join(sorted(map(repr, found - known)))
    assert not known - found, "no longer needed"


def test_help_of_every_parameter_is_translated():
    """Each option must be of a class of this package, because others would keep their help in English."""

    def walk(command: click.Command) -> Iterator[str]:
        context = click.Context(command)
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not hasattr(type(parameter), "_help"):
                yield f"{command.name} {parameter.opts}"
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                below = command.get_command(context, name)
                assert below
                yield from walk(below)

    assert list(walk(cli)) == []
