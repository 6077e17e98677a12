"""What a run reads and what it writes: known before any work is done, and kept apart."""

from __future__ import annotations

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
    written = [path for path in outputs if path is not None]
    read = files_read(models, others) if written else []
    require_apart(written, read)
    click.get_current_context().meta[_READ] = read
    for path in written:
        try:
            require_writable(path)
        except OSError as error:
            raise cannot_write(path, error) from error


def files_read(models: Iterable[str], others: Iterable[str | None]) -> list[str]:
    """All files that a run reads; see ``reserve``."""
    return [*filter(None, others), *chain.from_iterable(map(files_of, models))]


def inputs() -> list[str]:
    """The files that the run reads, as far as it writes any."""
    read: list[str] = click.get_current_context().meta[_READ]
    return read


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Report errors of writing files to ``path`` as those of the command line."""
    try:
        yield
    except FileExistsError as error:
        raise click.UsageError(f"{error.filename} is there already: --force overwrites it") from error
    except OSError as error:
        raise cannot_write(error.filename or path, error) from error


def cannot_write(path: str, error: OSError) -> click.ClickException:
    """The message for a file or folder that cannot be written."""
    return click.ClickException(f"cannot write {path}: {error.strerror or error}")
