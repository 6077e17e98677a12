"""Arrays that are given on the command line."""

from __future__ import annotations

from typing import Any

import click

from ovgather.files.arrays import array_file


def files_of(arrays: tuple[str, ...]) -> list[str]:
    """The files that ``NAME=FILE.npy`` name."""
    return [item.partition("=")[2] for item in arrays if "=" in item]


def load_arrays(arrays: tuple[str, ...], inputs: str | None) -> dict[str, Any]:
    """Arrays by name, of the file ``inputs``, then of ``NAME=FILE.npy``; their elements are not read yet."""
    from ovgather.crosscheck.in_model.inputs import load_inputs
    from ovgather.errors import InvalidModelError

    given: dict[str, Any] = dict(load_inputs(inputs)) if inputs is not None else {}
    for item in arrays:
        name, sign, path = item.partition("=")
        if not sign:
            raise click.UsageError(f"{item!r} is not NAME=FILE.npy")
        try:
            given[name] = array_file(path)
        except InvalidModelError as error:
            raise click.UsageError(f"cannot read {error}") from error
    return given
