"""Many files: ``--jobs``, ``--cache``, ``--dask`` and ``--after``, which every verb of many files takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ovgather.processes import SECONDS
from ovgather.text import printable
from ovgather.validation.selection.configuration import AUTO, parse_number

if TYPE_CHECKING:
    from ovgather.validation.many.cache import Kept, Result


class ManyFiles(NamedTuple):
    """The files that are left, and where they are checked."""

    paths: Sequence[str]
    jobs: int = AUTO
    cache: str | None = None
    dask: str | None = None

    @classmethod
    def of(
        cls,
        paths: Sequence[str],
        jobs: str | None,
        cache: str | None,
        dask: str | None,
        after: str | None,
        default: int = AUTO,
    ) -> ManyFiles:
        """What the options say; ``default`` is the number of processes without ``--jobs``."""
        if after is not None:
            paths = rest(paths, after)
        require_one_place(jobs, dask)
        if jobs is not None:
            default = parse_number(jobs, "jobs")
        return cls(paths, default, cache, dask)

    @contextmanager
    def results(
        self, kept: Kept[Result], seconds: float = SECONDS
    ) -> Iterator[Iterator[Result]]:
        """The results of the files, in their order. Ctrl-C while the workers are looked for ends them at the first."""
        from ovgather.validation.many.cluster import connected
        from ovgather.validation.many.run import kept_files

        with ExitStack() as connection:
            try:
                executor = connection.enter_context(connected(self.dask))
            except KeyboardInterrupt:
                yield _interrupted()
                return
            yield kept_files(self.paths, kept, self.jobs, executor, self.cache, seconds)


def _interrupted() -> Iterator[Any]:
    raise KeyboardInterrupt
    yield  # an iterator, as of results


def require_one_place(jobs: str | None, dask: str | None) -> None:
    """Refuse to start processes here where others do the work."""
    if jobs is not None and dask is not None:
        raise click.UsageError(
            "--jobs does not go with --dask: the scheduler has the workers"
        )


def rest(paths: Sequence[str], after: str) -> Sequence[str]:
    """The ``paths`` that follow the one ``after``."""
    if after not in paths:
        raise click.UsageError(
            f"--after: {printable(after)} is none of the {len(paths)} files"
        )
    return paths[paths.index(after) + 1 :]
