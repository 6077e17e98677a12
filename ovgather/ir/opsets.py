"""The operation types of each opset, as measured on OpenVINO 2026.4.1: ``tests/ir/measure_opsets.py`` writes the table.
OpenVINO compares the type without regard to case (``gather`` loads as ``Gather``), the opset exactly."""

import os
import re
from functools import cache, lru_cache
from typing import NamedTuple

from ovgather.text import closest, pattern

_OPSET = pattern(r"^\s*op_?set|op_?set\W*[0-9]", re.IGNORECASE)
# Names that people write for a type of a very different spelling.
_ALSO_CALLED = {
    "constant": "Const",
    "input": "Parameter",
    "output": "Result",
    "sub": "Subtract",
    "cast": "Convert",
}


class _Table(NamedTuple):
    opsets: dict[str, int]  # their numbers by name
    # The first and the last opset of each type, as often as it came and went.
    ranges: dict[str, list[list[int]]]
    spellings: dict[str, str]  # of types, by the type in lower case
    exact_only: dict[str, list[list[int]]]  # the opsets that compare the case of a type
    # The types of early files that ``extension`` and the like have.
    elsewhere: dict[str, frozenset[str]]


@cache
def _table() -> _Table:
    import json

    with open(
        os.path.join(os.path.dirname(__file__), "opsets.json"), encoding="utf-8"
    ) as file:
        content = json.load(file)
    # Sets of the types of each opset took 2 ms of a start of 100.
    return _Table(
        {
            f"opset{number}": number
            for low, high in content["opsets"]
            for number in range(low, high + 1)
        },
        content["types"],
        {type.casefold(): type for type in content["types"]},
        content["exact_spelling_only"],
        {name: frozenset(types) for name, types in content["elsewhere"].items()},
    )


def _within(number: int, ranges: list[list[int]]) -> bool:
    return any([low <= number <= high for low, high in ranges])


def is_misspelt(version: str) -> bool:
    """Whether ``version`` is meant to be an opset: ``opest1``, not ``my_opset``, which may be of an extension.

    >>> is_misspelt("opest1"), is_misspelt("my_opset")
    (True, False)
    """
    letters = version.strip().rstrip("0123456789 .")
    is_alike = closest(letters, ["opset"], cutoff=0.7) is not None
    return bool(_OPSET.search(version)) or (letters[:1] in ("o", "O") and is_alike)


def known(type: str, opset: str) -> bool | None:
    """Whether OpenVINO has ``type`` in ``opset``; None for an unknown opset, unless it has this type of early files."""
    table = _table()
    number = table.opsets.get(opset)
    if number is None:
        return type in table.elsewhere.get(opset, ()) or None
    spelt = table.spellings.get(type.casefold(), "")
    is_accepted = type == spelt or not _within(number, table.exact_only.get(spelt, []))
    return is_accepted and _within(number, table.ranges.get(spelt, []))


def opsets() -> frozenset[str]:
    return frozenset(_table().opsets)


def types() -> frozenset[str]:
    """Every type of every opset, spelt as OpenVINO writes it into a file."""
    return frozenset(_table().spellings.values())


def where(type: str) -> tuple[str, ...]:
    return tuple(opset for opset in _table().opsets if known(type, opset))


def spelling(type: str) -> str | None:
    """``type`` as OpenVINO writes it, if it differs at most in case."""
    return _table().spellings.get(type.casefold())


def nearest(type: str) -> str | None:
    """The type that was probably meant: the same in another case, or a similar one."""
    spellings = _table().spellings
    folded = type.strip().casefold().replace("_", "")
    exact = spellings.get(folded) or _ALSO_CALLED.get(folded)
    if exact or len(folded) > 100:
        return exact
    return _similar(folded)


@lru_cache(1 << 10)
def _similar(folded: str) -> str | None:
    """The type of a similar spelling; cached, since a file repeats its types and each repair of it is judged anew."""
    spellings = _table().spellings
    close = closest(folded, spellings, cutoff=0.75)
    if close:
        return spellings[close]
    return None
