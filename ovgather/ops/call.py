"""What an operation is given, the errors that name it, and where the dims of its output come from."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ovgather.errors import ShapeInferenceError
from ovgather.tensor.shape import Dimension, PartialShape

_DIMS_SHOWN = 32


def _brief(shape: PartialShape) -> str:
    # A message for each of 100,000 dims, each with all the dims, would fill the memory.
    if shape.dims is None or len(shape.dims) <= _DIMS_SHOWN:
        return shape.named
    return f"{PartialShape(shape.dims[:_DIMS_SHOWN]).named[:-1]},...] of rank {len(shape.dims)}"


class Call:
    """The shapes and attributes that an operation is given; dims are None for a dynamic rank, ``axis`` if not known."""

    __slots__ = (
        "axis",
        "batch_dims",
        "data",
        "has_axis",
        "indices",
        "problems",
        "shapes",
    )

    def __init__(
        self,
        shapes: Sequence[PartialShape],
        axis: int | None,
        batch_dims: int,
        has_axis: bool,
    ) -> None:
        self.shapes = shapes
        self.data: tuple[Dimension, ...] | None = shapes[0].dims
        self.indices: tuple[Dimension, ...] | None = shapes[1].dims
        self.axis = axis
        self.batch_dims = batch_dims
        self.has_axis = has_axis
        self.problems: list[ShapeInferenceError] = []

    def __str__(self) -> str:
        """The bindings as messages end with them: ``data [3,4], indices [2,5], axis 5``."""
        text = f"data {_brief(self.shapes[0])}, indices {_brief(self.shapes[1])}"
        if self.has_axis:
            text += f", axis {'not known' if self.axis is None else self.axis}"
        if self.batch_dims:
            return f"{text}, batch_dims {self.batch_dims}"
        return text

    @property
    def why_dynamic(self) -> str:
        return f"{'data' if self.data is None else 'indices'} has a dynamic rank"

    def error(
        self, kind: str, argument: str, message: str, dim: int | None = None
    ) -> ShapeInferenceError:
        """A problem, in words that end with the bindings."""
        return ShapeInferenceError(
            message, kind=kind, argument=argument, dim=dim, bindings=self
        )

    def report(
        self, kind: str, argument: str, message: str, dim: int | None = None
    ) -> None:
        self.problems.append(self.error(kind, argument, message, dim))

    def report_batch_dims(self, message: str, kind: str = "batch_dims_range") -> None:
        self.report(kind, "batch_dims", f"batch_dims {message}")

    def front_axis(self, name: str, rank: int) -> int | None:
        """The axis counted from the front of input ``name``; None, and a problem, if it is out of range."""
        axis = self.axis
        if axis is None or -rank <= axis < rank:
            if axis is None or axis >= 0:
                return axis
            return axis + rank
        self.report(
            "axis_range",
            "axis",
            f"axis {axis} is out of range [{-rank}, {rank - 1}] for {name} of rank {rank}",
        )
        return None

    def report_mismatch(self, dim: int, before: str = "", after: str = "") -> None:
        """Add the problem of a dim that differs in data and indices."""
        text = f"{before}dim {dim} is {self.shapes[0][dim]} in data but {self.shapes[1][dim]} in indices{after}"
        self.report("dims_mismatch", "indices", text, dim)


class DimSource(NamedTuple):
    """A dim of an input."""

    argument: str
    dim: int

    def __str__(self) -> str:
        return f"{self.argument} dim {self.dim}"


class DimOrigin(NamedTuple):
    """Where an output dim comes from.

    ``kind`` is ``copy`` (of one dim), ``merge`` (two dims that must be equal: their intersection), ``product`` (of
    several such pairs), ``bounded`` (a copy of the first dim, which is at most the second) or ``unknown`` (no input
    tells); ``note`` says why, or which part the dim plays.

    >>> str(DimOrigin("copy", (DimSource("indices", 1),), "the axis"))
    'indices dim 1 (the axis)'
    """

    kind: str
    sources: tuple[DimSource, ...]
    note: str = ""

    def __str__(self) -> str:
        if self.kind == "merge":
            both = " ∩ ".join([str(source) for source in self.sources])
            if self.note:
                return f"{self.note}, {both}"
            return both
        if self.kind == "bounded":
            return f"{self.sources[0]}, at most {self.sources[1]}"
        if self.kind == "copy":
            if self.note:
                return f"{self.sources[0]} ({self.note})"
            return str(self.sources[0])
        return self.note


def unequal(
    data: Sequence[Dimension], indices: Sequence[Dimension], count: int
) -> list[int]:
    """Those of the first ``count`` dims that cannot be equal."""
    return [
        place for place in range(count) if not data[place].compatible(indices[place])
    ]


def copied(argument: str, places: Iterable[int], note: str = "") -> list[DimOrigin]:
    """Dims that come from one input."""
    return [DimOrigin("copy", (DimSource(argument, place),), note) for place in places]


def merged(places: Iterable[int], note: str = "") -> list[DimOrigin]:
    """Dims that data and indices share."""
    return [
        DimOrigin(
            "merge", (DimSource("data", place), DimSource("indices", place)), note
        )
        for place in places
    ]
