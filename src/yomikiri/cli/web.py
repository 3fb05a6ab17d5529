"""`yomikiri web`: the page for the phone."""

from __future__ import annotations

import sys

import click

from yomikiri.cli.base import command, option
from yomikiri.cli.text import window
from yomikiri.errors import N_, InputError
from yomikiri.wording import _

PORT = 8349


@command()
@option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True,
        help="Port to listen on; 0 chooses a free one.")  # fmt: skip
@option("--lan", is_flag=True, help="Allow access from the local network, and show the address as a QR code.")
def web(port: int, lan: bool) -> None:
    """Start the web page for a browser, with both games.

    Only this computer can open it; with --lan, so can phones and other devices on the local network.
    """
    from yomikiri.web.pages import network_address
    from yomikiri.web.serve import LOOPBACK, endpoint, listen, serve

    where = endpoint(lan)
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
        serve(where, listener)


def taken(port: int) -> InputError:
    """That nobody can listen there."""
    return InputError(N_("cannot listen on port {given}: choose a free port, or --port 0 for any"), given=port)


def _introduce(address: str | None) -> None:
    """Show the address as a QR code where a person is watching; say so if there is no network."""
    if address is None:
        click.echo(_("No network found: the page can be opened on this computer only."), err=True)
        return
    if sys.stdout.isatty():
        click.echo(_qr_code(address))
    click.echo(_("Anyone on this network can open it. Players cannot see each other's games."), err=True)


def _qr_code(address: str) -> str:
    """The QR code as text; nothing where the window is too narrow."""
    import io

    import segno

    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawn, compact=True)
    lines = drawn.getvalue().splitlines()
    if len(lines[0]) > window():
        return ""
    # Light blocks on a dark ground, whatever colours the terminal has: cameras want the light border light.
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in lines)
