"""A layer in another form, run in OpenVINO beside the reference of the layer as it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ovgather.crosscheck.alone.run import TextRun
from ovgather.crosscheck.confirm import ask
from ovgather.crosscheck.options import OPENVINO, CrosscheckOptions
from ovgather.crosscheck.report import FAILING
from ovgather.errors import OvgatherError
from ovgather.layers.arguments import arguments_of
from ovgather.runtimes import wire
from ovgather.runtimes.available import require
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.trial import UNRUNNABLE

if TYPE_CHECKING:
    from ovgather.layers.gather_layer import GatherLayer
    from ovgather.tensor.arrays import Array

Build = Callable[["Array", "Array", bool], tuple[bytes, bytes]]
"""From data and indices, and whether the indices are a Const, to an IR with a Result ``out`` and its weights."""


def crosscheck_lowered(gather: GatherLayer, build: Build) -> Outcome | None:
    """What is wrong with the form that ``build`` makes of a layer; None: nothing. UnavailableError: no OpenVINO."""
    require("openvino")
    if gather.type_names[0] in UNRUNNABLE | {"string"}:
        return Outcome("skipped", f"OpenVINO's CPU plugin does not run {gather.type_names[0]} data")
    axis = gather.axis or 0
    try:
        data, indices = arguments_of(gather, {}, axis, 0)
    except OvgatherError as error:
        return Outcome("skipped", str(error))
    is_constant = indices.origin.startswith("constant")
    arrays = [data.array] if is_constant else [data.array, indices.array]
    inputs = [(kind, array) for kind, array in zip(gather.element_types, arrays, strict=False) if kind]
    frame = wire.request(wire.Text(*build(data.array, indices.array, is_constant)), [inputs], ["out"], "CPU")

    def evidence(header: wire.Header, blobs: list[bytearray]) -> Evidence:
        got, constant = wire.from_wire(header["outputs"][0], blobs[0]), frozenset({"indices"} if is_constant else ())
        return Evidence(gather.operation, data.array, indices.array, axis, gather.batch_dims, got, constant)

    options = CrosscheckOptions(confirmations=0)
    [[outcome]] = ask([TextRun(frame, evidence, options, search=True)], options, OPENVINO)
    return outcome if outcome.verdict in FAILING else None
