"""Arrays that are given on the command line."""

from __future__ import annotations

from typing import Any

import click

from ovgather.files.arrays import array_file


def files_of(arrays: tuple[str, ...]) -> list[str]:
    """The files that ``NAME=FILE.npy`` name.

    >>> files_of(("data=x.npy", "indices=y.npy"))
    ['x.npy', 'y.npy']
    """
    return [item.partition("=")[2] for item in arrays if "=" in item]


def load_arrays(arrays: tuple[str, ...], inputs: str | None) -> dict[str, Any]:
    """Arrays by name: those of the file ``inputs``, then those of ``NAME=FILE.npy``; their elements are not read yet.

    Raises:
        click.UsageError: a file cannot be read, or holds no plain array.
    """
    from ovgather.errors import InvalidModelError
    from ovgather.files.arrays import array_files

    given: dict[str, Any] = dict(array_files(inputs)) if inputs is not None else {}
    for item in arrays:
        name, sign, path = item.partition("=")
        if not sign:
            raise click.UsageError(f"{item!r} is not NAME=FILE.npy")
        try:
            given[name] = array_file(path)
        except InvalidModelError as error:
            raise click.UsageError(f"cannot read {error}") from error
    return given
