"""A layer in another form, run in OpenVINO beside the reference of the layer as it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ovgather.crosscheck.report import FAILING
from ovgather.crosscheck.verdict.judge import judge
from ovgather.errors import OvgatherError
from ovgather.layers.arguments import arguments_of
from ovgather.runtimes import pool, wire
from ovgather.runtimes.available import require
from ovgather.runtimes.child import Failure
from ovgather.runtimes.outcome import Evidence, Outcome, error_of
from ovgather.runtimes.trial import UNRUNNABLE
from ovgather.runtimes.wire import Text, from_wire, request

if TYPE_CHECKING:
    from ovgather.layers.gather_layer import GatherLayer
    from ovgather.tensor.arrays import Array

_TIMEOUT = 120.0
Build = Callable[["Array", "Array", bool], tuple[bytes, bytes]]
"""From data and indices, and whether the indices are a Const, to an IR with a Result ``out`` and its weights."""


class _Case(NamedTuple):
    gather: GatherLayer
    evidence: Evidence
    text: bytes
    weights: bytes
    is_constant: bool

    def request(self) -> wire.Frame:
        arrays = [self.evidence.data] if self.is_constant else [self.evidence.data, self.evidence.indices]
        inputs = [(kind, array) for kind, array in zip(self.gather.element_types, arrays, strict=False) if kind]
        return request(Text(self.text, self.weights), [inputs], ["out"], "CPU")

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> Outcome:
        if "error" in header:
            return error_of(header)
        evidence = self.evidence._replace(got=from_wire(header["outputs"][0], blobs[0]))
        return judge(evidence, version=str(header["version"]))


def crosscheck_lowered(gather: GatherLayer, build: Build) -> Outcome | None:
    """What is wrong with the form that ``build`` makes of a layer; None: nothing. UnavailableError: no OpenVINO."""
    require("openvino")
    if gather.type_names[0] in UNRUNNABLE | {"string"}:
        return Outcome("skipped", f"OpenVINO's CPU plugin does not run {gather.type_names[0]} data")
    try:
        data, indices = arguments_of(gather, {}, gather.axis or 0, 0)
    except OvgatherError as error:
        return Outcome("skipped", str(error))
    is_constant = indices.origin.startswith("constant")
    text, weights = build(data.array, indices.array, is_constant)
    constant = frozenset({"indices"}) if is_constant else frozenset()
    operation, axis = gather.operation, gather.axis or 0
    evidence = Evidence(operation, data.array, indices.array, axis, gather.batch_dims, data.array, constant)
    [answer] = pool.run([_Case(gather, evidence, text, weights, is_constant)], timeout=_TIMEOUT, device="CPU")
    outcome = answer.outcome if isinstance(answer, Failure) else answer
    return outcome if outcome.verdict in FAILING else None
