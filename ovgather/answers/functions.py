"""The functions of frameworks that gather, with the operation here that does the same, and the differences."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Function(NamedTuple):
    """A function of a framework.

    Attributes:
        names: how people write it; the first is its title.
        operation: the name of the operation here.
        arguments: what becomes of its arguments.
        differences: what is not the same.
    """

    names: tuple[str, ...]
    operation: str
    arguments: str
    differences: tuple[str, ...]


@cache
def functions() -> tuple[Function, ...]:
    """All functions, those of PyTorch first."""
    table = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    shared = {f"${name}": text for name, text in table["shared"].items()}
    return tuple(
        Function(
            tuple(each["names"]),
            each["operation"],
            each["arguments"],
            tuple(shared.get(text, text) for text in each["differences"]),
        )
        for each in table["functions"]
    )


def find_function(name: str) -> Function | None:
    """The function that ``name`` names, in any case, with or without brackets; None: there is none.

    >>> find_function("torch.gather()").operation, find_function("jnp.take_along_axis").operation
    ('GatherElements', 'GatherElements')
    """
    lower = name.strip().lower().partition("(")[0]
    for function in functions():
        if lower in (each.lower() for each in function.names):
            return function
    return None
