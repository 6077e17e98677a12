"""An ONNX file beside what OpenVINO converts it to: each Gather node in ONNX Runtime, in OpenVINO and in the reference,
on the same inputs, with the one that is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from tempfile import TemporaryDirectory

from ovgather.comparison.onnx.inputs import chosen_inputs, wanted_inputs
from ovgather.comparison.onnx.pair import crosscheck_pair
from ovgather.comparison.options import OPENVINO, CrosscheckOptions
from ovgather.comparison.report import FAILING, IN_PLACE, Record
from ovgather.comparison.verdict.judge import INPUTS
from ovgather.errors import InvalidModelError
from ovgather.ir.read import read as read_ir
from ovgather.layers.onnx_node import gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.processes import is_installed
from ovgather.runtimes.child import Failure
from ovgather.runtimes.load import convert
from ovgather.runtimes.outcome import Outcome, Skip

_CONVERSION = frozenset({"other-attributes", "other-constant"})
_LONGEST = 600


def crosscheck_converted(
    model: OnnxModel, options: CrosscheckOptions, native: Sequence[Record]
) -> tuple[Record, ...]:
    """The records of the nodes in OpenVINO; ``native`` are those of ONNX Runtime."""
    if not gather_nodes(model):
        return ()
    if not is_installed(OPENVINO):
        return _each(model, options, Outcome("skipped", "openvino is not installed"))
    try:
        chosen_inputs(model, wanted_inputs(model), options)
    except Skip as skip:
        return _each(model, options, Outcome("skipped", str(skip)))
    with TemporaryDirectory(prefix="ovgather-") as folder:
        path = convert(model, folder, options.timeout)
        if isinstance(path, Failure):
            return _each(model, options, _refusal(path))
        try:
            reports = crosscheck_pair(
                model, read_ir(path), options._replace(against=(OPENVINO,))
            )
        except InvalidModelError as error:
            reason = str(error).replace(path, "the converted model")
            return _each(model, options, Outcome("skipped", reason))
    wrong = {
        record.layer
        for record in native
        if record.variant == IN_PLACE and record.verdict in FAILING
    }
    records = [
        record for file in reports if file.path == model.path for record in file.layers
    ]
    return tuple(
        record._replace(outcome=_blamed(record, record.layer in wrong))
        for record in records
    )


def _each(
    model: OnnxModel, options: CrosscheckOptions, outcome: Outcome
) -> tuple[Record, ...]:
    nodes = gather_nodes(model, options.layer)
    return tuple(
        [
            Record(node.reference, IN_PLACE, OPENVINO, options.device, outcome)
            for node in nodes
        ]
    )


def _blamed(record: Record, is_native_wrong: bool) -> Outcome:
    """The outcome, with what is wrong: the model before the node, the conversion, or one of the runtimes."""
    outcome = record.outcome
    if outcome.verdict != "different":
        return outcome
    if is_native_wrong:
        culprit = "ONNX Runtime"
    elif outcome.cause in INPUTS:
        culprit = "what comes before the node"
    elif outcome.cause in _CONVERSION:
        culprit = "the conversion"
    else:
        culprit = "OpenVINO"
    return outcome._replace(why=f"{culprit} is wrong: {outcome.why}")


def _refusal(failure: Failure) -> Outcome:
    if failure.verdict != "error":
        return failure.outcome
    reason = f"OpenVINO does not convert the model: {failure.reason[:_LONGEST]}"
    return Outcome("error", reason, cause="not-converted")
