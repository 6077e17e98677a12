"""What: an opset1 or opset2 Broadcast with fewer than two inputs, a MaxPool of opset1 to opset7 without input, or a
ReadValue or Assign of opset6 or later without ``variable_id``.
Why: the layer lacks a required part.
OpenVINO: the process dies in ``read_model`` (SIGSEGV), so a program that calls it cannot report the cause. A file of
which it cannot read a dim, an id or an edge it rejects before.
Bad::
    <layer id="1" name="state" type="ReadValue" version="opset6"><data variable_type="f32"/>
Good::
    <layer id="1" name="state" type="ReadValue" version="opset6"><data variable_id="v" variable_type="f32"/>
"""

from ovgather.ir import opsets
from ovgather.validation.context import Effect, File, Findings, Rule
from ovgather.validation.facts.hazards import CRASHING_TYPES, STATE, missing_part

RULE = Rule(
    "OVG707",
    "layer that kills the process when it is read",
    "error",
    "crashes rejects",
    of_snippets=False,
)
_BEFORE = {"dim", "edge-attribute", "layer-attribute", "layer-id", "port-id"}
"""Problems of the text at which OpenVINO stops before it makes any layer."""


def check(file: File) -> Findings:
    is_stopped_before = bool(file.problems.keys() & _BEFORE)
    types = [name for name in file.types if name.lower() in CRASHING_TYPES]
    for layer in file.layers_of(types):
        if layer.inputs and not layer.graph.edges:
            continue  # OVG303 reports a graph without edges
        message = None
        if opsets.known(layer.type, layer.version):
            message = missing_part(layer)
        if message is not None:
            if layer.type.lower() in STATE:
                key = "state"
            else:
                key = layer.type.lower()
            verdict: str = "crashes"
            effect: Effect | str = Effect(
                "the process dies while it reads the file", key
            )
            if is_stopped_before:
                verdict = "rejects"
                effect = ""
            yield file.report(RULE, message, "type", layer, verdict, effect)
