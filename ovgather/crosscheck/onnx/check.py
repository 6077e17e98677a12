"""One ONNX file's cross-check: every node gets an outcome alone and in place, in each runtime."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ovgather.crosscheck.onnx.alone import Alone, plan_alone
from ovgather.crosscheck.onnx.in_model import InPlace, narrowed, plan_in_place
from ovgather.crosscheck.onnx.inputs import given_inputs, random_inputs, wanted_inputs
from ovgather.crosscheck.repeat import Asked, ask
from ovgather.crosscheck.report import ALONE, IN_PLACE, FileReport, Record, Report, Stopped
from ovgather.layers.onnx_node import ConstantError, find_node, gather_nodes
from ovgather.ops.sampling.values import generator
from ovgather.runtimes.onnx import worker
from ovgather.runtimes.onnx.request import UNSUPPORTED, require_external_data
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.pool import Interrupted, require
from ovgather.runtimes.request import Skip

if TYPE_CHECKING:
    from ovgather.layers.onnx_node import GatherNode
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.tensor.arrays import Array

RUNTIMES = ("onnxruntime", "onnx-reference")
_TIMEOUT = 120.0


class Options(NamedTuple):
    """What to run: in which runtimes and ways, for how long, and who is told how far it is."""

    seed: int = 0
    against: Sequence[str] = ("onnxruntime",)
    mode: str = "both"
    timeout: float = _TIMEOUT
    progress: Callable[[int, int], None] | None = None


def crosscheck_onnx(
    model: OnnxModel,
    layer: str | None = None,
    inputs: Mapping[str, Array] | None = None,
    options: Options = Options(),  # noqa: B008 - it cannot be changed
) -> Report:
    """Run the Gather nodes of an ONNX model and compare them with the reference, bit by bit.

    Args:
        layer: the one node to check, by name or by that of its output, with the path of its graph before it.
        inputs: arrays by name or ``in0``, ``in1``, ... for the whole model; in mode ``alone`` the ``data`` and
            ``indices`` of ``layer``. Left out: the constants of the file, and random ones.

    Raises:
        InvalidModelError: there is no such node, or ``inputs`` do not fit.
        UnavailableError: a runtime is not installed.
        Stopped: the user pressed Ctrl-C; it holds the report on what is known.
    """
    for runtime in options.against:
        require(runtime)
    check = _Check(model, gather_nodes(model) if layer is None else [find_node(model, layer)], options)
    if options.mode != IN_PLACE:
        check.plan_alone(inputs if options.mode == ALONE else None)
    if options.mode != ALONE:
        check.plan_in_place(inputs)
    try:
        for against in options.against:
            check.execute(against)
    except Interrupted:
        raise Stopped(check.report()) from None
    return check.report()


class _Check:
    """The nodes, and their outcomes by position, way and runtime as they come to be known."""

    def __init__(self, model: OnnxModel, nodes: list[GatherNode], options: Options) -> None:
        self.model = model
        self.nodes = nodes
        self.options = options
        self.outcomes: dict[tuple[int, str, str], Outcome] = {}
        self.alone: dict[int, Alone] = {}
        self.runs: list[tuple[list[int], InPlace]] = []

    def plan_alone(self, given: Mapping[str, Array] | None) -> None:
        for position, node in enumerate(self.nodes):
            try:
                self.alone[position] = plan_alone(node, self.options.against[0], self.options.seed, given)
            except ConstantError as error:
                self._skip(position, ALONE, Outcome("error", str(error), cause="error"))
            except Skip as skip:
                self._skip(position, ALONE, Outcome("skipped", str(skip)))

    def plan_in_place(self, given: Mapping[str, Array] | None) -> None:
        try:
            wanted = wanted_inputs(self.model)
            require_external_data(self.model)
            if given is not None:
                inputs = given_inputs(self.model, wanted, given)
            else:
                inputs = random_inputs(self.model, wanted, generator(self.options.seed))
        except Skip as skip:
            for position in range(len(self.nodes)):
                self._skip(position, IN_PLACE, Outcome("skipped", str(skip)))
            return
        runs, skipped = plan_in_place(self.model, self.nodes, inputs, given is None, self.options.against[0])
        for position, outcome in skipped.items():
            self._skip(position, IN_PLACE, outcome)
        judged = iter([position for position in range(len(self.nodes)) if position not in skipped])
        self.runs = [([next(judged) for _ in run.nodes], run) for run in runs]

    def _skip(self, position: int, variant: str, outcome: Outcome) -> None:
        for against in self.options.against:
            self.outcomes[position, variant, against] = outcome

    def execute(self, against: str) -> None:
        """Run what was planned.

        Raises:
            Interrupted: the user pressed Ctrl-C.
        """
        total = (len(self.alone) + len(self.runs)) * len(self.options.against)
        before = self.options.against.index(against) * (len(self.alone) + len(self.runs))

        def progress(known: int) -> None:
            if self.options.progress is not None:
                self.options.progress(before + known, total)

        def asked(cases: Sequence[Asked], told: Callable[[int], None] | None = None) -> list[list[Outcome]]:
            start = worker.command(against)
            timeout = self.options.timeout
            return ask(cases, device="CPU", timeout=timeout, start=start, progress=told) if cases else []

        alone = {position: case._replace(against=against) for position, case in self.alone.items()}
        runs = [run._replace(against=against) for _, run in self.runs]
        try:
            found = asked([*alone.values(), *runs], progress)
        except Interrupted as stop:
            self._take(against, stop.known)
            raise
        for run, outcomes in zip(runs, found[len(alone) :], strict=True):
            if outcomes[0].verdict in ("crash", "error") or outcomes[0].cause == UNSUPPORTED:
                narrowed(run, outcomes, asked)
        self._take(against, dict(enumerate(found)))

    def _take(self, against: str, answers: Mapping[int, list[Outcome]]) -> None:
        alone = list(self.alone)
        for at, outcomes in answers.items():
            way = ALONE if at < len(alone) else IN_PLACE
            positions = alone[at : at + 1] if way == ALONE else self.runs[at - len(alone)][0]
            for position, outcome in zip(positions, outcomes, strict=True):
                self.outcomes[position, way, against] = outcome

    def report(self) -> Report:
        """What is known."""
        return Report([FileReport(self.model.path, tuple(self._records()))])

    def _records(self) -> Iterator[Record]:
        for position, node in enumerate(self.nodes):
            for against in self.options.against:
                for way in (ALONE, IN_PLACE):
                    outcome = self.outcomes.get((position, way, against))
                    if outcome is not None:
                        yield Record(node.reference, way, against, "CPU", outcome)
