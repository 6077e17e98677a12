"""What a run reads and what it writes: known before any work is done, and kept apart."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain

import click

from ovgather.files.apart import require_apart
from ovgather.files.whole import require_writable
from ovgather.onnx_file.files_read import files_of

_READ = "ovgather.read"


def reserve(outputs: Iterable[str | None], models: Iterable[str] = (), others: Iterable[str | None] = ()) -> None:
    """Refuse outputs that cannot be written, or that are files which the run reads, before any work is done.

    Every verb that writes calls it first: what it reads is kept for ``inputs``, and nothing is written without that.
    ``models`` are read with the files of their weights. None stands for standard output, or for an option not given.
    """
    paths = [path for path in outputs if path is not None]
    read = files_read(models, others) if paths else []
    require_apart(paths, read)
    click.get_current_context().meta[_READ] = read
    for path in paths:
        with writing(path):
            require_writable(path)


def files_read(models: Iterable[str], others: Iterable[str | None]) -> list[str]:
    """All files that a run reads; see ``reserve``."""
    return [*filter(None, others), *chain.from_iterable(map(files_of, models))]


def inputs() -> list[str]:
    """The files that the run reads, as far as it writes any."""
    read: list[str] = click.get_current_context().meta[_READ]
    return read


@contextmanager
def writing(path: str, several: bool = False) -> Iterator[None]:
    """Report errors of writing ``path`` as those of the command line; of ``several`` files, name the one concerned."""
    try:
        yield
    except OSError as error:
        if several and isinstance(error, FileExistsError):
            raise click.UsageError(f"{error.filename} is there already: --force overwrites it") from error
        name = error.filename if several and error.filename else path
        raise click.ClickException(f"cannot write {name}: {error.strerror or error}") from error
