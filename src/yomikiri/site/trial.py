"""A server of static files for this computer alone, to try a site as a web space would serve it."""

from __future__ import annotations

from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


def server(folder: Path, base: str = "/", port: int = 0) -> ThreadingHTTPServer:
    """The server, which listens already; raises `OSError` for a port in use."""

    class Handler(SimpleHTTPRequestHandler):
        """Serves the folder under its path, and the shell for what is not there."""

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

        def log_message(self, *_told: Any) -> None:
            """Say nothing."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)
