"""A layer that fails in the model only: the smallest part of the model around it in which it still fails."""

from collections.abc import Sequence
from dataclasses import replace

from ovgather.crosscheck.alone.run import TextRun
from ovgather.crosscheck.confirm import ask
from ovgather.crosscheck.in_model.run import InferenceValues, flows
from ovgather.crosscheck.in_model.tap import Tap
from ovgather.crosscheck.ir_layers import IrRun, flowed
from ovgather.crosscheck.reduce.prober import CONFIRMATIONS
from ovgather.crosscheck.reduce.search import Part, plain
from ovgather.errors import OvgatherError
from ovgather.ir.edit.layer_text import raw_layer
from ovgather.ir.graph import Layer
from ovgather.ir.writer import Writer, WrittenTensor
from ovgather.layers.gather_layer import is_family
from ovgather.layers.tensors import output_tensor
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.trial import RESULT
from ovgather.runtimes.wire import Text, from_wire, request
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType, named
from ovgather.tensor.shape import PartialShape

_STEPS = ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2), (4, 4), (16, 16))
"""How far a part reaches before the layer and behind it."""
_LEFT_OUT = frozenset({"Const", "Parameter", "ReadValue", "Result", "Assign"})


def failing_part(run: IrRun, verdict: str) -> tuple[Part, Outcome] | None:
    """The smallest part around the one layer of ``run`` that fails with ``verdict``, with its outcome."""
    layer = run.layers[0].gather.layer
    run = replace(
        run,
        rounds=run.rounds[:1],
        options=run.options._replace(confirmations=CONFIRMATIONS),
        pruned=True,
    )
    if not layer.body:
        for before, behind in _STEPS:
            kept = _around(layer, before, behind)
            failing = _tried(run, kept, verdict)
            if failing is not None:
                for each in sorted(kept - {layer}, key=lambda each: each.id):
                    if (smaller := _tried(run, kept - {each}, verdict)) is not None:
                        failing, kept = smaller, kept - {each}
                return failing
    return None


def _around(layer: Layer, before: int, behind: int) -> set[Layer]:
    """The layers that lie so many steps before ``layer`` and behind it."""
    graph, kept = layer.graph, {layer}
    for steps, forward in ((before, False), (behind, True)):
        outermost = {layer}
        for _ in range(steps):
            if forward:
                ids = {number for each in outermost for number in graph.readers.get(each.id, ())}
                near = {graph.layer(graph.rows[number]) for number in ids}
            else:
                near = {
                    source[0]
                    for each in outermost
                    for source in graph.producers(each)
                    if source is not None
                }
            # A Gather before it may be wrong, too: what is expected must not depend on it.
            near = {each for each in near - kept if forward or not is_family(each)}
            outermost = {each for each in near if each.type not in _LEFT_OUT}
            kept |= outermost
    return kept


def _tried(run: IrRun, kept: set[Layer], verdict: str) -> tuple[Part, Outcome] | None:
    layers = sorted(kept, key=lambda each: each.id)
    outside = [
        Tap(*source)
        for layer in layers
        for source in layer.graph.producers(layer)
        if source is not None
    ]
    outside = [
        tap for tap in dict.fromkeys(outside) if tap.layer not in kept and tap.layer.type != "Const"
    ]
    tapped, points = run.layers[0], list(dict.fromkeys((*outside, *run.layers[0].fed)))
    try:
        (values,) = flows([replace(run, points=points)])
        if isinstance(values, Outcome):
            return None
        model, inputs, part = _cut(run, layers, outside, values)
        outcome = ask([part])[0][0]
        trial = flowed(tapped.gather, outcome.evidence or tapped.evidence(values)[0])
    except (OvgatherError, KeyError, ValueError):
        return None  # a layer cannot stand there by itself
    if outcome.verdict != verdict or trial is None:
        return None
    arrays = {name: plain(kind, array) for name, (kind, array) in inputs.items()}
    return Part(model, arrays, trial, len(kept)), outcome


def _cut(
    run: IrRun, kept: Sequence[Layer], outside: Sequence[Tap], values: InferenceValues
) -> tuple[Text, dict[str, tuple[ElementType, Array]], TextRun]:
    """The layers ``kept`` as a model; what flows into them from ``outside`` are Parameters that get ``values``."""
    model, tapped = run.model, run.layers[0]
    writer = Writer(
        model.name or "part", 10 if model.ir_version == 10 else 11, 1 + max(model.graph.rows)
    )
    inputs: dict[str, tuple[ElementType, Array]] = {}
    sources: dict[Tap, tuple[int, int]] = {}
    for number, tap in enumerate(outside):
        header, blob = values.tensors[tap]
        kind, array = named(header["type"]), from_wire(header, blob)
        shape = output_tensor(*tap).shape
        if run.options.static or shape.rank is None:
            shape = PartialShape.of(array.shape)
        sources[tap] = writer.parameter(f"in{number}", WrittenTensor(kind, shape))
        inputs[f"in{number}"] = kind, array
    read: set[Tap] = set()
    for layer in kept:
        for port, source in zip(layer.inputs, layer.graph.producers(layer), strict=True):
            if source is None:
                raise KeyError(layer.name)
            tap = Tap(*source)
            if tap.layer.type == "Const" and tap not in read:
                writer.raw(raw_layer(model, tap.layer, writer.pieces))
            read.add(tap)
            writer.edge(
                sources.get(tap, (tap.layer.id, tap.layer.outputs[tap.output].id)),
                (layer.id, port.id),
            )
        writer.raw(raw_layer(model, layer, writer.pieces))
    unknown = WrittenTensor(named("f32"), PartialShape(None))
    ends = [Tap(layer, number) for layer in kept for number in range(len(layer.outputs))]
    taps = {tapped.output: RESULT}
    taps |= {
        tap: f"in_of_layer_{number}" for number, tap in enumerate(tapped.fed) if tap.layer in kept
    }
    taps |= {
        tap: f"end{number}"
        for number, tap in enumerate(ends)
        if tap not in read and tap not in taps
    }
    for tap, name in taps.items():
        writer.result(name, (tap.layer.id, tap.layer.outputs[tap.output].id), unknown)

    def evidence(header: wire.Header, blobs: list[bytearray]) -> Evidence:
        tensors = dict(zip(taps, zip(header["outputs"], blobs, strict=True), strict=True))
        return tapped.evidence(values._replace(tensors={**values.tensors, **tensors}))[0]

    text, options = Text(writer.text, writer.weights), run.options
    frame = request(text, [list(inputs.values())], list(taps.values()), options.device)
    return text, inputs, TextRun(frame, evidence, options)
