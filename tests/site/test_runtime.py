"""The runtime: a folder is checked before use, and a download is complete or removed."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from zipfile import ZipFile

import pytest

from yomikiri.common.errors import InputError
from yomikiri.site.runtime import DIGESTS, LIBRARY, LOCK, PROGRAM, SCRIPTS, fetch_runtime, runtime_in, unpack_numpy

WHEEL = "numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a file of every name."""
    for name in (*SCRIPTS, PROGRAM, LIBRARY, WHEEL):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / LOCK).write_text(json.dumps({"info": {"python": "3.14.2", "arch": "wasm32"}, "packages": {}}))
    return tmp_path


def test_complete_runtime_is_found(folder: Path) -> None:
    found = runtime_in(folder)
    assert (found.python, found.numpy.name) == ("3.14.2", WHEEL)


@pytest.mark.parametrize("name", [*SCRIPTS, PROGRAM, LIBRARY, LOCK, WHEEL])
def test_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(InputError, match=name.partition("-pyem")[0].replace("2.4.3", r"\*") if name == WHEEL else name):
        runtime_in(folder)


def test_numpy_for_another_python_is_ignored(folder: Path) -> None:
    (folder / WHEEL).rename(folder / WHEEL.replace("314", "313"))
    with pytest.raises(InputError, match="NumPy"):
        runtime_in(folder)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"info": {}}', '{"info": {"python": "3"}}', '{"info": 3}'])
def test_damaged_lock_file_is_rejected(folder: Path, text: str) -> None:
    (folder / LOCK).write_text(text)
    with pytest.raises(InputError, match="damaged"):
        runtime_in(folder)


def test_unpack_skips_unused_files_of_numpy(tmp_path: Path) -> None:
    kept = {"numpy/__init__.py", "numpy/_core/a.py", "numpy/_core/b.so", "numpy/typing/__init__.py"}
    unused = {"numpy/tests/c.py", "numpy/f2py/d.py", "numpy/e.pyi", "numpy/_core/include/f.h", "numpy/typing/g.py"}
    with ZipFile(tmp_path / WHEEL, "w") as archive:
        for name in kept | unused:
            archive.writestr(name, "")
        for name in ("LICENSE.txt", "numpy/other/LICENSE"):
            archive.writestr(f"numpy-2.4.3.dist-info/licenses/{name}", f"terms of {name}")
    licences = unpack_numpy(tmp_path / WHEEL, tmp_path / "made")
    found = {str(path.relative_to(tmp_path / "made")) for path in (tmp_path / "made").rglob("*") if path.is_file()}
    assert found == kept
    assert licences == "terms of LICENSE.txt\n\nterms of numpy/other/LICENSE"


def test_invalid_wheel_is_rejected(tmp_path: Path) -> None:
    (tmp_path / WHEEL).write_bytes(b"no archive")
    with pytest.raises(InputError, match="wheel"):
        unpack_numpy(tmp_path / WHEEL, tmp_path)


@pytest.fixture
def published(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve published files, and yield their address and digests."""
    numpy = runtime_in(folder).numpy
    lock = json.loads((folder / LOCK).read_text())
    lock["packages"]["numpy"] = {"file_name": numpy.name, "sha256": sha256(numpy.read_bytes()).hexdigest()}
    (folder / LOCK).write_text(json.dumps(lock))
    digests = {name: sha256((folder / name).read_bytes()).hexdigest() for name in DIGESTS}
    monkeypatch.setattr("yomikiri.site.runtime.DIGESTS", digests)

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *given: object) -> None:
            super().__init__(*given, directory=str(folder))  # type: ignore[arg-type]

        def log_message(self, *_told: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def test_downloaded_runtime_is_usable(published: str, folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "fetched"
    fetch_runtime(target, published)
    assert runtime_in(target).python == "3.14.2"
    for path in target.iterdir():
        assert path.read_bytes() == (folder / path.name).read_bytes()
    assert [path.name for path in target.parent.iterdir()] == ["fetched"]


def test_damaged_download_leaves_no_folder(published: str, folder: Path, tmp_path: Path) -> None:
    (folder / PROGRAM).write_bytes(b"another")
    with pytest.raises(InputError, match=f"{PROGRAM} is not the expected file"):
        fetch_runtime(tmp_path / "new" / "fetched", published)
    assert not [*(tmp_path / "new").iterdir()]


def test_numpy_with_another_digest_is_rejected(
    published: str,
    folder: Path,
    tmp_path: Path,
) -> None:
    runtime_in(folder).numpy.write_bytes(b"another")
    with pytest.raises(InputError, match=r"numpy.* is not the expected file"):
        fetch_runtime(tmp_path / "new" / "fetched", published)


def test_missing_download_is_named(published: str, folder: Path, tmp_path: Path) -> None:
    (folder / PROGRAM).unlink()
    with pytest.raises(InputError, match=rf"cannot download .*{PROGRAM}: .*not found"):
        fetch_runtime(tmp_path / "new" / "fetched", published)
    with pytest.raises(InputError, match="cannot download"):
        fetch_runtime(tmp_path / "new" / "fetched", "http://127.0.0.1:9/")


def test_unwritable_folder_is_named(published: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match=r"file.* cannot be written"):
        fetch_runtime(tmp_path / "file" / "fetched", published)
