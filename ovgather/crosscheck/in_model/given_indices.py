"""Inputs given for a model whose values are indices out of range: said by name, and no success."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ovgather.crosscheck.report import IN_PLACE, FileReport, Record, Report
from ovgather.layers.index_origin import value_origin

if TYPE_CHECKING:
    from ovgather.layers.formats import AnyGather
    from ovgather.layers.reference import LayerReference
    from ovgather.tensor.arrays import Array

OUTSIDE = "outside"
"""The cause of an outcome that is as it should be though indices are out of range: zeros."""


def with_given_indices(
    report: Report, gathers: Iterable[AnyGather], inputs: Mapping[str, Array], order: Mapping[str, str]
) -> Report:
    """``report`` on a run of the whole model on ``inputs``, with a word on indices among them that are out of range.

    A runtime that refuses such values is right, but so was not the user: what both refuse is an ``error`` here. Where
    zeros are right, the verdict stays.

    Args:
        order: further names of an input, such as ``in0``, by its own.
    """
    words = {gather.reference: _words(gather, inputs, order) for gather in gathers}
    files = [file._replace(layers=tuple(_told(record, words) for record in file.layers)) for file in report]
    return Report([FileReport(*file) for file in files], report.strict)


def _told(record: Record, words: Mapping[LayerReference, str]) -> Record:
    outcome = record.outcome
    note = words.get(record.layer, "")
    if record.variant != IN_PLACE or not (note or outcome.cause == "refused"):
        return record
    if outcome.cause == "refused":
        reason = "; ".join(filter(None, (outcome.reason, note)))
        return record._replace(outcome=outcome._replace(verdict="error", reason=reason))
    if outcome.verdict == "equal":
        return record._replace(outcome=outcome._replace(cause=OUTSIDE, reason=f"{note}: the output has zeros for them"))
    return record._replace(outcome=outcome._replace(reason="; ".join(filter(None, (note, outcome.reason)))))


def _words(gather: AnyGather, inputs: Mapping[str, Array], order: Mapping[str, str]) -> str:
    """``2 of 3 values of the input 'ids' are outside [-2, 1], the first is 101``; empty where none is."""
    import numpy

    name = value_origin(gather)
    if name is None or gather.operation is None or gather.operation.indexes_by_tuples or gather.axis is None:
        return ""
    array = inputs.get(name, inputs.get(order.get(name, "")))
    data = gather.shapes[0]
    if array is None or data.rank is None or not -data.rank <= gather.axis < data.rank:
        return ""
    length: Any = data[gather.axis]
    values = numpy.asarray(array)
    if not length.is_static or values.dtype.kind not in "iu":
        return ""
    size = length.min
    outside = values[(values < -size) | (values >= size)]
    if not outside.size:
        return ""
    verb = "is" if outside.size == 1 else "are"
    return (
        f"{outside.size} of {values.size} values of the input {name!r} {verb} outside [-{size}, {size - 1}], the first"
        f" is {outside[0]}"
    )
