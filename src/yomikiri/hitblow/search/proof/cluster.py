"""A Dask cluster as an executor. It unpickles data from the network, so use it only in trusted networks or with TLS."""

from __future__ import annotations

import socket
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar
from urllib.parse import urlsplit

from yomikiri.common.budget import notice
from yomikiri.common.errors import N_, InputError

T = TypeVar("T")

_CONNECTS = 10  # seconds to wait for a connection
_PORT = 8786  # default port of Dask


class Cluster(Executor):
    """The workers of a Dask scheduler at an address such as `tcp://host:8786`, each with this program installed.

    When the scheduler restarts, pending calls fail, and the next call connects again. Raises `InputError` if no
    scheduler with a worker answers at the address, or if Dask is not installed.
    """

    def __init__(self, address: str) -> None:
        self._address, self._gone = address, False
        try:
            self._connect()
        except ImportError:
            raise InputError(N_("a cluster needs Dask: install yomikiri[cluster]")) from None
        except (OSError, ValueError):
            raise InputError(
                N_("no Dask scheduler with workers answers at {given}: expected an address such as tcp://host:8786"),
                given=address,
            ) from None

    @property
    def count(self) -> int:
        """The number of calls that the workers can run at the same time, at least one."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Send a function call to the cluster. Raises `OSError` if the scheduler cannot be reached."""
        try:
            if self._client.status != "running":
                if not self._gone:
                    self._gone = True
                    notice(N_("lost the Dask scheduler at {address}; trying to reconnect"), address=self._address)
                self._client.close(timeout=1)
                self._connect()
            future: Future[T] = self._executor.submit(fn, *args, **kwargs)
        except Exception as error:  # Dask also raises errors that are not `OSError`
            raise OSError(str(error) or type(error).__name__) from error
        self._gone = False
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster, which keeps running."""
        self._client.close(timeout=1)

    def _connect(self) -> None:
        # Test the address before loading Dask, which takes long and prints long messages if the address is wrong.
        place = urlsplit(self._address)
        if not place.hostname:
            raise ValueError("no address")
        socket.create_connection((place.hostname, place.port or _PORT), timeout=_CONNECTS).close()
        from distributed import Client

        connect: Any = Client
        self._client = connect(self._address, timeout=_CONNECTS, set_as_default=False)
        self._client.wait_for_workers(1, timeout=_CONNECTS)
        # Equal tasks are sent twice on purpose, so no result may come from a cache.
        self._executor = self._client.get_executor(pure=False)
