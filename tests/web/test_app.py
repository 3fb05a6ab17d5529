"""The application: its start imports no heavy module."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from tests.web.client import get


def test_own_rules_of_the_first_page_work_on_every_page():
    html = get("/?preset=own&lang=en").html
    names = re.findall(r'<(?:input|select) name="([a-z-]+)"', html)
    assert names == ["digits", "symbols", "no-leading", "absent", "repeats", "words", "first"]
    form = "digits=2&symbols=0123&no-leading=0&absent=&repeats=all&words=bull&first=&lang=en"  # as the form sends it
    for path in re.findall(r'formaction="([a-z/]+)"', html):
        page = get(f"{path}?{form}")
        page = get(page.headers["location"]) if page.status == 303 else page
        assert page.status == 200
        assert "2 digits of 0123, repeats allowed, no leading 0" in page.text
    assert "12 candidates" in get(f"/hitblow?{form}").text


LOADED = """
import sys
from tests.web.client import get
assert get("/").status == 200
assert get("/hitblow?turn=012:0H1B").status == 200
assert get("/tictactoe?random=edge").status == 303
assert get("/tictactoe?board=0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0&line=4").status == 200
assert get("/api/v1/openapi.json").status == 200
print(*sorted({"numba", "highspy", "rich"} & set(sys.modules)))
"""


@pytest.mark.slow
def test_start_book_and_tictactoe_import_no_heavy_module():
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
