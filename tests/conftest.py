"""Settings for all tests: no deadline for a property (machines are shared), and a user's own files out of reach."""

import pytest
from hypothesis import settings

from yomikiri.wording import use_language

settings.register_profile("yomikiri", deadline=None)
settings.load_profile("yomikiri")


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path_factory, monkeypatch):
    """Every test gets an empty folder for saved games and caches, and English."""
    folder = tmp_path_factory.mktemp("user")
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(folder / name))
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    use_language("en")


@pytest.fixture(autouse=True)
def nothing_compiled_behind(monkeypatch):
    """No test leaves a compiler running: those that need kernels wait for them."""
    monkeypatch.setattr("yomikiri.numba_support.kernel_cache.Part.compile_behind", lambda _part: None)
