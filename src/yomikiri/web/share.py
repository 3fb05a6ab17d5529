"""The game in view for someone else, or another device: a link without what is the person's own, and its QR code."""

from __future__ import annotations

import io
import re
import socket
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from yomikiri.web.limits import LOCAL, host_of

EVERYWHERE = "0.0.0.0"
# Nothing is sent there (TEST-NET-1, RFC 5737): asking the way tells which of our addresses the network sees.
_OUTSIDE = ("192.0.2.1", 9)


def network_address() -> str | None:
    """The address of this machine on its network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(_OUTSIDE)
        except OSError:
            return None
        found: str = asked.getsockname()[0]
    return None if found.startswith("127.") or found == EVERYWHERE else found


def whole(request: Request, path: str) -> str:
    """The whole address of a page, as others on the network find it where they can."""
    host = request.headers["host"]
    if request.app.state.lan and host_of(host) in LOCAL and (found := network_address()):
        host = found + "".join(re.findall(r":\d+$", host))
    return f"{request.scope['scheme']}://{host}{request.app.state.base}{path}"


def qr_of(request: Request, path: str) -> str | None:
    """Where the QR code of a page is; None where nobody else can open the page."""
    return f"/qr.svg?{urlencode({'of': path})}" if request.app.state.lan else None


def qr(request: Request) -> Response:
    """The QR code of a page of this program; 404 where nobody else can open it."""
    path = request.query_params.get("of", "")
    if not (request.app.state.lan and path.startswith("/") and not path.startswith("//")):
        raise HTTPException(404)
    import segno

    drawn = io.BytesIO()
    segno.make(whole(request, path), error="l", micro=False).save(drawn, kind="svg", light="#fff", omitsize=True)
    return Response(drawn.getvalue(), media_type="image/svg+xml")
