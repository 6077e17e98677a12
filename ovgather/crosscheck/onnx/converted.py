"""An ONNX file beside what OpenVINO converts it to: each Gather node in ONNX Runtime, in OpenVINO and in the reference,
on the same inputs, with the one that is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from tempfile import TemporaryDirectory

from ovgather.crosscheck.onnx.pair import crosscheck_pair
from ovgather.crosscheck.options import OPENVINO, CrosscheckOptions
from ovgather.crosscheck.report import FAILING, IN_PLACE, Record
from ovgather.crosscheck.verdict.judge import INPUTS
from ovgather.errors import InvalidModelError
from ovgather.ir.read import read as read_ir
from ovgather.layers.onnx_node import gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.source import serialized
from ovgather.processes import command, death, is_installed
from ovgather.runtimes.outcome import Outcome, own_words

_START = "from ovgather.crosscheck.onnx.converted import child; child()"
_CONVERSION = frozenset({"other-attributes", "other-constant"})
_ADDED = ("Exception from ", "Check '")
_LONGEST = 600


def crosscheck_converted(
    model: OnnxModel, options: CrosscheckOptions, native: Sequence[Record]
) -> tuple[Record, ...]:
    """The records of the nodes in OpenVINO; ``native`` are those of ONNX Runtime.

    OpenVINO converts the model in a child process, since it may crash.
    """
    if not gather_nodes(model):
        return ()
    if not is_installed(OPENVINO):
        return _each(model, options, Outcome("skipped", "openvino is not installed"))
    with TemporaryDirectory(prefix="ovgather-") as folder:
        converted = os.path.join(folder, "converted.xml")
        try:
            path = model.path
            if model.folder is None or not os.path.isfile(path):
                path = os.path.join(folder, "model.onnx")
                data = serialized(model.proto, model.path)
                with open(path, "wb") as file:
                    file.write(data)
            refusal = _convert(path, converted, options.timeout)
            if refusal is not None:
                return _each(model, options, refusal)
            reports = crosscheck_pair(
                model, read_ir(converted), options._replace(against=(OPENVINO,))
            )
        except InvalidModelError as error:
            reason = str(error).replace(converted, "the converted model")
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
    return outcome._replace(reason=f"{culprit} is wrong: {outcome.reason}")


def _convert(path: str, converted: str, timeout: float) -> Outcome | None:
    """Have OpenVINO write the IR of an ONNX file; the outcome of all nodes where it does not."""
    try:
        child = subprocess.run(
            command(_START, path, converted),
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Outcome(
            "timeout", f"OpenVINO takes more than {timeout:g} s to convert the model"
        )
    if child.returncode == 1:
        message = own_words(child.stderr.decode("utf-8", "replace"), _ADDED)
        return Outcome(
            "error",
            f"OpenVINO does not convert the model: {message[:_LONGEST]}",
            cause="not-converted",
        )
    if child.returncode:
        return Outcome(
            "crash",
            f"OpenVINO dies while it converts the model: {death(child.returncode)}",
        )
    return None


def child() -> None:
    """Convert the file that the first argument names to the IR that the second names."""
    import openvino

    source, target = sys.argv[1:3]
    try:
        model = openvino.Core().read_model(source)
        openvino.serialize(model, target)
    except RuntimeError as error:
        sys.stderr.write(str(error))
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)
