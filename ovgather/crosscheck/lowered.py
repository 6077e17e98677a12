"""A layer in another form, run in OpenVINO beside the reference of the layer as it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ovgather.crosscheck.options import TIMEOUT
from ovgather.crosscheck.report import FAILING
from ovgather.crosscheck.verdict.judge import judge
from ovgather.errors import OvgatherError
from ovgather.layers.arguments import arguments_of
from ovgather.runtimes import pool, wire
from ovgather.runtimes.available import require
from ovgather.runtimes.child import Failure
from ovgather.runtimes.outcome import Evidence, Outcome, error_of
from ovgather.runtimes.trial import UNRUNNABLE

if TYPE_CHECKING:
    from ovgather.layers.gather_layer import GatherLayer
    from ovgather.tensor.arrays import Array

Build = Callable[["Array", "Array", bool], tuple[bytes, bytes]]
"""From data and indices, and whether the indices are a Const, to an IR with a Result ``out`` and its weights."""


class _Case(NamedTuple):
    frame: wire.Frame
    evidence: Evidence

    def request(self) -> wire.Frame:
        return self.frame

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> Outcome:
        if "error" in header:
            return error_of(header)
        got = wire.from_wire(header["outputs"][0], blobs[0])
        return judge(self.evidence._replace(got=got), version=str(header["version"]))


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
    constant = frozenset({"indices"} if is_constant else ())
    values = data.array, indices.array, axis, gather.batch_dims, data.array, constant
    [answer] = pool.run([_Case(frame, Evidence(gather.operation, *values))], timeout=TIMEOUT, device="CPU")
    outcome = answer.outcome if isinstance(answer, Failure) else answer
    return outcome if outcome.verdict in FAILING else None
