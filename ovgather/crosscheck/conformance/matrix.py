"""The cases: every operation version on all ranks, axes, types, forms and kinds of indices. Structures (ranks, axis,
batch dims) are run on one type, types on two structures, kinds of indices on three: the whole product would tell
nothing else."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import NamedTuple

from ovgather.crosscheck.alone import variants
from ovgather.crosscheck.alone.run import plan_alone
from ovgather.crosscheck.distinct import key
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
_Structure = tuple[variants.Shapes, "int | None", int]
"""Shapes, axis and batch dims."""
_Choice = tuple[_Structure, str, str, bool, tuple[str, ...], str]
"""Structure, types of data and indices, whether the shapes are static, constants and kind of indices."""


class Case(NamedTuple):
    """A trial, made when it is run, with a name that stays the same; ``where`` is the layer of a zoo."""

    name: str
    operation: str
    type: str
    trial: Callable[[], Trial]
    where: str = ""


def generated(seed: int = 0) -> Iterator[Case]:
    """The matrix, each case once."""
    cases: dict[str, Case] = {}
    for operation in ops.operations():
        for choice in _choices(operation):
            if (case := _case(operation, seed, choice)) is not None:
                cases.setdefault(case.name, case)
    yield from cases.values()


def of_zoo(gathers: Iterable[GatherLayer], options: CrosscheckOptions) -> Iterator[Case]:
    """The distinct layers of a zoo, each once, on random values; those that cannot run are left out."""
    firsts: dict[str, GatherLayer] = {}
    for gather in gathers:
        firsts.setdefault(key(gather), gather)
    for name, gather in firsts.items():
        try:
            run = plan_alone(gather, options)
        except Skip:
            continue
        where = f"{gather.model.path}: {called(gather.reference)}"
        kind = str(gather.element_types[0] or "f32")
        yield Case(f"zoo/{name}", gather.operation.name, kind, partial(getattr, run, "trial"), where)


def _choices(operation: Operation) -> Iterator[_Choice]:
    structures = list(_structures(operation))
    declared = operation.inputs[1].types
    index_types = [name for name in sorted(INTEGERS) if declared is None or name in declared]
    index_types = [name for name in index_types if values.can_index(named(name))]
    middle = [each for each in structures if len(each[0][0]) == 3]
    few = [middle[0], middle[-1]]
    yield from product(structures, ["f32"], ["i64"], (False, True), [()], ["legal"])
    for structure, kind in product(few, _DATA):
        yield from product([structure], [kind], ["i32"], [False], _CONSTANTS, ["legal"])
        yield structure, kind, "i64", True, (), "legal"
    yield from product(few, ["f32"], index_types, [False], _CONSTANTS[:3:2], ("legal", "negative", "boundary"))
    few, types = [*few, structures[0]], ("f32", "i32", "u8")
    for structure, static, fill, constants, kind in product(few, (False, True), _FILLINGS, _CONSTANTS[:3:2], types):
        yield structure, kind, "i64", static, constants, fill


def _structures(operation: Operation) -> Iterator[_Structure]:
    """The last axis is written as a negative one, too."""
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


def _case(operation: Operation, seed: int, choice: _Choice) -> Case | None:
    (shapes, axis, batch), data, indices, static, constants, fill = choice
    types = named(data), named(indices)
    static_shapes = [PartialShape.of(list(shape)) for shape in shapes]
    if operation.check(static_shapes, axis=axis, batch_dims=batch, element_types=types):
        return None
    if data == "string" and (not operation.indices_replace_axis or types[1].bits < 32):
        return None  # no plugin takes it
    layer = variants.LayerCase(operation, operation.opsets[-1], types, shapes, axis, batch, Placement(), seed)
    is_empty = fill.startswith("no-")
    trial = layer.emptied(fill[3:]) if is_empty else layer.filled(fill, constants)
    if trial is None or (is_empty and constants):
        return None
    trial = trial._replace(placement=trial.placement._replace(static=static))
    arrays = ("data", trial.data), ("indices", trial.indices)
    inputs = " ".join(f"{name}[{','.join(map(str, array.shape))}]" for name, array in arrays)
    attributes = [f"axis={axis}"] * (axis is not None) + [f"batch_dims={batch}"] * bool(batch)
    form = "+".join(["static" if static else "dynamic", *(f"const-{name}" for name in constants)])
    words = [f"{operation.name}/{data}/{indices}", inputs, *attributes, form, fill]
    return Case(" ".join(words), operation.name, data, lambda: trial)
