"""Random trials in blocks: those of a block are of one operation, of the same types and in the same form.

What ``random_layer`` draws from the declarations is put into a form here. Layers of one block often have the same
model, which a runtime compiles once; with static shapes or Consts no two have, so such blocks are short.
"""

from collections.abc import Iterator
from itertools import chain, count, islice, starmap
from random import Random
from typing import NamedTuple

from ovgather.ops import openvino as ops
from ovgather.ops.operation import INTEGERS
from ovgather.ops.sampling.random_layer import Choice, random_layer
from ovgather.runtimes.trial import Placement, Trial
from ovgather.tensor.element_type import ALL

_LONG, _SHORT = 64, 8  # how many trials a block has
_MODELS = 8  # of a long block: compiling one takes as long as a hundred inferences
_UNREADABLE = frozenset({"dynamic", "u1", "u2", "u3", "u6"})
_DAMAGING = frozenset({"nf4", "f4e2m1"})  # each costs a process: drawn now and then
_SIZES = ((4, 4), (4, 4), (5, 3), (3, 9), (2, 20), (1, 80))  # rank and length at most; the CPU's vectors hold 16
_INDEX_TYPES = tuple(item.name for item in ALL if item.name in INTEGERS and item.bits >= 8)
_DATA_TYPES = tuple(item.name for item in ALL if item.name not in _UNREADABLE | _DAMAGING)


class Drawn(NamedTuple):
    """A trial and its number."""

    number: int
    trial: Trial


def trials(seed: int, limit: int) -> Iterator[Drawn]:
    """The first ``limit`` trials of a seed, always the same ones."""
    blocks = (_block(Random(f"{seed}/{block}")) for block in count())
    return starmap(Drawn, enumerate(islice(chain.from_iterable(blocks), limit)))


def _block(random: Random) -> Iterator[Trial]:
    operation = random.choice(ops.operations())
    data_type = random.choice(sorted(_DAMAGING)) if random.randrange(200) == 0 else random.choice(_DATA_TYPES)
    declared = operation.inputs[1].types
    index_type = random.choice(sorted(name for name in _INDEX_TYPES if declared is None or name in declared))
    rank, length = random.choice(_SIZES)
    choice = Choice(
        operations=(operation,),
        element_types=(data_type,),
        index_types=(index_type,),
        negative=random.choice((None, True)),
        outside=random.choice((None,) * 9 + (True,)),  # undefined ones, too: many of them end the process
        wide=random.randrange(4) == 0,
        max_rank=rank,
        max_length=length,
    )
    constants = random.choice(((), (), (), ("data",), ("indices",), ("data", "indices")))
    axis_type = random.choice(("i64", "i64", "i32"))
    placement = Placement(random.random() < 0.4, frozenset(constants), axis_type, random.randrange(2))
    opset = random.choice(operation.opsets)
    short = placement.static or placement.constants or data_type in _DAMAGING
    models: set[tuple[object, ...]] = set()
    left = _SHORT if short else _LONG
    while left:
        layer = random_layer(random, choice)
        axis = layer.axis if operation.has_axis else None
        kinds = (layer.data_type, layer.index_type)
        trial = Trial(operation, opset, kinds, layer.data, layer.indices, axis, layer.batch_dims, placement)
        model = (trial.data.ndim, trial.indices.ndim, axis, trial.batch_dims, axis is None and trial.indices.shape[-1])
        if short or model in models or len(models) < _MODELS:
            models.add(model)
            left -= 1
            yield trial
