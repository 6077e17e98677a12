"""Which operation type stands in which opset, as measured on OpenVINO 2026.4.1.

The table ``opsets.json`` beside this file is made by ``tests/ir/measure_opsets.py``; it is read on first use.
OpenVINO compares the type without regard to case (``gather`` loads as ``Gather``), the opset exactly.
"""

from __future__ import annotations

import os

_TYPES: dict[str, frozenset[str]] = {}
_FOLDED: dict[str, str] = {}
_EXACT_ONLY: dict[str, frozenset[str]] = {}
_ELSEWHERE: dict[str, set[str]] = {}
_BY_OPSET: dict[str, set[str]] = {}
# Names that people write for a type whose spelling is too far away to be found by resemblance.
_ALSO_CALLED = {
    "constant": "Const",
    "input": "Parameter",
    "output": "Result",
    "sub": "Subtract",
    "cast": "Convert",
}


def known(type: str, opset: str) -> bool | None:
    """Whether OpenVINO finds ``type`` in ``opset``; None for an opset that it does not have (``extension``).

    The types of early files that it does take from ``extension`` or ``experimental`` are known there.

    >>> known("GatherElements", "opset6"), known("GatherElements", "opset5"), known("Gather", "extension")
    (True, False, None)
    >>> known("ExperimentalDetectronTopKROIs", "extension")
    True
    >>> known("gather", "opset8"), known("const", "opset1")
    (True, False)
    """
    members = (_BY_OPSET or _load()).get(opset)
    if members is None:
        return type in _ELSEWHERE.get(opset, ()) or None
    return type in members or _in_any_case(type, opset, members)


def opsets() -> frozenset[str]:
    """The opsets that OpenVINO has.

    >>> "opset17" in opsets(), "opset18" in opsets()
    (True, False)
    """
    return frozenset(_BY_OPSET or _load())


def types() -> frozenset[str]:
    """Every type of every opset, spelt as OpenVINO writes it into a file.

    >>> "Const" in types(), "Constant" in types()
    (True, False)
    """
    _load()
    return frozenset(_TYPES)


def where(type: str) -> tuple[str, ...]:
    """The opsets that have ``type``, in order; empty when none has.

    >>> where("GatherElements")[0], where("GatherElements")[-1], where("Bogus")
    ('opset6', 'opset16', ())
    """
    return tuple(opset for opset in _BY_OPSET or _load() if known(type, opset))


def spelling(type: str) -> str | None:
    """``type`` as OpenVINO writes it, when it differs at most in case; None when there is no such type.

    >>> spelling("GATHERND"), spelling("Relu"), spelling("Gathers")
    ('GatherND', 'ReLU', None)
    """
    _load()
    return _FOLDED.get(type.casefold())


def nearest(type: str) -> str | None:
    """The type that was probably meant: the same in another case, or one that looks like it.

    >>> nearest("gatherelements"), nearest("GatherElement"), nearest("Constant"), nearest("Zzz")
    ('GatherElements', 'GatherElements', 'Const', None)
    """
    _load()
    folded = type.strip().casefold().replace("_", "")
    exact = _FOLDED.get(folded) or _ALSO_CALLED.get(folded)
    if exact or len(folded) > 100:
        return exact
    from difflib import get_close_matches

    close = get_close_matches(folded, _FOLDED, n=1, cutoff=0.75)
    return _FOLDED[close[0]] if close else None


def _in_any_case(type: str, opset: str, members: set[str]) -> bool:
    spelt = _FOLDED.get(type.casefold())
    return spelt in members and opset not in _EXACT_ONLY.get(spelt, ())


def _load() -> dict[str, set[str]]:
    if _BY_OPSET:
        return _BY_OPSET
    import json

    with open(os.path.join(os.path.dirname(__file__), "opsets.json"), encoding="utf-8") as file:
        table = json.load(file)
    for type, has in table["types"].items():
        _TYPES[type] = _names(has)
        _FOLDED[type.casefold()] = type
    for type, has in table["exact_spelling_only"].items():
        _EXACT_ONLY[type] = _names(has)
    _ELSEWHERE.update((name, set(has)) for name, has in table["elsewhere"].items())
    # Filled last and at once: another thread sees either nothing or all of it.
    _BY_OPSET.update(
        (f"opset{n}", {type for type, has in _TYPES.items() if f"opset{n}" in has})
        for low, high in table["opsets"]
        for n in range(low, high + 1)
    )
    return _BY_OPSET


def _names(ranges: list[list[int]]) -> frozenset[str]:
    return frozenset(f"opset{n}" for low, high in ranges for n in range(low, high + 1))
