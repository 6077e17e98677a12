"""Gather layers for other programs: one record for a layer of IR and for a node of ONNX. The names are stable."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from ovgather.errors import OvgatherError, short_repr
from ovgather.ir.graph import Layer
from ovgather.ir.read import WeightsOrData
from ovgather.layers.formats import AnyGather, AnySource, gathers, read
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.reference import AxisSource, Status
from ovgather.onnx_file.graphs import Values, node_name
from ovgather.tensor.arrays import Array
from ovgather.tensor.guard import guarded
from ovgather.tensor.shape import PartialShape
from ovgather.validation.check import usable


@dataclass(frozen=True)
class Producer:
    """What computes a value.

    Attributes:
        name: of the layer or node; of an input or initializer of ONNX the name of the value.
        type: of the layer or node; ``input`` and ``initializer`` for those of ONNX.
        output: which output of it the value is, counted from 0.
    """

    name: str
    type: str
    output: int
    _upstream: Callable[[], tuple[Producer | None, ...]] = field(
        repr=False, compare=False
    )

    def __repr__(self) -> str:
        return f"<Producer {short_repr(self.name)}, {self.type}, output {self.output}>"

    @property
    def inputs(self) -> tuple[Producer | None, ...]:
        """What computes its inputs; None for an input that nothing feeds."""
        return self._upstream()


@dataclass(frozen=True)
class GatherInput:
    """An input of a Gather layer.

    Attributes:
        name: ``data``, ``indices`` or ``axis``.
        shape: as the model declares it, or inference gives it.
        element_type: as the format spells it (``f32``, in ONNX ``float``); None if it is not known.
        producer: what feeds it; None if nothing does.
    """

    name: str
    shape: PartialShape
    element_type: str | None
    producer: Producer | None
    _values: Callable[[], Array | None] = field(repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        """Its values, instead of the model that they come from."""
        try:
            values = partial(_given, self.constant)
        except OvgatherError as error:
            values = partial(_refused, error)
        return {**vars(self), "_values": values}

    def __repr__(self) -> str:
        return f"<GatherInput {self.name} {self.element_type or '?'} {short_repr(self.shape.named)[1:-1]}>"

    @property
    def constant(self) -> Array | None:
        """Its values, where a constant feeds it whose values are there."""
        return self._values()


@dataclass(frozen=True)
class Gather:
    """A Gather layer of IR, or Gather node of ONNX.

    Attributes:
        name, id, type, version: as the model has them; ``id`` is the position of a node of ONNX in its graph, and
            ``version`` its opset: ``ai.onnx:13``.
        body: the path of bodies or graphs to it.
        operation: what it is: ``GatherElements-6``; the type alone where its opset has no such operation.
        inputs: those that the model gives it.
        axis: as written; None if there is none, or it is not known.
        axis_source: ``attribute``, ``const``, ``ports`` (only one axis fits the ports), ``comment`` or ``unknown``.
        batch_dims: 0 where there is none.
        output: the inferred shape; None if the inputs do not fit together.
        declared: the shape that the model declares for the output; None if it declares none.
        status: how both compare: ``match``, ``refines`` (the inferred one says more), ``mismatch`` or ``unknown``.
        error: why there is no ``output``.
        reasons: a sentence for each dim of ``output``.
    """

    name: str
    id: str
    type: str
    version: str
    body: tuple[str, ...]
    operation: str
    inputs: tuple[GatherInput, ...]
    axis: int | None
    axis_source: AxisSource
    batch_dims: int
    output: PartialShape | None
    declared: PartialShape | None
    status: Status
    error: str | None
    reasons: tuple[str, ...]

    def __repr__(self) -> str:
        output = self.error if self.output is None else self.output.named
        return f"<Gather {short_repr(self.name)}, {self.operation}, axis {self.axis}: {short_repr(output)[1:-1]}>"


def _given(values: Array | None) -> Array | None:
    return values


def _refused(error: OvgatherError) -> Array | None:
    raise error


@guarded
def gather_layers(
    source: AnySource,
    layer: str | None = None,
    *,
    weights: WeightsOrData | None = None,
    follow_links: bool = False,
) -> list[Gather]:
    """The Gather layers of a model, those in bodies included, in the order of the file.

    Args:
        source, weights, follow_links: what is read, with which ``.bin``; see ``ovgather.read``.
        layer: only this one, by name or id, with the path of its bodies before it for a nested one.

    Raises:
        UnreadableError: the model cannot be read.
        InvalidModelError: ``layer`` is not the name or id of exactly one Gather layer.

    >>> [gather] = gather_layers("samples_xml/demo/good.xml", "word_embedding")
    >>> gather.operation, gather.axis, gather.axis_source, gather.output == [-1, 6, 4]
    ('Gather-8', 0, 'const', True)
    >>> [(each.name, str(each.shape), each.element_type, each.producer.name) for each in gather.inputs]
    [('data', '[10,4]', 'f32', 'word_table'), ('indices', '[?,6]', 'i64', 'token_ids'), ('axis', '[]', 'i64', 'rows')]
    >>> gather.inputs[2].constant
    array(0)
    """
    model = usable(read(source, weights, follow_links=follow_links))
    return list(map(_view, gathers(model, layer)))


def _view(gather: AnyGather) -> Gather:
    inference = gather.inference
    names = []
    if gather.operation is not None:
        names = [each.name for each in gather.operation.inputs]
    inputs = [
        GatherInput(
            names[index] if index < len(names) else f"input {index}",
            shape,
            gather.type_names[index],
            _feeding(gather.layer, index)
            if isinstance(gather, GatherLayer)
            else _making(gather.graph_values, gather.proto.input[index]),
            partial(gather.values, index),
        )
        for index, shape in enumerate(gather.shapes)
    ]
    return Gather(
        **gather.reference._asdict(),
        operation=gather.title,
        inputs=tuple(inputs),
        axis=gather.axis,
        axis_source=gather.axis_source,
        batch_dims=gather.batch_dims,
        output=inference.shape if inference is not None else None,
        declared=gather.declared,
        status=gather.status,
        error=gather.problem,
        reasons=tuple(inference.reasons) if inference is not None else (),
    )


def _feeding(layer: Layer, index: int) -> Producer | None:
    if (source := layer.producer(index)) is None:
        return None
    feeder, output = source
    return Producer(feeder.name, feeder.type, output, partial(_all_feeding, feeder))


def _all_feeding(layer: Layer) -> tuple[Producer | None, ...]:
    return tuple(_feeding(layer, place) for place in range(len(layer.inputs)))


def _making(values: Values, name: str) -> Producer | None:
    where, name = values.owner(name)
    if where is None:
        return None
    if (maker := where.makers.get(name)) is None:
        return Producer(
            name, "initializer" if name in where.tensors else "input", 0, tuple
        )
    upstream = partial(_all_making, where, maker.input)
    return Producer(
        node_name(maker, -1), maker.op_type, list(maker.output).index(name), upstream
    )


def _all_making(values: Values, names: Iterable[str]) -> tuple[Producer | None, ...]:
    return tuple(_making(values, each) for each in names)
