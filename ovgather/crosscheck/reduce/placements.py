"""The form of a trial, and the trial in a plainer one: attributes, element types, Consts, static shapes."""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.crosscheck.reduce.dims import axis_of, batch_dims_of
from ovgather.crosscheck.reduce.values import plain_data
from ovgather.runtimes.trial import Placement, Trial
from ovgather.tensor.element_type import ElementType, find

_DATA = ("f32", "i32", "u8", "i8", "f16", "i64")
_INDICES = ("i32", "i64")


def form_weight(trial: Trial) -> tuple[int, int, int]:
    """How far from the plainest form: one of dynamic shapes, all Parameters, f32 and i32, attributes not negative."""
    data, indices = (element_type.name for element_type in trial.element_types)
    types = (_DATA.index(data) if data in _DATA else len(_DATA)) + (
        _INDICES.index(indices) if indices in _INDICES else len(_INDICES)
    )
    attributes = 2 * bool(trial.batch_dims) + (trial.batch_dims < 0) + ((trial.axis or 0) < 0)
    placement = 2 * (trial.placement.static + len(trial.placement.constants)) + (trial.placement[2:] != Placement()[2:])
    return attributes, placement, types


def plainer_forms(trial: Trial) -> Iterator[Trial]:
    """The trial in forms nearer to the plainest one."""
    if trial.batch_dims < 0:
        yield trial._replace(batch_dims=batch_dims_of(trial))
    if trial.axis is not None and trial.axis < 0:
        yield trial._replace(axis=axis_of(trial))
    if trial.placement[2:] != Placement()[2:]:
        yield trial._replace(placement=Placement(*trial.placement[:2]))
    for name in sorted(trial.placement.constants):
        yield trial._replace(placement=trial.placement._replace(constants=trial.placement.constants - {name}))
    if trial.placement.static:
        yield trial._replace(placement=trial.placement._replace(static=False))
    yield from _other_types(trial)


def _other_types(trial: Trial) -> Iterator[Trial]:
    data, indices = trial.element_types
    for name in _before(_DATA, data):
        element_type = _type(name)
        yield trial._replace(element_types=(element_type, indices), data=plain_data(element_type, trial.data.shape))
    for name in _before(_INDICES, indices):
        element_type = _type(name)
        moved = trial.indices.astype(element_type.dtype)
        if (moved == trial.indices).all():
            yield trial._replace(element_types=(data, element_type), indices=moved)


def _before(names: tuple[str, ...], element_type: ElementType) -> tuple[str, ...]:
    return names[: names.index(element_type.name)] if element_type.name in names else names


def _type(name: str) -> ElementType:
    found = find(name)
    assert found is not None
    return found
