"""The runtime is fetched whole, by its digests, or not at all."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.site.test_runtime import folder as runtime  # noqa: F401

from yomikiri.errors import InputError
from yomikiri.site import fetching
from yomikiri.site.fetching import fetch_runtime
from yomikiri.site.runtime import LOCK, PROGRAM, runtime_in


@pytest.fixture
def published(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:  # noqa: F811
    """The address of what is published, with the digests of that."""
    numpy = runtime_in(runtime).numpy
    lock = json.loads((runtime / LOCK).read_text())
    lock["packages"]["numpy"] = {"file_name": numpy.name, "sha256": sha256(numpy.read_bytes()).hexdigest()}
    (runtime / LOCK).write_text(json.dumps(lock))
    digests = {name: sha256((runtime / name).read_bytes()).hexdigest() for name in fetching.DIGESTS}
    monkeypatch.setattr(fetching, "DIGESTS", digests)

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *given: object) -> None:
            super().__init__(*given, directory=str(runtime))  # type: ignore[arg-type]

        def log_message(self, *_told: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def test_all_of_it_is_fetched_and_can_be_used(published: str, runtime: Path, tmp_path: Path) -> None:  # noqa: F811
    target = tmp_path / "new" / "fetched"
    fetch_runtime(target, published)
    assert runtime_in(target).python == "3.14.2"
    for path in target.iterdir():
        assert path.read_bytes() == (runtime / path.name).read_bytes()
    assert [path.name for path in target.parent.iterdir()] == ["fetched"]


def test_what_is_damaged_on_the_way_leaves_nothing(published: str, runtime: Path, tmp_path: Path) -> None:  # noqa: F811
    (runtime / PROGRAM).write_bytes(b"another")
    with pytest.raises(InputError, match=f"{PROGRAM} is not what was expected"):
        fetch_runtime(tmp_path / "new" / "fetched", published)
    assert not [*(tmp_path / "new").iterdir()]


def test_a_numpy_that_is_not_the_one_of_the_lock_is_refused(
    published: str,
    runtime: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    runtime_in(runtime).numpy.write_bytes(b"another")
    with pytest.raises(InputError, match=r"numpy.* is not what was expected"):
        fetch_runtime(tmp_path / "new" / "fetched", published)


def test_what_is_not_there_is_named(published: str, runtime: Path, tmp_path: Path) -> None:  # noqa: F811
    (runtime / PROGRAM).unlink()
    with pytest.raises(InputError, match=rf"{PROGRAM} cannot be fetched: .*not found"):
        fetch_runtime(tmp_path / "new" / "fetched", published)
    with pytest.raises(InputError, match="cannot be fetched"):
        fetch_runtime(tmp_path / "new" / "fetched", "http://127.0.0.1:9/")


def test_a_folder_that_cannot_be_written_is_named(published: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match=r"file.* cannot be written"):
        fetch_runtime(tmp_path / "file" / "fetched", published)
