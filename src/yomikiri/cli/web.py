"""`yomikiri web` and `site`: the web page, from a local server or as a folder of static files."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yomikiri.api.guessing_game import LISTS_GAME, RULE_CONFLICTS, game_of
from yomikiri.cli.asking import with_settings
from yomikiri.cli.base import WholeNumber, command, option
from yomikiri.cli.text import can_draw, window
from yomikiri.common.budget import Budget
from yomikiri.common.errors import N_, InputError
from yomikiri.settings import Conflict
from yomikiri.wording import _

if TYPE_CHECKING:
    from yomikiri.web.own_game import OwnGame

PORT, SITE_PORT = 8349, 8350


_CONFLICTS = (*RULE_CONFLICTS, Conflict(("guesses", "answers", "consistent", "hard", "within"), needs="secrets"))


@command(conflicts=_CONFLICTS)
@option("--port", type=WholeNumber(0, 65535), default=PORT, show_default=True,
        help="Port to listen on; 0 chooses a free one.")  # fmt: skip
@option("--lan", is_flag=True, help="Allow access from the local network, and show the address as a QR code.")
@with_settings(*LISTS_GAME)
def web(port: int, lan: bool, **given: Any) -> None:
    """Start the web page for a browser, with Hit & Blow and weighted tic-tac-toe.

    Only this computer can open it; with --lan, so can phones and other devices on the local network.

    With --secrets, the page also has a game with your own list: help with the next guess, and secrets to find.
    """
    from yomikiri.web.pages import network_address
    from yomikiri.web.serve import LOOPBACK, endpoint, listen, serve

    where = endpoint(lan)
    own = _own_game(given)
    try:
        listener = listen(where, port)
    except OSError as error:
        raise taken(port) from error
    with listener:
        port = listener.getsockname()[1]
        found = network_address() if lan else None
        click.echo(f"http://{found or LOOPBACK}:{port}/")
        if lan:
            _introduce(f"http://{found}:{port}/" if found else None)
        click.echo(_("Press Ctrl-C to stop."), err=True)
        serve(where, listener, own)


def _own_game(given: Mapping[str, Any]) -> OwnGame | None:
    """Return the game with the user's own lists of secrets and guesses, or None without the option `--secrets`."""
    from yomikiri.web.own_game import OwnGame

    return None if given["secrets"] is None else OwnGame(game_of(given))


def taken(port: int) -> InputError:
    """Return the error for a port that cannot be used."""
    return InputError(N_("cannot listen on port {given}: choose a free port, or --port 0 for any"), given=port)


def _introduce(address: str | None) -> None:
    """Print the QR code of the page's address at a terminal, and a notice who can open the page.

    `address` is None if no network was found.
    """
    if address is None:
        click.echo(_("No network found: the page can be opened on this computer only."), err=True)
        return
    if sys.stdout.isatty():
        click.echo(_qr_code(address))
    click.echo(_("Anyone on this network can open it. Players cannot see each other's games."), err=True)


def _qr_code(address: str) -> str:
    """Return the QR code as text, or "" if the window is too narrow or the terminal too simple."""
    import io

    import segno

    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawn, compact=True)
    lines = drawn.getvalue().splitlines()
    if len(lines[0]) > window() or not can_draw():
        return ""
    # The blocks are light on a dark background in every terminal, because cameras expect a light border.
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in lines)


@command(conflicts=_CONFLICTS)
@click.argument("folder", type=click.Path(path_type=Path))
@option("--runtime", metavar="FOLDER", type=click.Path(path_type=Path), required=True,
        help="Folder with Pyodide and its NumPy. If it does not exist, they are downloaded into it.")  # fmt: skip
@option("--base", default="/", show_default=True, metavar="PATH", help="URL path of the site, / or /folder/.")
@option("--serve", is_flag=True, help="Serve the site on this computer, to try it.")
@option("--port", type=WholeNumber(0, 65535), help="Serve the site on this port; 0 chooses a free one.")
@with_settings(*LISTS_GAME)
def site(folder: Path, runtime: Path, base: str, serve: bool, port: int | None, **given: Any) -> None:
    """Write the web page as a folder of static files, for any web server with https.

    A browser that opens the page stores the whole program, and from then on runs it offline. With --secrets, the site
    contains your list and a game with it.
    """
    from yomikiri.site.folder import check_target, write_site
    from yomikiri.site.runtime import PUBLISHED, fetch_runtime
    from yomikiri.web.limits import FIRST_SECONDS

    check_target(folder.absolute(), base)
    own = _own_game(given)
    if not runtime.exists():
        click.echo(_("Downloading Pyodide and NumPy, 16 MB, from {address}").format(address=PUBLISHED), err=True)
        fetch_runtime(runtime.absolute())
    click.echo(_("Compiling the pages for browsers; this takes a minute."), err=True)
    if own:
        own.prepare(Budget.within(FIRST_SECONDS))
    for part in write_site(folder.absolute(), runtime.absolute(), base, own):
        click.echo(f"{part.name:8} {part.size / 1e6:6.2f} MB")
    if serve or port is not None:
        _serve(folder, base, SITE_PORT if port is None else port)


def _serve(folder: Path, base: str, port: int) -> None:
    from yomikiri.site.folder import server

    try:
        serving = server(folder, base, port)
    except OSError as error:
        raise taken(port) from error
    with serving:
        click.echo(f"http://127.0.0.1:{serving.server_address[1]}{base}")
        click.echo(_("Press Ctrl-C to stop."), err=True)
        serving.serve_forever()
