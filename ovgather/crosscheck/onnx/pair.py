"""An ONNX file beside the IR that was made from it: both run on the same inputs, and compared layer by layer."""

from ovgather.crosscheck.in_model import plan as ir_in_model
from ovgather.crosscheck.onnx.divergence import INPUTS, diverge
from ovgather.crosscheck.onnx.in_model import ModelRun, plan_in_model
from ovgather.crosscheck.onnx.inputs import chosen_inputs, wanted_inputs
from ovgather.crosscheck.onnx.matching import Input, Names, matched_inputs
from ovgather.crosscheck.onnx.runs import ONNXRUNTIME, Search, flowed, ir_evidence, onnx_evidence
from ovgather.crosscheck.options import OPENVINO, CrosscheckOptions
from ovgather.crosscheck.report import FAILING, IN_PLACE, FileReport, Record, Report, reference_of
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer, is_family
from ovgather.layers.onnx_node import GatherNode, find_node, gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.runtimes.available import require
from ovgather.runtimes.onnx_model import inputs_of
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.request import Skip, with_notes
from ovgather.tensor.arrays import Array

FIRST = "the first divergence"


def crosscheck_pair(onnx: OnnxModel, ir: Model, options: CrosscheckOptions) -> Report:
    """Run an ONNX model in ONNX Runtime and its IR in OpenVINO, and compare what each Gather node gives."""
    require(ONNXRUNTIME)
    require(OPENVINO)
    nodes = gather_nodes(onnx) if options.layer is None else [find_node(onnx, options.layer)]
    pair = _Pair(onnx, ir, nodes, options._replace(static=False))
    try:
        pair.plan()
    except Skip as skip:
        pair.outcomes = dict.fromkeys(range(len(nodes)), skip.outcome)
    else:
        pair.execute()
    return Report(pair.reports(), options.strict)


class _Pair:
    """Both models, the nodes that are compared, and their outcomes by position."""

    def __init__(self, onnx: OnnxModel, ir: Model, nodes: list[GatherNode], options: CrosscheckOptions) -> None:
        self.onnx = onnx
        self.ir = ir
        self.nodes = nodes
        self.options = options
        self.outcomes: dict[int, Outcome] = {}
        self.layers: dict[int, GatherLayer] = {}
        self.arrays: dict[str, Array] = {}
        self.inputs: list[Input] = []
        self.random = options.inputs is None
        self.names = names = Names(ir)
        for position, node in enumerate(nodes):
            try:
                self.layers[position] = names.gather(node)
            except Skip as skip:
                self.outcomes[position] = skip.outcome

    def plan(self) -> None:
        """Find the inputs of both. Raises Skip."""
        inputs = wanted_inputs(self.onnx)
        self.inputs = matched_inputs(self.onnx, inputs, self.ir)
        both = [mine if its is None else mine._replace(shape=mine.shape & its.shape) for mine, its in self.inputs]
        self.arrays = chosen_inputs(self.onnx, both if self.random else inputs, self.options)

    def execute(self) -> None:
        """Run both on the same inputs, and compare."""
        nodes = {position: self.nodes[position] for position in self.layers}
        runs, skipped = plan_in_model(self.onnx, nodes, self.arrays, self.random, ONNXRUNTIME)
        self.outcomes |= skipped
        for run in runs:
            self._compare(run)
        self._name_first()

    def _compare(self, run: ModelRun) -> None:
        """Run some of the nodes in both."""
        positions = [node.position for node in run.layers]
        gathers = {position: self.layers[position] for position in positions}
        chunks, skipped = ir_in_model.plan_in_model(
            self.ir, gathers, self.options._replace(inputs=self.given, repeat=1)
        )
        self.outcomes |= skipped
        parts = [onnx_evidence(run.only(index)) for index in range(len(positions))]
        onnx_flow = flowed(onnx_evidence(run), parts, self.options)
        ours = dict(zip(positions, onnx_flow, strict=True))
        for chunk in chunks:
            chunk.reshaped = False
            pieces = [ir_evidence(chunk.only([index])) for index in range(len(chunk.layers))]
            ir_flow = flowed(ir_evidence(chunk), pieces, self.options)
            for layer, theirs in zip(chunk.layers, ir_flow, strict=True):
                self.outcomes[layer.position] = self._outcome(ours[layer.position], theirs)

    def _outcome(self, ours: Evidence | Outcome, theirs: tuple[Evidence, str] | Outcome) -> Outcome:
        if isinstance(ours, Outcome) and ours.verdict == "error" and self.random:
            return Outcome("skipped", f"the model does not run on random inputs: {ours.reason}", cause=ours.cause)
        if isinstance(ours, Outcome):
            return ours
        if isinstance(theirs, Outcome):
            return theirs
        return diverge(ours, theirs[0], self.options.device, version=theirs[1])

    @property
    def given(self) -> dict[str, Array]:
        """The inputs of the IR."""
        return {f"in{its.position}": self.arrays[mine.key] for mine, its in self.inputs if its is not None}

    def _name_first(self) -> None:
        """Say of the first node that differs that it is the first, and where what it is given comes from."""
        order = [at for at in range(len(self.nodes)) if self.outcomes[at].verdict == "different"]
        if not order:
            return
        first = self.nodes[order[0]]
        outcome = self.outcomes[order[0]]
        reason = f"{FIRST}: {outcome.reason}"
        if outcome.cause in INPUTS:
            search = Search(self.onnx, self.ir, self.names, self.arrays, self.given, self.options)
            reason = f"{reason}; {search.before(first)}"
        self.outcomes[order[0]] = outcome._replace(reason=reason)
        behind = _behind(self.onnx, str(first.proto.output[0]))
        for at in order[1:]:
            if any(name in behind for name in self.nodes[at].proto.input):
                note = f"behind {FIRST}, node {first.reference.name!r}"
                self.outcomes[at] = with_notes(self.outcomes[at], note)

    def reports(self) -> list[FileReport]:
        """The nodes of the ONNX file, and the Gather layers of the IR that none of them became."""
        device = self.options.device
        records = []
        for at, node in enumerate(self.nodes):
            outcome = self.outcomes[at]
            outcome = with_notes(outcome, "on random inputs" if self.random and outcome.verdict in FAILING else "")
            records.append(Record(node.reference, IN_PLACE, OPENVINO, device, outcome))
        places = {(layer.layer.body, layer.layer.id) for layer in self.layers.values()}
        reason = f"no node of {self.onnx.path} is called so: OpenVINO made it"
        own = [
            Record(reference_of(layer), IN_PLACE, OPENVINO, device, Outcome("skipped", reason))
            for layer in self.ir.layers()
            if is_family(layer) and (layer.body, layer.id) not in places
        ]
        files = [FileReport(self.onnx.path, tuple(records))]
        return [*files, FileReport(self.ir.path, tuple(own))] if own and self.options.layer is None else files


def _behind(model: OnnxModel, name: str) -> set[str]:
    """The values that depend on ``name``, it included; nodes come in the order in which they run."""
    behind = {name}
    for node in model.proto.graph.node:
        if any(each in behind for each in inputs_of(node)):
            behind.update(node.output)
    return behind
