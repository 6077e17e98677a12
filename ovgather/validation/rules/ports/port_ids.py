"""What: a ``<port>`` without a valid id, or two input ports (or two output ports) of a layer with the same id. An id
with leading zeros, a sign or a blank is a warning.
Why: edges refer to ports by id. Input and output ids are separate, so an output may repeat the id of an input.
OpenVINO: rejects a missing or malformed id. If two inputs have one id, edges mean the first, and the layer is
"inconsistent"; in IR v10 it ignores the second if no port with an edge follows it, which is a warning. It accepts two
outputs of one id, if the operation has as many outputs (see OVG201).
Bad::
    <port id="0"/><port id="0"/>
Good::
    <port id="0"/><port id="1"/>
"""

from functools import partial

from ovgather.ir.edit.layer_text import end_of
from ovgather.validation.context import (
    File,
    Findings,
    Fix,
    Layer,
    LayerSignature,
    Rule,
)
from ovgather.validation.wording import odd_numbers

RULE = Rule(
    "OVG209",
    "port id that is absent, not a number, or given twice",
    "error warning",
    "rejects accepts",
    "safe",
    needs="problems port_ids_repeat",
)


def check(file: File) -> Findings:
    for problem in file.problems.get("port-id", ()):
        if problem.subject:
            message = f"port id {problem.value!r} is not a plain number"
        else:
            message = "<port> has no id"
        span = file.span_at(problem.offset, "id")
        layer = problem.layer
        yield file.report(RULE, message, span, layer, parsed=True)
    odd = file.problems.get("port-id-odd", ())
    yield from odd_numbers(file, RULE, odd, "port id")
    if file.port_ids_repeat:
        for layer in file.layers_where(_repeats):
            for side, ports, verdict in (
                ("input", layer.inputs, "rejects"),
                ("output", layer.outputs, "accepts"),
            ):
                seen: dict[int, int] = {}
                # With edges; IR v10 ignores the ports behind them.
                head = ports[: len({port.id for port in ports})]
                is_ignored = file.model.ir_version == 10 and len(
                    {port.id for port in head}
                ) == len(head)
                for index, port in enumerate(ports):
                    if (
                        first := seen.setdefault(port.id, index)
                    ) != index and port.id >= 0:
                        message = f"two {side} ports have the id {port.id}"
                        related = [("the other port", f"{side}/{first}/id")]
                        at = f"{side}/{index}/id"
                        if is_ignored:
                            how = "accepts"
                            severity = "warning"
                        else:
                            how = verdict
                            severity = "error"
                        fix = None
                        if port == ports[first]:
                            fix = partial(_removed, file, layer, side, index)
                        yield file.report(
                            RULE,
                            message,
                            at,
                            layer,
                            how,
                            severity=severity,
                            related=related,
                            fix=fix,
                        )


def _removed(file: File, layer: Layer, side: str, index: int) -> Fix | None:
    """A port that is there twice is there once."""
    port = file.element(layer).ports(side)[index]
    what = f"{side} port {index}, which is there twice, is removed"
    return file.fixes.replaced((port.start, end_of(port)), "", what)


def _repeats(signature: LayerSignature) -> bool:
    return any(
        len({port.id for port in ports}) < len(ports)
        for ports in (signature.inputs, signature.outputs)
    )
