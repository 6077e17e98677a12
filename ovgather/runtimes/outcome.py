"""The outcome of running a layer: the verdict, and the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ovgather.errors import short_repr
from ovgather.ops.operation import Operation
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import of_dtype
from ovgather.tensor.shape import PartialShape

OutcomeVerdict = Literal[
    "equal", "different", "known", "error", "crash", "timeout", "skipped"
]
END = "end"
"""The stage of a process that has answered, and then ends."""
_MESSAGE = 600  # characters of OpenVINO's message that are kept


class First(NamedTuple):
    """The first element that differs: where, what came, what the reference says."""

    at: tuple[int, ...]
    got: Any
    want: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple) and _same(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.at)


class Evidence(NamedTuple):
    """One run of a layer. ``constant`` names the Const inputs; ``want`` is None where the reference refuses.

    ``got`` is None for a layer that did not run. ``types`` are the names of the element types where arrays do not tell.
    ``number`` is that of the inference of its compiled model.
    """

    operation: Operation
    data: Array
    indices: Array
    axis: int
    batch_dims: int
    got: Any = None
    constant: frozenset[str] = frozenset()
    want: Array | None = None
    types: Sequence[str] = ()
    number: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple) and _same(self, other)

    def __ne__(self, other: object) -> bool:  # a tuple has one of its own
        return not self == other

    def __hash__(self) -> int:
        return hash((self.operation.name, self.axis, self.batch_dims))

    def __repr__(self) -> str:
        shapes = ", ".join(
            f"{array.dtype} {list(array.shape)}" for array in (self.data, self.indices)
        )
        return f"<Evidence of {self.operation.name}: {shapes}, axis {self.axis}, batch_dims {self.batch_dims}>"

    def expected(self) -> Array:
        """The output of the reference; OvgatherError if the values are not legal for the operation."""
        from ovgather.ops.evaluation import evaluate

        batch_dims = self.batch_dims if self.operation.has_batch_dims else 0
        return evaluate(self.operation, self.data, self.indices, self.axis, batch_dims)

    @property
    def type_names(self) -> Sequence[str]:
        """The element types of data and indices."""
        return self.types or [
            str(of_dtype(array.dtype) or array.dtype)
            for array in (self.data, self.indices)
        ]

    @property
    def places(self) -> list[int]:
        """The dims of data that indices point into: one, or one for each part of a tuple."""
        return list(
            self.operation.indexed_dims(
                self.data.ndim, self.indices.shape, self.axis, self.batch_dims
            )
        )

    @property
    def lengths(self) -> list[int]:
        """How long those dims are."""
        return self.operation.index_sizes(
            self.data.shape, self.indices.shape, self.axis, self.batch_dims
        )

    @property
    def sizes(self) -> Array:
        """The length that each index must stay below; for GatherND one for each part of a tuple."""
        import numpy

        return numpy.asarray(
            self.lengths if self.operation.indexes_by_tuples else self.lengths[0]
        )

    @property
    def out_of_range(self) -> Array:
        """Which indices point outside, negative ones counted from the end."""
        if self.indices.dtype.name == "uint64":
            wide = self.indices.astype(object)
        else:
            wide = self.indices
        import numpy

        return numpy.asarray((wide < -self.sizes) | (wide >= self.sizes))

    @property
    def is_undefined(self) -> bool:
        """Whether there are indices for which the specification says nothing."""
        operation = self.operation
        if operation.out_of_range == "undefined" and self.out_of_range.any():
            return True
        return not operation.allows_negative_indices and bool((self.indices < 0).any())

    @property
    def output_shape(self) -> tuple[int, ...]:
        """The lengths of the output."""
        shapes = [PartialShape.of(self.data.shape), PartialShape.of(self.indices.shape)]
        axis = self.axis if self.operation.has_axis else None
        return tuple(
            dim.length
            for dim in self.operation.infer(
                shapes, axis=axis, batch_dims=self.batch_dims
            ).shape
        )


def _same(mine: tuple[Any, ...], theirs: tuple[Any, ...]) -> bool:
    """Whether all items are equal: arrays and numbers by their bits, so that a NaN is equal to itself."""
    return [*map(_bits, mine)] == [*map(_bits, theirs)]


def _bits(value: Any) -> object:
    import numpy

    if isinstance(value, numpy.ndarray | numpy.generic | float):
        array = numpy.asarray(value)
        return (
            array.dtype,
            array.shape,
            array.tolist() if array.dtype.hasobject else array.tobytes(),
        )
    if isinstance(value, Operation):
        return value.name
    return value


class Kernel(NamedTuple):
    """What a layer became in the graph that the runtime executes: an implementation, and the layers that it holds.

    ``name`` is the runtime's own, such as ``jit_avx2_f32``; ``precision`` and ``layout`` are those of its output.
    """

    type: str
    name: str
    precision: str
    layout: str
    fused: tuple[str, ...] = ()

    def __str__(self) -> str:
        fused = ""
        if self.fused:
            fused = f", fused with {', '.join(self.fused)}"
        return f"{self.type} {self.name}, layout {self.layout}{fused}"


def kernels_of(header: Mapping[str, Any]) -> dict[str, Kernel]:
    """The kernels of an answer of a worker, by the name of their layer; a runtime need not tell any."""
    return {
        layer: Kernel(type, name, precision, layout, tuple(fused))
        for layer, (type, name, precision, layout, fused) in header.get(
            "kernels", {}
        ).items()
    }


class Outcome(NamedTuple):
    """A verdict with its reason, and how the outputs differ where they were compared.

    ``reason`` is ``why`` and then the ``notes``, which say more: where and on what the layer ran.
    ``cause`` is one stable word: a key of ``causes`` or of ``deviations``, the signal of a crash, or empty.
    ``evidence`` is None for equal outputs and for large ones. ``stage`` is where a run without an answer stopped:
    ``read_model``, ``compile_model``, ``infer``, a later inference, or ``END``. ``seconds`` is how
    long a lone layer ran.
    """

    verdict: str
    why: str = ""
    mismatches: int = 0
    elements: int = 0
    first: First | None = None
    cause: str = ""
    evidence: Evidence | None = None
    kernel: Kernel | None = None
    stage: str = ""
    seconds: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """Why, with all that is known; empty where the verdict says it all."""
        return "; ".join(filter(None, (self.why, *self.notes)))

    def __repr__(self) -> str:
        return f"<Outcome {self.verdict}{f': {short_repr(self.reason)}' if self.reason else ''}>"


class Skip(Exception):
    """The layer is not run this way; the message says why. The verdict is ``error`` where the file is to blame."""

    def __init__(self, reason: str, verdict: str = "skipped") -> None:
        super().__init__(reason)
        self.outcome = Outcome(
            verdict, reason, cause="error" if verdict == "error" else ""
        )


def unusual_of(header: Mapping[str, Any]) -> Outcome | None:
    """What a runtime that answered took out of all proportion: time or memory; None for nothing."""
    cause, words = header.get("unusual") or ("", "")
    if not cause:
        return None
    return Outcome("error", f"{header['title']} answers, but {words}", cause=cause)


def own_words(error: object, added: tuple[str, ...] = ("Exception from ",)) -> str:
    """OpenVINO's message on one line, without the positions in its source that its macros put before it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join([line for line in lines if not line.startswith(added)] or lines)


def error_of(header: Mapping[str, Any]) -> Outcome:
    """The runtime's exception."""
    message = own_words(header["error"])[:_MESSAGE]
    stage = str(header["stage"])
    return Outcome(
        "error", f"{header['title']} in {stage}: {message}", cause="error", stage=stage
    )


def with_notes(outcome: Outcome, *notes: str) -> Outcome:
    """The outcome with more notes; those that are empty, or that it has already, say nothing."""
    _, *others = dict.fromkeys((outcome.why, *outcome.notes, *notes))
    return outcome._replace(notes=tuple(filter(None, others)))


def restated(outcome: Outcome, why: str, **changes: Any) -> Outcome:
    """The outcome for another reason, and with other fields; what it said so far are notes."""
    restated = outcome._replace(why=why, notes=(), **changes)
    return with_notes(restated, outcome.why, *outcome.notes)
