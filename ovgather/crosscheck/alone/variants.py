"""Variants: the ways in which a layer is tried on its own, beside the plain one.

They run on small shapes that are made up after those of the layer, so that layers that are alike share them.

>>> names(["default"], static=False)[:4]
['static', 'data-constant', 'indices-constant', 'constants']
>>> names(["type-f*"], static=False)
['type-f16', 'type-f32', 'type-f64', 'type-f8e4m3', 'type-f8e5m2', 'type-f8e8m0']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from ovgather.crosscheck.alone.layer_case import LayerCase
from ovgather.errors import InvalidModelError
from ovgather.ops.sampling import index_patterns
from ovgather.runtimes.request import UNRUNNABLE
from ovgather.runtimes.trial import Trial
from ovgather.tensor.element_type import ALL

_Variant = Callable[[LayerCase], "Trial | None"]
_INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
_TYPES = tuple(sorted(each.name for each in ALL if each.bits and each.name not in UNRUNNABLE))
_BOTH = ("data", "indices")

_DEFAULT: dict[str, _Variant] = {
    "data-constant": lambda case: case.trial(constants=["data"], plain=True),
    "indices-constant": lambda case: case.trial(constants=["indices"]),
    "constants": lambda case: case.trial(constants=_BOTH, plain=True),
    "negative": lambda case: case.trial(fill=index_patterns.negative) if case.wraps else None,
    "boundary": lambda case: case.trial(fill=index_patterns.boundary(case.wraps)),
    "out-of-range": lambda case: case.trial(fill=index_patterns.outside) if case.defines_outside else None,
    "empty-indices": lambda case: case.emptied("indices"),
    "empty-data": lambda case: case.emptied("data"),
    "size-1": lambda case: case.trial(shapes=case.ones()),
    "lanes": lambda case: case.lanes(),
}
_MORE: dict[str, _Variant] = {
    "static-negative": lambda case: _static(_DEFAULT["negative"](case)),
    "static-out-of-range": lambda case: _static(_DEFAULT["out-of-range"](case)),
    "static-empty-indices": lambda case: _static(case.emptied("indices")),
    "static-empty-data": lambda case: _static(case.emptied("data")),
    "static-size-1": lambda case: _static(_DEFAULT["size-1"](case)),
    "far-out-of-range": lambda case: case.trial(fill=index_patterns.far) if case.defines_outside else None,
    "wide-values": lambda case: case.wide(),
    "special-values": lambda case: case.trial(constants=["data"]) if case.types[0].is_real else None,
    "scalar-indices": lambda case: case.scalar(),
    "axis-i32": lambda case: case.with_axis("i32", 0),
    "axis-1d": lambda case: case.with_axis("i64", 1),
}


def _static(trial: Trial | None) -> Trial | None:
    return trial and trial._replace(placement=trial.placement._replace(static=True))


def _typed(position: int, name: str) -> _Variant:
    return lambda case: case.typed(position, name)


_MORE |= {f"type-{name}": _typed(0, name) for name in _TYPES}
_MORE |= {f"indices-{name}": _typed(1, name) for name in _INTEGERS}


def names(wanted: Sequence[str], static: bool) -> list[str]:
    """The variants that ``wanted`` asks for; the first is the plain trial on ``static`` shapes, or on ``dynamic`` ones.

    Raises InvalidModelError where there is none of a name.
    """
    other = "dynamic" if static else "static"
    every = [other, *_DEFAULT, *_MORE]
    chosen: list[str] = []
    for name in wanted:
        if name == "default":
            chosen += [other, *_DEFAULT]
        elif name == "all":
            chosen += every
        elif name != "none":
            matching = [each for each in every if fnmatchcase(each, name)]
            if not matching:
                listed = ", ".join([other, *_DEFAULT, *(each for each in _MORE if "-" not in each[-5:])])
                raise InvalidModelError(f"variant {name!r} is none of default, all, none, {listed}")
            chosen += matching
    return list(dict.fromkeys(chosen))


def make(name: str, case: LayerCase) -> Trial | None:
    """The trial of a variant; None where it makes no sense for the layer."""
    return {**_DEFAULT, **_MORE}[name](case)
