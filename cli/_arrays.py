"""Arrays that are given on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from numpy import ndarray


def files_of(arrays: tuple[str, ...]) -> list[str]:
    """The files that ``NAME=FILE.npy`` name.

    >>> files_of(("data=x.npy", "indices=y.npy"))
    ['x.npy', 'y.npy']
    """
    return [item.partition("=")[2] for item in arrays if "=" in item]


def load_arrays(arrays: tuple[str, ...], inputs: str | None) -> dict[str, ndarray[Any, Any]]:
    """Arrays by name: those of the file ``inputs``, then those of ``NAME=FILE.npy``."""
    import numpy

    given: dict[str, ndarray[Any, Any]] = {}
    if inputs is not None:
        from ovgather.crosscheck.inputs import load_inputs

        given.update(load_inputs(inputs))
    for item in arrays:
        name, sign, path = item.partition("=")
        if not sign:
            raise click.UsageError(f"{item!r} is not NAME=FILE.npy")
        try:
            given[name] = numpy.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise click.UsageError(f"cannot read {path}: {error}") from error
    return given
