"""The folder of a site, and a local server to try it.

The folder contains four things:

- the *runtime*: Python for browsers (Pyodide)
- the *packs*: this program and NumPy, each as one file
- the service worker, which makes the site work without a network
- the *shell*: a small static page that the browser shows until the program runs
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from yomikiri import __version__
from yomikiri.common.errors import N_, InputError
from yomikiri.machine.library import PACKAGE
from yomikiri.site import packs
from yomikiri.site.runtime import LIBRARY, PROGRAM, SCRIPTS, Runtime, runtime_in, unwritable
from yomikiri.web.own_game import OwnGame
from yomikiri.wording import LANGUAGES, _, language, use_language

RECORD = "site.json"
"""The file that marks a folder as a site, with the versions of its parts."""

# The paths of pages. Each path gets a copy of the shell, the static page that starts the program. So a first visit may
# begin at any page.
_PAGES = ("", "hitblow/", "match/", "play/", "practise/", "offline/", "tictactoe/", "tictactoe/practise/",
          "guess/", "guess/play/")  # fmt: skip
_STATIC = ("icon.png", "icon.svg", "manifest.webmanifest")


@dataclass(frozen=True, slots=True)
class SitePart:
    """A part of a site, with its total size in bytes."""

    name: str
    size: int


def write_site(target: Path, runtime: Path, base: str = "/", own: OwnGame | None = None) -> list[SitePart]:
    """Write the site into a folder that is new, empty, or contains an earlier site. Returns the parts of the site.

    `base` is the path of the site on its host. `own` is the game with the user's own lists of codes that the site
    offers, or None. An earlier site is replaced only when the new one is complete.

    Raises an `InputError` if `target` or `base` is invalid, if the files of Pyodide in `runtime` are incomplete, if the
    program cannot be compiled, or if the folder cannot be written.
    """
    check_target(target, base)
    found = runtime_in(runtime)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as beside:
            made = Path(beside, "site")
            licences = packs.make(found, Path(beside, "work"), own)
            parts = _fill(made, found, Path(beside, "work"), licences, base)
            if target.exists():
                target.rename(Path(beside, "before"))
            made.rename(target)
    except OSError as error:
        raise unwritable(target, error) from error
    return parts


def check_target(target: Path, base: str) -> None:
    """Raise an `InputError` if `target` is a file or contains anything but a site, or if `base` is invalid."""
    if not re.fullmatch(r"/(?:[\w.~-]+/)*", base, re.ASCII):
        raise InputError(N_("{given!r} is not a path for a site: expected / or /folder/"), given=base)
    if target.is_file() or (target.is_dir() and any(target.iterdir()) and not (target / RECORD).is_file()):
        raise InputError(N_("{given} is not a site: choose a new folder, or one that this command wrote"),
                         given=str(target))  # fmt: skip


def _fill(site: Path, runtime: Runtime, work: Path, licences: dict[str, str], base: str) -> list[SitePart]:
    """Write all files of the site into the new folder `site`. Returns the parts of the site.

    `work` contains the packs (the program and NumPy, each as one file). `licences` contains the texts of the licences
    by the name of the software.
    """
    for name in ("runtime", "packs", "static"):
        (site / name).mkdir(parents=True)
    for name in SCRIPTS:
        shutil.copy(runtime.folder / name, site / "runtime" / name)
    shutil.copy(work / f"{LIBRARY}.pack", site / "runtime")
    program = gzip.compress((runtime.folder / PROGRAM).read_bytes(), 9, mtime=0)
    (site / "runtime" / f"{PROGRAM}.pack").write_bytes(program)
    for name in packs.PACKS:
        shutil.copy(work / name, site / "packs" / name)
    for name in _STATIC:
        shutil.copy(PACKAGE / "web" / "static" / name, site / "static" / name)
    for name in ("shell.js", "shell.css"):
        shutil.copy(packs.BROWSER / name, site / name)
    (site / "licences.html").write_text(_licences(licences, base), encoding="utf-8")
    shell = _shell_page(base)
    for page in _PAGES:
        (site / page).mkdir(parents=True, exist_ok=True)
        (site / page / "index.html").write_text(shell, encoding="utf-8")
    (site / "404.html").write_text(shell, encoding="utf-8")
    (site / "failed.html").write_text(_error_page(base), encoding="utf-8")
    _write_worker(site, runtime)
    return _parts(site)


def _write_worker(site: Path, runtime: Runtime) -> None:
    """Write the service worker of the site, and the file that records the contents of the site.

    The worker contains the digest of every file that it downloads and stores.
    """
    kept = [
        "index.html",
        "failed.html",
        "licences.html",
        "shell.js",
        "shell.css",
        f"runtime/{LIBRARY}.pack",
        f"runtime/{PROGRAM}.pack",
    ]
    kept += [f"packs/{name}" for name in packs.PACKS]
    files = {name: {"sha256": _digest(site / name), "size": (site / name).stat().st_size} for name in kept}
    # These digests are not in the worker, because the browser itself caches the scripts that the worker imports.
    scripts = {name: _digest(site / "runtime" / name) for name in SCRIPTS}
    worker = (packs.BROWSER / "sw.js").read_text(encoding="utf-8")
    version = sha256(json.dumps([files, scripts, worker]).encode()).hexdigest()[:16]
    values = {"@VERSION@": version, "@FILES@": json.dumps(files, indent=1), "@LOCK@": json.dumps(runtime.lock)}
    for name, value in values.items():
        worker = worker.replace(name, value)
    (site / "sw.js").write_text(worker, encoding="utf-8")
    record = {"yomikiri": __version__, "version": version, "runtime": runtime.lock, "numpy": runtime.numpy.name,
              "files": files, "scripts": scripts}  # fmt: skip
    (site / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _parts(site: Path) -> list[SitePart]:
    sizes = {str(path.relative_to(site)): path.stat().st_size for path in sorted(site.rglob("*")) if path.is_file()}
    own = {"runtime": "runtime/", "numpy": "packs/numpy", "app": "packs/app"}
    parts = [SitePart(name, sum(size for path, size in sizes.items() if path.startswith(start)))
             for name, start in own.items()]  # fmt: skip
    return [*parts, SitePart("shell", sum(sizes.values()) - sum(part.size for part in parts))]


# --- the shell, a static page that is shown until the program runs ----------------------------------------------------

_STATUS_MESSAGES = {
    "loading": N_("Downloading about 10 MB, only once. After that, the page works offline."),
    "unable": N_(
        "This browser cannot run the program, because it has no service worker. Open this page over https, in a "
        "normal window (not a private one) of a recent browser."
    ),
    "failed": N_("The program could not be downloaded or started. Your game is safe: it is in the address."),
}
_NO_SCRIPT = N_("Scripts are off. This page needs them, because it runs the program in your browser.")
_AGAIN, _NOTICES = N_("Try again"), N_("Licences")
_BROKEN, _HOME = N_("Something went wrong on this page. Your game is safe: it is in the address."), N_("Home")
_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "style-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>yomikiri</title>
<link rel="manifest" href="{base}static/manifest.webmanifest">
<link rel="apple-touch-icon" href="{base}static/icon.png">
<link rel="icon" href="{base}static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{base}shell.css">
</head>
"""


def _shell_page(base: str) -> str:
    status_lines = "\n".join(
        f'<p role="status" data-when="{when}"{"" if when == "loading" else " hidden"}>{_in_all_languages(text)}</p>'
        for when, text in _STATUS_MESSAGES.items()
    )
    return f"""{_HEAD.format(policy=_POLICY, base=base)}<body>
<h1>yomikiri</h1>
{status_lines}
<progress value="0" max="1" hidden></progress>
<p id="why"></p>
<p data-when="failed" hidden><button id="again" type="button">{_in_all_languages(_AGAIN)}</button></p>
<noscript><p>{_in_all_languages(_NO_SCRIPT)}</p></noscript>
<p><small><a href="{base}licences.html">{_in_all_languages(_NOTICES)}</a></small></p>
<script src="{base}shell.js"></script>
</body>
</html>
"""


def _error_page(base: str) -> str:
    """Return the page that appears after an unexpected error of the program.

    It shows the message in every language, because it has no script that could choose one.
    """
    return f"""{_HEAD.format(policy=_POLICY, base=base)}<body class="failed">
<main id="main">
<h1>yomikiri</h1>
<p role="alert">{_in_all_languages(_BROKEN)}</p>
<p><a href="{base}">{_in_all_languages(_HOME)}</a></p>
<p><a href="">{_in_all_languages(_AGAIN)}</a></p>
</main>
</body>
</html>
"""


def _in_all_languages(message: str) -> str:
    """Return the message in every language. On the shell, the start page, a script hides all languages but one."""
    before, parts = language(), []
    for code in LANGUAGES:
        use_language(code)
        parts.append(f'<span lang="{code}">{escape(_(message))}</span>')
    use_language(before)
    return " ".join(parts)


# The bundled software: the licence of each part, and the address of its source.
_SOURCES = {
    "yomikiri": ("MIT", ""),
    "Pyodide": ("MPL-2.0", "https://github.com/pyodide/pyodide"),
    "CPython": ("PSF-2.0", "https://github.com/python/cpython"),
    "Emscripten": ("MIT, NCSA", "https://github.com/emscripten-core/emscripten"),
    "NumPy": ("BSD-3-Clause, 0BSD, MIT, Zlib, CC0-1.0", "https://github.com/numpy/numpy"),
}


def _licences(texts: dict[str, str], base: str) -> str:
    names = "\n".join(
        f"<li>{name}: {terms}{f' · <a href={address!r}>{address}</a>' if address else ''}</li>"
        for name, (terms, address) in _SOURCES.items()
    )
    whole = "\n".join(f"<h2>{escape(name)}</h2>\n<pre>{escape(text)}</pre>" for name, text in texts.items())
    return f"""{_HEAD.format(policy=_POLICY, base=base)}<body class="licences">
<h1>{_in_all_languages(_NOTICES)}</h1>
<ul>
{names}
</ul>
{whole}
</body>
</html>
"""


# --- a local server to try the site -----------------------------------------------------------------------------------


def server(folder: Path, base: str = "/", port: int = 0) -> ThreadingHTTPServer:
    """Return a local server for the site, which is already listening. Raises `OSError` if the port is in use.

    `base` is the path of the site. Port 0 means any free port.
    """

    class Handler(SimpleHTTPRequestHandler):
        """Handler that serves the folder under its base path, and the shell (start page) for missing files."""

        def __init__(self, *given: Any, **named: Any) -> None:
            types = {".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}
            self.extensions_map = {**SimpleHTTPRequestHandler.extensions_map, **types}
            super().__init__(*given, directory=str(folder), **named)

        def send_head(self) -> Any:
            if not self.path.startswith(base):
                self.send_error(404)
                return None
            return super().send_head()

        def translate_path(self, path: str) -> str:
            return super().translate_path("/" + path.removeprefix(base))

        def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
            shell = (folder / "404.html").read_bytes() if code == 404 and self.path.startswith(base) else b""
            if not shell:
                super().send_error(code, message, explain)
                return
            self.send_response(404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(shell)))
            self.end_headers()
            self.wfile.write(shell)

        def log_message(self, *_arguments: Any) -> None:
            """Suppress the line that the base class prints for each request."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)
