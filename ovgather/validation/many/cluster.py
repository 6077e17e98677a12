"""The workers of a dask scheduler as an executor: dask distributes, retries, and keeps what is done."""

import logging
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from ovgather.errors import UnavailableError
from ovgather.processes import installing

_PATIENCE = 10  # seconds until a scheduler has answered
_LEAST = 32  # threads to keep busy, however few there are: a cluster may grow while it has tasks

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
        from distributed import Client
    except ImportError as error:
        raise UnavailableError(
            f"dask is not installed ({installing('dask')})"
        ) from error
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UnavailableError(
            f"no dask scheduler answers at {address}: {error}"
        ) from error
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with client:
        versions_there = client.run(versions, on_error="return")
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
        executor._max_workers = max(_LEAST, sum(client.nthreads().values()))
        yield executor


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
