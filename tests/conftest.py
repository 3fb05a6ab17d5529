"""Settings for all tests: selection, number of examples, and separate data folders."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from itertools import chain, count
from pathlib import Path

import pytest
from hypothesis import settings

from yomikiri.machine.compiler import PARTS
from yomikiri.machine.kernel import Entry
from yomikiri.machine.library import library
from yomikiri.wording import use_language, use_words

# No deadline for properties, because machines are shared.
TIERS = ("quick", "thorough", "all")
for tier in TIERS:
    settings.register_profile(tier, deadline=None)

# The files that take the longest. They start first, so that no process idles at the end.
LONGEST = (
    "tests/web/test_people.py",
    "tests/web/test_hitblow_match.py",
    "tests/test_wheel.py",
    "tests/tictactoe/test_checker.py",
    "tests/hitblow/search/test_solve.py",
    "tests/site/test_bridge.py",
    "tests/test_scripts.py",
    "tests/web/test_offline.py",
    "tests/web/test_limits.py",
    "tests/hitblow/search/proof/test_incumbent.py",
    "tests/cli/test_hitblow_solve.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="run the exhaustive tests too, on more examples")
    parser.addoption("--all", action="store_true", help="run all tests, those for a release too, on most examples")


def tier_of(config: pytest.Config) -> str:
    return "all" if config.getoption("--all") else "thorough" if config.getoption("--thorough") else "quick"


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile(tier_of(config))


def pytest_xdist_auto_num_workers() -> int:
    """Use one process more than cores, because tests of programs and browsers often wait."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


def pytest_sessionstart() -> None:
    """Fail without machine code, because the tests would silently use slower code."""
    library()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    longest = {config.rootpath / path: rank for rank, path in enumerate(LONGEST)}
    long = {item.path for item in items if item.get_closest_marker("exhaustive")}
    items.sort(key=lambda item: (longest.get(item.path, len(longest)), item.path not in long))
    for item in items:
        if "start_browser" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")
    if any("::" in argument for argument in config.args):
        return  # tests that are named one by one always run
    left_out = {"quick": ("slow", "exhaustive", "release"), "thorough": ("release",), "all": ()}[tier_of(config)]
    deselected = {item for item in items if any(map(item.get_closest_marker, left_out))}
    config.hook.pytest_deselected(items=[item for item in items if item in deselected])
    items[:] = [item for item in items if item not in deselected]


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection, because they live until the end."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def interrupts_arrive() -> None:
    """Enable interrupts of child processes, even if this process ignores them (nohup)."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


USERS = count()


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path_factory, monkeypatch):
    """Use a separate folder for saved games and caches, and English, in every test."""
    # The folder is created on the first write, because thousands of empty folders would be slow.
    folder = tmp_path_factory.getbasetemp() / "users" / str(next(USERS))
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(folder / name))
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    use_language("en")
    use_words("hit")


def write_empty_manifest(folder: Path) -> None:
    """Make a folder of libraries as `YOMIKIRI_TARGETS=none` leaves it."""
    manifest = {"digest": sha256().hexdigest(), "sources": [], "libraries": {}}
    (folder / "kernels.json").write_text(json.dumps(manifest), encoding="utf-8")


def discard_cached_results() -> None:
    """Empty every `functools` cache in the modules of the package that are loaded."""
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] == "yomikiri"]
    for value in list(chain.from_iterable(vars(module).values() for module in modules)):
        if callable(clear := getattr(value, "cache_clear", None)):
            clear()


@pytest.fixture
def no_cached_results() -> Iterator[None]:
    """Empty all caches before and after a test that patches limits, because cached results depend on them."""
    discard_cached_results()
    yield
    discard_cached_results()


@pytest.fixture
def no_machine_code(monkeypatch, tmp_path):
    """Simulate a computer without machine code."""
    write_empty_manifest(tmp_path)
    # import all kernels first, because an `Entry` created during the test would stay without machine code
    for module in chain.from_iterable(PARTS.values()):
        import_module(module)
    monkeypatch.setattr("yomikiri.machine.library.MANIFEST", tmp_path / "kernels.json")
    # Discard machine code that earlier tests of this process have loaded.
    monkeypatch.setattr(Entry, "_machine", property(lambda _entry: None, lambda _entry, _code: None), raising=False)
    monkeypatch.setattr("yomikiri.tictactoe.search.solver._machines", {})
    discard_cached_results()
    yield
    discard_cached_results()
