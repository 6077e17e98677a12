"""Variants: the ways in which a layer is tried on its own, beside the plain one.

They run on small random shapes like those of the layer, so that layers that are alike share them.

>>> names(["default"], static=False)[:4]
['static', 'data-constant', 'indices-constant', 'constants']
>>> names(["type-f*"], static=False)
['type-f16', 'type-f32', 'type-f64', 'type-f8e4m3', 'type-f8e5m2', 'type-f8e8m0']
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import NamedTuple

import numpy

from ovgather.comparison.alone.compressed import COMPRESSED
from ovgather.comparison.alone.dims import Dim, axis_of, dims_of
from ovgather.comparison.alone.run import chosen_shapes, form_of, runnable_types
from ovgather.errors import InvalidModelError
from ovgather.layers.gather_layer import GatherLayer
from ovgather.ops.operation import Operation
from ovgather.ops.sampling import values
from ovgather.runtimes.trial import RUNNABLE, Placement, Trial
from ovgather.tensor.element_type import ElementType, named
from ovgather.tensor.shape import Dimension, PartialShape

_LARGEST = 5
_SIZES = (1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 129)
_ROW = 17  # indices
_LONG_ROW = 1100  # elements: more than 4 KiB
_BATCHES = 33
Shapes = tuple[tuple[int, ...], tuple[int, ...]]
"""Of data and indices."""


class LayerCase(NamedTuple):
    """A layer reduced to what its variants depend on, with small ``shapes`` of data and indices; see ``Trial``."""

    operation: Operation
    version: str
    types: tuple[ElementType, ElementType]
    shapes: Shapes
    axis: int | None
    batch_dims: int
    placement: Placement
    seed: int

    def trial(
        self,
        fill: values.Filling | None = None,
        constants: Sequence[str] = (),
        plain: bool = False,
    ) -> Trial:
        """The layer on values as they are asked for; ``plain`` ones OpenVINO changes in no Const."""
        types, (data_shape, indices_shape) = self.types, self.shapes
        rng = values.generator(
            self.seed, self.operation.name, str(data_shape), str(indices_shape)
        )
        data = (values.plain_data if plain else values.random_data)(
            rng, types[0], data_shape
        )
        sizes = numpy.asarray(
            self.operation.index_sizes(
                data_shape, indices_shape, self.axis or 0, self.batch_dims
            )
        )
        sizes = numpy.maximum(1, sizes if not self.operation.has_axis else sizes[0])
        if fill is None:
            indices = values.random_indices(
                rng,
                types[1],
                indices_shape,
                sizes,
                self.operation.allows_negative_indices,
            )
        else:
            low, high = types[1].limits
            filled = fill(rng, indices_shape, sizes, types[1].kind == "signed")
            indices = filled.clip(low, min(high, 2**63 - 1)).astype(types[1].dtype)
        placement = self.placement._replace(
            constants=frozenset(constants), static=False
        )
        return Trial(
            self.operation,
            self.version,
            types,
            data,
            indices,
            self.axis,
            self.batch_dims,
            placement,
        )

    def filled(self, pattern: str, constants: Sequence[str] = ()) -> Trial | None:
        """With indices of a pattern; None where the operation does not define them."""
        operation = self.operation
        if pattern == "negative" and not operation.allows_negative_indices:
            return None
        if pattern in ("outside", "far") and operation.out_of_range == "undefined":
            return None
        boundary = values.boundary(operation.allows_negative_indices)
        if pattern == "boundary":
            fill = boundary
        else:
            fill = getattr(values, pattern)
        return self.trial(fill=fill, constants=constants, plain="data" in constants)

    def typed(self, position: int, name: str) -> Trial | None:
        """With another element type of data (0) or indices (1); None where the operation does not take it."""
        if position == 0:
            types = (named(name), self.types[1])
        else:
            types = (self.types[0], named(name))
        allowed = self.operation.inputs[position].types
        if allowed is not None and name not in allowed:
            return None
        if types[0].name == "string" and (
            not self.operation.indices_replace_axis or types[1].bits < 32
        ):
            return None
        if types == self.types:
            return None
        return self._replace(types=types).trial()

    def wide(self) -> Trial | None:
        """On 64-bit data that no 32-bit type holds."""
        if self.types[0].bits != 64:
            return None
        trial = self.trial()
        kind = self.types[0]
        patterns = numpy.frombuffer(
            values.generator(self.seed, "wide").bytes(trial.data.nbytes), kind.dtype
        )
        data = patterns
        if kind.is_real:
            data = numpy.where(numpy.isnan(patterns), 1.1, patterns)
        return trial._replace(data=data.reshape(trial.data.shape))

    def with_axis(self, name: str, rank: int) -> Trial | None:
        if not self.operation.takes_axis or (
            self.placement.axis_type,
            self.placement.axis_rank,
        ) == (name, rank):
            return None
        trial = self.trial()
        return trial._replace(
            placement=trial.placement._replace(axis_type=name, axis_rank=rank)
        )

    def _resized(self, lengths: Mapping[Dim, int]) -> Shapes:
        data, indices = map(list, self.shapes)
        for dim, length in lengths.items():
            for shape, at in ((data, dim.data), (indices, dim.indices)):
                if at is not None:
                    shape[at] = length
        return tuple(data), tuple(indices)

    def _behind(self, dims: Sequence[Dim]) -> list[Dim]:
        """The last dim of data, if no index points into it."""
        return [
            dim
            for dim in dims
            if dim.data == len(self.shapes[0]) - 1 and dim.part is None
        ]

    def ones(self) -> Shapes:
        """Every dim of length 1, but for the length of tuples."""
        return self._resized(dict.fromkeys(dims_of(self.trial()), 1))

    def swept(self) -> Iterator[Shapes]:
        """Shapes of which one dim has the length of a vector, one more or one less: the gathered one, or a row; and
        one with many batches, one with long rows."""
        dims = dims_of(self.trial())
        gathered = _gathered(dims)
        for size in _SIZES:
            for some in filter(None, (gathered, self._behind(dims))):
                yield self._resized(
                    {**dict.fromkeys(dims, 1), **dict.fromkeys(some, size)}
                )
        batches = [dim for dim in dims if None not in (dim.data, dim.indices)]
        for some, size in ((batches[:1], _BATCHES), (self._behind(dims), _LONG_ROW)):
            if some:
                lengths = {**dict.fromkeys(dims, 1), **dict.fromkeys(gathered, 2)}
                yield self._resized({**lengths, **dict.fromkeys(some, size)})

    def ascending(self) -> Trial | None:
        """Rows of indices that count up, as positions of a text do."""
        lengths = dict.fromkeys(_gathered(dims_of(self.trial())), _ROW)
        return self._replace(shapes=self._resized(lengths)).filled("ascending")

    def axis_of_one(self) -> Trial:
        """Several indices that point into a dim of length 1; some beyond it, where zeros are defined there."""
        dims = [dim for dim in dims_of(self.trial()) if dim.part is not None]
        fill = values.around if self.operation.out_of_range == "zeros" else None
        return self._replace(shapes=self._resized(dict.fromkeys(dims, 1))).trial(fill)

    def scalar(self) -> Trial | None:
        is_batched = self.batch_dims not in (0, -len(self.shapes[1]))
        if not self.operation.indices_replace_axis or is_batched or not self.shapes[1]:
            return None
        return self._replace(shapes=(self.shapes[0], ())).trial()

    def emptied(self, name: str) -> Trial | None:
        """With a dim of length 0 in data or in indices, and no index that has nothing to point at."""
        dims = dims_of(self.trial())
        if name == "indices":
            choices = [dim for dim in dims if dim.data is None]
        elif self.operation.indices_have_rank_of_data:
            choices = [dim for dim in dims if dim.data == dim.indices]
        else:
            choices = self._behind(dims)
        if choices:
            return self._replace(shapes=self._resized({choices[0]: 0})).trial()
        return None


def _gathered(dims: Sequence[Dim]) -> list[Dim]:
    """The dim that indices point into, and one of the indices: as many indices as there are values to point at."""
    return [dim for dim in dims if dim.part == 0] + [
        dim for dim in dims if dim.data is None
    ][-1:]


def as_lanes(trial: Trial) -> Trial:
    """A trial on 64-bit data as one on 32-bit lanes: one more dim of length 2, which is never gathered along."""
    data = numpy.ascontiguousarray(trial.data).reshape(*trial.data.shape, 1).view("i4")
    axis = None if trial.axis is None else axis_of(trial)
    indices = trial.indices
    if trial.operation.indices_have_rank_of_data:
        indices = numpy.repeat(indices[..., None], 2, axis=-1)
    return trial._replace(
        element_types=(named("i32"), trial.element_types[1]),
        data=data,
        indices=indices,
        axis=axis,
    )


def layer_case(gather: GatherLayer, seed: int) -> LayerCase:
    """What the variants of ``gather`` depend on. Raises Skip."""
    types = runnable_types(gather)
    operation = gather.operation
    axis = gather.axis
    batch_dims = gather.batch_dims
    small = [
        _small(gather.shapes[0]),
        _small(gather.shapes[1], fixed_dims=int(operation.indexes_by_tuples)),
    ]
    shapes = chosen_shapes(gather, small, values.generator(seed))[:2]
    placement = form_of(gather, False)
    return LayerCase(
        operation,
        gather.layer.version,
        types,
        shapes,
        axis,
        batch_dims,
        placement,
        seed,
    )


def _small(shape: PartialShape, fixed_dims: int = 0) -> PartialShape:
    """A shape whose long dims, and open ones, may be short; the last ``fixed_dims`` stay."""
    if shape.dims is None:
        return shape
    cut = len(shape.dims) - fixed_dims
    short = [
        dim if dim.max is not None and 0 < dim.max <= _LARGEST else Dimension(2, None)
        for dim in shape.dims[:cut]
    ]
    return PartialShape((*short, *shape.dims[cut:]))


def _repeated(case: LayerCase) -> Iterator[Trial]:
    """One compiled model on other values, on another shape, on no indices where shapes are open, and on the first shape
    again."""
    for static in (False, True):
        shapes = [case.shapes, case.shapes, case.ones()]
        if not static and (empty := case.emptied("indices")) is not None:
            shapes.append((empty.data.shape, empty.indices.shape))
        for number, each in enumerate([*shapes, case.shapes]):
            trial = case._replace(seed=case.seed + number + 1, shapes=each).trial()
            yield trial._replace(placement=trial.placement._replace(static=static))


_Variant = Callable[[LayerCase], "Trial | None"]
_INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")

_DEFAULT: dict[str, _Variant] = {
    "data-constant": lambda case: case.trial(constants=["data"], plain=True),
    "indices-constant": lambda case: case.trial(constants=["indices"]),
    "constants": lambda case: case.trial(constants=["data", "indices"], plain=True),
    "negative": lambda case: case.filled("negative"),
    "boundary": lambda case: case.filled("boundary"),
    "out-of-range": lambda case: case.filled("outside"),
    "empty-indices": lambda case: case.emptied("indices"),
    "empty-data": lambda case: case.emptied("data"),
    "size-1": lambda case: case._replace(shapes=case.ones()).trial(),
    "axis-of-one": lambda case: case.axis_of_one(),
    "ascending": lambda case: case.ascending(),
    "descending": lambda case: case.filled("descending"),
    "alike": lambda case: case.filled("alike"),
    "lanes": lambda case: (trial := case.wide()) and as_lanes(trial),
}
_STATIC = ("negative", "out-of-range", "empty-indices", "empty-data", "size-1")


def _static(variant: _Variant, case: LayerCase) -> Trial | None:
    trial = variant(case)
    return trial and trial._replace(placement=trial.placement._replace(static=True))


_SWEEPS: dict[str, Callable[[LayerCase], Iterator[Trial]]] = {
    # Lengths around those of vectors: of the gathered axis, of a row of data, and of indices; other dims are 1.
    "sizes": lambda case: (
        case._replace(shapes=shapes).trial() for shapes in dict.fromkeys(case.swept())
    ),
    "repeat": _repeated,
}
_MORE: dict[str, _Variant] = {
    **{f"static-{name}": partial(_static, _DEFAULT[name]) for name in _STATIC},
    "far-out-of-range": lambda case: case.filled("far"),
    "wide-values": lambda case: case.wide(),
    "special-values": lambda case: (
        case.trial(constants=["data"]) if case.types[0].is_real else None
    ),
    "scalar-indices": lambda case: case.scalar(),
    "axis-i32": lambda case: case.with_axis("i32", 0),
    "axis-1d": lambda case: case.with_axis("i64", 1),
    **{
        f"type-{name}": partial(LayerCase.typed, position=0, name=name)
        for name in sorted(RUNNABLE)
    },
    **{
        f"indices-{name}": partial(LayerCase.typed, position=1, name=name)
        for name in _INTEGERS
    },
}


def names(requested: Sequence[str], static: bool) -> list[str]:
    """The ``requested`` variants; the first is the plain trial on ``static`` shapes, or on ``dynamic`` ones.

    Raises InvalidModelError where there is none of a name.
    """
    other = "dynamic" if static else "static"
    default = [other, *_DEFAULT, *_SWEEPS, COMPRESSED]
    groups: dict[str, list[str]] = {
        "default": default,
        "all": [*default, *_MORE],
        "none": [],
    }
    variants: list[str] = []
    for name in requested:
        matching = groups.get(name) or [
            each for each in groups["all"] if fnmatchcase(each, name)
        ]
        if not matching and name not in groups:
            choices = ", ".join(
                [*default, *(each for each in _MORE if "-" not in each[-5:])]
            )
            raise InvalidModelError(
                f"variant {name!r} is none of default, all, none, {choices}"
            )
        variants += matching
    return list(dict.fromkeys(variants))


def make(name: str, case: LayerCase) -> list[Trial]:
    """The trials of a variant; none where it makes no sense for the layer, or needs the model around it."""
    if name == COMPRESSED:
        return []
    if name in _SWEEPS:
        return list(_SWEEPS[name](case))
    return list(filter(None, [{**_DEFAULT, **_MORE}[name](case)]))
