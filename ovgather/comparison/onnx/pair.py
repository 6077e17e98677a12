"""An ONNX file beside the IR that was made from it: both run on the same inputs, and compared layer by layer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from ovgather.comparison import ir_layers
from ovgather.comparison.in_model.run import (
    InferenceValues,
    ModelRun,
    Point,
    Tapped,
    flows,
)
from ovgather.comparison.in_model.tap import Tap
from ovgather.comparison.onnx import matching
from ovgather.comparison.onnx.inputs import chosen_inputs, wanted_inputs
from ovgather.comparison.onnx.matching import Names, fit
from ovgather.comparison.onnx.nodes import RUNTIMES, OnnxRun, plan_in_model
from ovgather.comparison.options import OPENVINO, CrosscheckOptions
from ovgather.comparison.report import FAILING, IN_PLACE, FileReport, Record, Report
from ovgather.comparison.verdict.judge import (
    INPUTS,
    diverge,
    same_inputs,
    value_difference,
)
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer, gather_layers, is_family
from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.layers.reference import reference
from ovgather.onnx_file.graphs import names_read, node_name
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.tensors import array_or_none
from ovgather.runtimes.available import require
from ovgather.runtimes.onnx_model import OnnxTap, needed_values
from ovgather.runtimes.outcome import Evidence, Outcome, Skip, with_notes
from ovgather.tensor.arrays import Array

ONNXRUNTIME = RUNTIMES[0]
Flow = tuple[Evidence, str] | Outcome
"""What flowed through a layer, with the version of the runtime, or why that is not known."""
FIRST = "the first divergence"
_MOST = 128
"""Values before the first divergence that are looked at, those nearest to the node."""


def crosscheck_pair(onnx: OnnxModel, ir: Model, options: CrosscheckOptions) -> Report:
    """Run an ONNX model in ONNX Runtime and its IR in OpenVINO, and compare what each Gather node gives."""
    require(ONNXRUNTIME)
    require(OPENVINO)
    nodes = gather_nodes(onnx, options.layer)
    pair = _Pair(onnx, ir, nodes, options._replace(static=False))
    try:
        pair.plan()
        pair.execute()
    except Skip as skip:
        pair.outcomes = dict.fromkeys(range(len(nodes)), skip.outcome)
    pair.compare_constants()
    pair.name_first()
    return Report(pair.reports(), options.strict)


class _Pair:
    """Both models, the nodes that are compared, and their outcomes by position."""

    def __init__(
        self,
        onnx: OnnxModel,
        ir: Model,
        nodes: list[GatherNode],
        options: CrosscheckOptions,
    ) -> None:
        self.onnx = onnx
        self.ir = ir
        self.nodes = nodes
        self.options = options
        self.outcomes: dict[int, Outcome] = {}
        self.how: dict[int, str] = {}
        self.layers: dict[int, GatherLayer] = {}
        self.ir_runs: list[ir_layers.IrRun] = []
        self.random = options.inputs is None
        self.names = names = Names(ir)
        for position, node in enumerate(nodes):
            try:
                self.layers[position] = names.gather(node)
            except Skip as skip:
                self.outcomes[position] = skip.outcome
        self._take(matching.matched_by_constants(*self._left()), "constants")

    def _left(self) -> tuple[dict[int, GatherNode], list[GatherLayer]]:
        """The nodes and the layers that are not matched yet."""
        used = {gather.layer.id for gather in self.layers.values()}
        left = {at: node for at, node in enumerate(self.nodes) if at not in self.layers}
        nodes = {
            at: node
            for at, node in left.items()
            if node.operation is not None and not node.graph.path
        }
        layers = [
            each
            for each in gather_layers(self.ir)
            if not each.layer.body and each.layer.id not in used
        ]
        return nodes, layers if nodes else []

    def _take(self, matches: Mapping[int, GatherLayer], how: str) -> None:
        self.layers |= matches
        self.how |= dict.fromkeys(
            matches, f"matched by {how}, since no name is the same"
        )

    def plan(self) -> None:
        """Find the inputs of both. Raises Skip."""
        wanted = wanted_inputs(self.onnx)
        pairs = matching.matched_inputs(self.onnx, wanted, self.ir)
        both = [
            mine if its is None else mine._replace(shape=mine.shape & its.shape)
            for mine, its in pairs
        ]
        arrays = chosen_inputs(self.onnx, both if self.random else wanted, self.options)
        matches = zip((its for _, its in pairs), arrays, strict=True)
        ir_inputs = {
            f"in{its.position}": array for its, array in matches if its is not None
        }
        self.ir_options = self.options._replace(inputs=ir_inputs, repeat=1, ways=())
        self.onnx_run = OnnxRun(
            self.onnx, [], [], wanted, [arrays], self.options, ONNXRUNTIME
        )

    def execute(self) -> None:
        nodes, layers = self._left()
        if layers:
            self._take(self._matched_by_values(nodes, layers), "values")
        if self.options.layer is None:
            self._take(matching.matched_in_order(*self._left()), "order")
        nodes = {position: self.nodes[position] for position in sorted(self.layers)}
        for ours in self._onnx_flow(nodes):
            theirs = self._ir_flow(
                {position: self.layers[position] for position in ours}
            )
            self.outcomes |= {
                position: self._outcome(mine, theirs[position])
                for position, mine in ours.items()
            }

    def _matched_by_values(
        self, nodes: Mapping[int, GatherNode], layers: Sequence[GatherLayer]
    ) -> dict[int, GatherLayer]:
        """For each node the first layer into which the same flows."""
        theirs = self._ir_flow(dict(enumerate(layers)))
        matches: dict[int, GatherLayer] = {}
        for position, mine in (
            pair for ours in self._onnx_flow(nodes) for pair in ours.items()
        ):
            for number, its in theirs.items():
                if (
                    isinstance(mine, Outcome)
                    or isinstance(its, Outcome)
                    or layers[number] in matches.values()
                ):
                    continue
                if fit(nodes[position], layers[number]) >= 0 and same_inputs(
                    its[0], mine[0], self.options.tolerance
                ):
                    matches[position] = layers[number]
                    break
        return matches

    def _onnx_flow(self, nodes: Mapping[int, GatherNode]) -> Iterator[dict[int, Flow]]:
        runs, skipped = plan_in_model(self.onnx_run, nodes)
        self.outcomes |= skipped
        return map(_flow, runs)

    def _ir_flow(self, gathers: Mapping[int, GatherLayer]) -> dict[int, Flow]:
        runs, flows = ir_layers.plan_in_model(self.ir, gathers, self.ir_options)
        self.ir_runs += runs
        return dict(chain(flows.items(), *(_flow(run).items() for run in runs)))

    def _outcome(self, ours: Flow, theirs: Flow) -> Outcome:
        if isinstance(ours, Outcome) and ours.verdict == "error" and self.random:
            return Outcome(
                "skipped",
                f"the model does not run on random inputs: {ours.reason}",
                cause=ours.cause,
            )
        if isinstance(ours, Outcome):
            return ours
        if isinstance(theirs, Outcome):
            return theirs
        return diverge(
            ours[0], theirs[0], self.options.device, theirs[1], self.options.tolerance
        )

    def compare_constants(self) -> None:
        """Compare constant data also where no index points, and where the models do not run."""
        for at, gather in self.layers.items():
            if self.outcomes[at].verdict in ("equal", "known", "skipped"):
                unseen = ""
                if self.outcomes[at].verdict != "skipped":
                    unseen = " where no index points"
                if (
                    other := matching.other_constant(
                        self.nodes[at], gather, self.options.tolerance
                    )
                ) is not None:
                    self.outcomes[at] = other._replace(why=f"{other.why}{unseen}")

    def name_first(self) -> None:
        """Say of the first node that differs that it is the first, where that comes from, and tell that once."""
        order = [
            at
            for at in range(len(self.nodes))
            if self.outcomes[at].verdict == "different"
        ]
        if not order:
            return
        first = self.nodes[order[0]]
        outcome = self.outcomes[order[0]]
        named = outcome._replace(why=f"{FIRST}: {outcome.why}")
        origins = [first.proto.output[0]]
        if outcome.cause in INPUTS:
            words, origin = first_difference(
                self.onnx_run, self.ir_runs[0], self.names, first
            )
            named = with_notes(named, words)
            origins = [*origins, *([origin] if origin else [])]
        if outcome.cause == "other-constant":
            origins.append(first.proto.input[0])
        self.outcomes[order[0]] = named
        behind = set(origins)
        for maker in self.onnx.proto.graph.node:  # in the order in which they run
            if not behind.isdisjoint(names_read(maker)):
                behind.update(maker.output)
        for at in order[1:]:
            outcome = self.outcomes[at]
            if not behind.isdisjoint(self.nodes[at].proto.input):
                note = f"behind {FIRST}, node {first.reference.name!r}"
                same = (
                    outcome.cause in INPUTS or self.nodes[at].proto.input[0] in origins
                )
                if same:
                    self.outcomes[at] = Outcome("skipped", note)
                else:
                    self.outcomes[at] = with_notes(outcome, note)

    def reports(self) -> list[FileReport]:
        """The nodes of the ONNX file, and the Gather layers of the IR that none of them became."""
        device = self.options.device
        records = []
        for at, node in enumerate(self.nodes):
            outcome = self.outcomes[at]
            notes = [self.how.get(at, ""), "on random inputs" if self.random else ""]
            if outcome.verdict in FAILING:
                outcome = with_notes(outcome, *notes)
            records.append(Record(node.reference, IN_PLACE, OPENVINO, device, outcome))
        places = {(layer.layer.body, layer.layer.id) for layer in self.layers.values()}
        reason = f"no node of {self.onnx.path} is called so: OpenVINO made it"
        in_body = "inside a body: only layers of the main graph are compared with an ONNX file"
        own = [
            Record(
                reference(layer),
                IN_PLACE,
                OPENVINO,
                device,
                Outcome("skipped", in_body if layer.body else reason),
            )
            for layer in self.ir.layers()
            if is_family(layer) and (layer.body, layer.id) not in places
        ]
        files = [FileReport(self.onnx.path, tuple(records))]
        if own and self.options.layer is None:
            return [*files, FileReport(self.ir.path, tuple(own))]
        return files


def _flow(run: ModelRun) -> dict[int, Flow]:
    """What flowed through each layer: in the whole model, and where that fails in the part that the layer needs."""
    (whole,) = flows([run])
    values = [whole] * len(run.layers)
    if isinstance(whole, Outcome) and len(run.layers) > 1:
        values = flows([run.only(layer) for layer in run.layers])
    return {
        layer.position: _through(layer, each)
        for layer, each in zip(run.layers, values, strict=True)
    }


def _through(layer: Tapped, values: InferenceValues | Outcome) -> Flow:
    try:
        if isinstance(values, Outcome):
            return values
        return (layer.evidence(values)[0], values.version)
    except ValueError as error:
        return Outcome("skipped", str(error))


def first_difference(
    onnx: OnnxRun, ir: ir_layers.IrRun, names: Names, node: GatherNode
) -> tuple[str, str]:
    """In words the first value that differs, of those that the inputs of ``node`` are made from, and its name."""
    values = [value for value in _values(onnx, node) if value[0] in names.tensors][
        -_MOST:
    ]
    nowhere = "no value before it that both models name differs"
    if not values:
        return nowhere, ""
    try:
        computed = _tapped(
            onnx, [OnnxTap(name) for name, _, constant in values if constant is None]
        )
        ours = [
            constant if constant is not None else next(computed)
            for _, _, constant in values
        ]
        theirs = list(_tapped(ir, [Tap(*names.tensors[name]) for name, _, _ in values]))
    except Skip as skip:
        return f"what is before it cannot be looked at: {skip}", ""
    for (name, what, _), want, got in zip(values, ours, theirs, strict=True):
        if want is None or got is None:
            difference = None
        else:
            difference = value_difference(got, want, ir.options.tolerance)
        if difference is None:
            continue
        words = difference.shapes
        if (first := difference.first) is not None:
            words = f"{difference.mismatches} of {difference.elements} elements, first [{','.join(map(str, first.at))}]"
            words = f"{words}: got {first.got}, want {first.want}"
        return f"the first value before it that differs is {what}: {words}", name
    return nowhere, ""


def _tapped(whole: ModelRun, points: Sequence[Point]) -> Iterator[Array | None]:
    """What flows at points of a model, None for what cannot be read. Raises Skip where no answer came."""
    (values,) = flows([replace(whole, layers=[], points=points, pruned=True)])
    if isinstance(values, Outcome):
        raise Skip(values.reason)
    for point in points:
        try:
            yield values.of(point)
        except ValueError:
            yield None


def _values(onnx: OnnxRun, node: GatherNode) -> Iterator[tuple[str, str, Array | None]]:
    """What the inputs of ``node`` are made from, each after what it is made from: name, words, array of a constant."""
    graph = onnx.model.proto.graph
    beside = onnx.model.beside
    initializers = {tensor.name: tensor for tensor in graph.initializer}
    names = needed_values(graph, list(node.proto.input))
    seen: set[str] = set()
    for position, each in enumerate(graph.node):
        constant = each.op_type == "Constant"
        outputs = [name for name in each.output if name in names]
        if outputs:
            for name in sorted(names_read(each)):
                if name in initializers and name not in seen:
                    seen.add(name)
                    yield (
                        name,
                        f"the constant {name!r}",
                        array_or_none(initializers[name], beside),
                    )
        maker = f"which the {each.op_type} {node_name(each, position)!r} makes"
        for name in outputs:
            if constant:
                words = f"the constant {name!r}"
            else:
                words = f"{name!r}, {maker}"
            yield name, words, array_or_none(each, beside) if constant else None
