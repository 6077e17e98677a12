"""The workers of a dask scheduler as an executor: dask distributes, retries, and keeps what is done."""

import logging
import sys
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread
from typing import Any, TypeVar

from ovgather.errors import UnavailableError
from ovgather.processes import installing, limited_memory

_PERIOD = 5  # seconds between two questions for its workers
_WITHOUT_WORKERS = (
    60  # seconds until new ones may have taken the place of those that died
)
_PATIENCE = 10  # seconds until a scheduler has answered
_LEAST = 32  # threads to keep busy, however few there are: a cluster may grow while it has tasks

Answer = TypeVar("Answer")
_LOGGERS = ("asyncio", "distributed", "distributed.client", "tornado.application")
"""They would tell of a lost scheduler by tracebacks."""


@contextmanager
def connected(address: str | None) -> Iterator[Executor | None]:
    """The executor of the scheduler at ``address``, whose workers have the same versions as this process; or none.

    Raises:
        UnavailableError: dask is not installed, nobody answers, there is no worker, or versions differ.
    """
    if address is None:
        yield None
        return
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise UnavailableError(
            f"dask is not installed ({installing('dask')})"
        ) from error
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as connection:
        try:
            client, versions_there, threads = _answer(lambda: _connected(address))
        except Exception as error:  # whatever may be there, and whatever it sends
            raise UnavailableError(
                f"no dask scheduler answers at {address}: {error}"
            ) from error
        connection.enter_context(client)
        if not versions_there:
            raise UnavailableError(f"the dask scheduler at {address} has no workers")
        here = versions()
        differences = []
        for worker, there in sorted(versions_there.items()):
            if isinstance(there, Exception):
                differences.append(f"{worker}: {type(there).__name__}: {there}")
            else:
                others = [name for name in here if there[name] != here[name]]
                differences += [
                    f"{worker} has {name} {there[name]}, not {here[name]}"
                    for name in others
                ]
        if differences:
            raise UnavailableError(
                f"the dask workers differ from this process: {'; '.join(differences)}"
            )
        executor = client.get_executor()
        # Where process pools have it.
        executor._max_workers = max(_LEAST, threads)
        connection.enter_context(_watched(client))
        yield executor


def _connected(address: str) -> tuple[Any, dict[str, Any], int]:
    """The client of the scheduler at ``address``, the versions of its workers, and the number of their threads."""
    from distributed import Client

    client = Client(address, timeout=_PATIENCE, set_as_default=False)
    versions_there = client.run(versions, on_error="return")
    return client, versions_there, sum(client.nthreads().values())


def _answer(ask: Callable[[], Answer]) -> Answer:
    """What ``ask`` gives, which takes little time and memory; else TimeoutError or MemoryError."""
    answer: Future[Answer] = Future()

    def wait() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=wait, daemon=True).start()
    with limited_memory(0):
        if not futures.wait([answer], 2 * _PATIENCE).done:
            raise TimeoutError(f"it, or a worker, is silent for {2 * _PATIENCE} s")
        return answer.result()


@contextmanager
def _watched(client: Any) -> Iterator[None]:
    """Close ``client``, which gives up its tasks, when its scheduler has told of no worker for a while: dask waits."""
    ended = Event()

    def watch() -> None:
        seen = time.monotonic()
        while not ended.wait(_PERIOD):
            with suppress(Exception):
                ask = client.scheduler.ncores
                if client.sync(ask, callback_timeout=_PATIENCE):
                    seen = time.monotonic()
            if time.monotonic() - seen > _WITHOUT_WORKERS:
                with suppress(Exception):
                    client.close()
                return

    Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def versions() -> dict[str, str]:
    """What should be the same on every machine."""
    from importlib.metadata import PackageNotFoundError, version

    versions_here = {"python": "{}.{}".format(*sys.version_info)}
    for name in ("ovgather", "openvino"):
        try:
            versions_here[name] = version(name)
        except PackageNotFoundError:
            versions_here[name] = "none"
    return versions_here
