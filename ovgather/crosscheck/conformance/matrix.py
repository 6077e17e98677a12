"""The cases: every operation version on all ranks, axes, types, forms and kinds of indices, as far as they differ.

Structures (ranks, axis, batch dims) are run on one type, types on two structures, kinds of indices on three; a whole
product would be a hundred times as many and tell nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import NamedTuple

from ovgather.crosscheck.alone import variants
from ovgather.crosscheck.alone.plan import plan_alone
from ovgather.crosscheck.alone.run import TrialRun
from ovgather.crosscheck.distinct import distinct
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.reference import called
from ovgather.ops import openvino as ops
from ovgather.ops.operation import INTEGERS, Operation
from ovgather.ops.sampling import values
from ovgather.runtimes.outcome import Skip
from ovgather.runtimes.trial import UNRUNNABLE, Placement, Trial
from ovgather.tensor.element_type import ALL, named
from ovgather.tensor.shape import PartialShape

_LENGTHS = (3, 4, 2, 5, 3)
_CONSTANTS = ((), ("data",), ("indices",), ("data", "indices"))
_DATA = tuple(kind.name for kind in ALL if kind.bits and kind.name not in UNRUNNABLE)
_FILLINGS = ("legal", "negative", "boundary", "outside", "far", "no-indices", "no-data")


class Case(NamedTuple):
    """A trial, made when it is run, with a name that stays the same; ``where`` is the layer of a zoo."""

    name: str
    operation: str
    type: str
    trial: Callable[[], Trial]
    where: str = ""


def generated(seed: int = 0) -> Iterator[Case]:
    """The matrix, each case once."""
    known = set()
    for operation in ops.operations():
        for case in _of_operation(operation, seed):
            if case.name not in known:
                known.add(case.name)
                yield case


def of_zoo(gathers: Iterable[GatherLayer], options: CrosscheckOptions) -> Iterator[Case]:
    """The distinct layers of a zoo, each once, on random values; those that cannot run are left out."""
    for key, (gather, *_) in distinct(gathers).items():
        try:
            run = plan_alone(gather, options)
        except Skip:
            continue
        where = f"{gather.model.path}: {called(gather.reference)}"
        kind = str(gather.element_types[0] or "f32")
        yield Case(f"zoo/{key}", gather.operation.name, kind, partial(_trial, run), where)


def _trial(run: TrialRun) -> Trial:
    return run.trial


def _of_operation(operation: Operation, seed: int) -> Iterator[Case]:
    structures = list(_structures(operation))
    declared = operation.inputs[1].types
    index_types = [name for name in sorted(INTEGERS) if declared is None or name in declared]
    index_types = [name for name in index_types if values.can_index(named(name))]
    middle = [each for each in structures if len(each[0][0]) == 3]
    few = [middle[0], middle[-1]]
    for structure, static in product(structures, (False, True)):
        yield from _cases(operation, structure, "f32", "i64", static, (), "legal", seed)
    for structure, kind in product(few, _DATA):
        for constants in _CONSTANTS:
            yield from _cases(operation, structure, kind, "i32", False, constants, "legal", seed)
        yield from _cases(operation, structure, kind, "i64", True, (), "legal", seed)
    for structure, kind in product(few, index_types):
        for constants, fill in product(_CONSTANTS[:3:2], ("legal", "negative", "boundary")):
            yield from _cases(operation, structure, "f32", kind, False, constants, fill, seed)
    for structure, static, fill in product([*few, structures[0]], (False, True), _FILLINGS):
        for constants, kind in product(_CONSTANTS[:3:2], ("f32", "i32", "u8")):
            yield from _cases(operation, structure, kind, "i64", static, constants, fill, seed)


def _structures(operation: Operation) -> Iterator[tuple[variants.Shapes, int | None, int]]:
    """Shapes with axis and batch dims; the last axis is written as a negative one, too."""
    for rank in range(1, len(_LENGTHS) + 1):
        data = _LENGTHS[:rank]
        if operation.indexes_by_tuples:
            for batch in range(rank if operation.has_batch_dims else 1):
                for parts, own in product(range(1, rank - batch + 1), ((), (2,), (2, 3))):
                    yield (data, (*data[:batch], *own, parts)), None, batch
            continue
        for axis in (*range(rank), -1):
            place = axis % rank
            if operation.indices_have_rank_of_data:
                yield (data, (*data[:place], 2, *data[place + 1 :])), axis, 0
                continue
            for batch in range(place + 1 if operation.has_batch_dims else 1):
                for own in ((), (2,), (2, 3)):
                    yield (data, (*data[:batch], *own)), axis, batch


def _cases(
    operation: Operation,
    structure: tuple[variants.Shapes, int | None, int],
    data: str,
    indices: str,
    static: bool,
    constants: tuple[str, ...],
    fill: str,
    seed: int,
) -> Iterator[Case]:
    """The case, if there is such a thing."""
    shapes, axis, batch = structure
    types = named(data), named(indices)
    static_shapes = [PartialShape.of(list(shape)) for shape in shapes]
    if operation.check(static_shapes, axis=axis, batch_dims=batch, element_types=types):
        return
    if data == "string" and (not operation.indices_replace_axis or types[1].bits < 32):
        return  # no plugin takes it
    layer = variants.LayerCase(operation, operation.opsets[-1], types, shapes, axis, batch, Placement(), seed)
    is_empty = fill.startswith("no-")
    trial = layer.emptied(fill[3:]) if is_empty else layer.filled(fill, constants)
    if trial is None or (is_empty and constants):
        return
    trial = trial._replace(placement=trial.placement._replace(static=static))
    arrays = ("data", trial.data), ("indices", trial.indices)
    inputs = " ".join(f"{name}[{','.join(map(str, array.shape))}]" for name, array in arrays)
    attributes = [f"axis={axis}"] * (axis is not None) + [f"batch_dims={batch}"] * bool(batch)
    form = "+".join(["static" if static else "dynamic", *(f"const-{name}" for name in constants)])
    words = [f"{operation.name}/{data}/{indices}", inputs, *attributes, form, fill]
    yield Case(" ".join(words), operation.name, data, lambda: trial)
