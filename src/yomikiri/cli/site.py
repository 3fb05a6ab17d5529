"""`yomikiri site`: the page as a folder of static files."""

from __future__ import annotations

from pathlib import Path

import click

from yomikiri.cli.base import command, option
from yomikiri.cli.web import taken
from yomikiri.wording import _

PORT = 8350


@command()
@click.argument("folder", type=click.Path(path_type=Path))
@option("--runtime", metavar="FOLDER", type=click.Path(path_type=Path), required=True,
        help="Folder with the files of Pyodide and a NumPy for it; they are fetched into a new one.")  # fmt: skip
@option("--base", default="/", show_default=True, metavar="PATH", help="Path under which the site will be found.")
@option("--serve", is_flag=True, help="Serve it to this computer, to try it.")
@option("--port", type=click.IntRange(0, 65535), help="Serve it on this port; 0 chooses a free one.")
def site(folder: Path, runtime: Path, base: str, serve: bool, port: int | None) -> None:
    """Write the web page as a folder of static files, for any web space with https.

    A browser that opens it keeps the whole program, and runs it without a network from then on.
    """
    from yomikiri.site.folder import check_target, write_site
    from yomikiri.site.runtime import PUBLISHED, fetch_runtime

    check_target(folder.absolute(), base)
    if not runtime.exists():
        click.echo(_("Fetching Pyodide and NumPy, 16 MB, from {address}").format(address=PUBLISHED), err=True)
        fetch_runtime(runtime.absolute())
    click.echo(_("Compiling the pages for browsers; this takes a minute."), err=True)
    for part in write_site(folder.absolute(), runtime.absolute(), base):
        click.echo(f"{part.name:8} {part.size / 1e6:6.2f} MB")
    if serve or port is not None:
        _serve(folder, base, PORT if port is None else port)


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
