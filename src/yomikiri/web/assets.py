"""The stylesheet, the script and the icon: read once, served from memory under an address that changes with them."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

_FOLDER = Path(__file__).parent / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
# A browser that has a file under this address never need ask again: another file has another address.
_FOR_GOOD = "public, max-age=31536000, immutable"


@cache
def files() -> dict[str, bytes]:
    """The files by name."""
    return {path.name: path.read_bytes() for path in sorted(_FOLDER.iterdir()) if path.suffix in _TYPES}


@cache
def address(name: str) -> str:
    """Where a page finds the file of that name."""
    return f"/static/{name}?{sha256(files()[name]).hexdigest()[:12]}"


def static(request: Request) -> Response:
    """A file; 404 for any other name."""
    name = request.path_params["name"]
    if name not in files():
        from starlette.exceptions import HTTPException

        raise HTTPException(404)
    return Response(files()[name], media_type=_TYPES[Path(name).suffix], headers={"Cache-Control": _FOR_GOOD})
