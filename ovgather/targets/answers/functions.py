"""The functions of frameworks that gather, with the operation here that does the same, and the differences."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Function(NamedTuple):
    names: tuple[str, ...]  # how people write it; the first is its title
    operation: str  # the name of the operation here
    arguments: str  # what becomes of its arguments
    differences: tuple[str, ...]  # what is not the same


@cache
def functions() -> tuple[Function, ...]:
    table = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    shared = {f"${name}": text for name, text in table["shared"].items()}
    for fields in table["functions"]:
        fields["differences"] = tuple(
            shared.get(text, text) for text in fields["differences"]
        )
    return tuple(Function(**fields) for fields in table["functions"])


def find_function(name: str) -> Function | None:
    """The function that ``name`` names, in any case, with or without brackets; None: there is none.

    >>> find_function("torch.gather()").operation, find_function("jnp.take_along_axis").operation
    ('GatherElements', 'GatherElements')
    """
    lower = name.strip().lower().partition("(")[0]
    return next(
        (each for each in functions() if lower in map(str.lower, each.names)), None
    )
