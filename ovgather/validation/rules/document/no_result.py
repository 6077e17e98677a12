"""What: the model has no layers, or none of type ``Result`` or ``Assign``.
Why: OpenVINO builds only layers that lead to a Result, so the model computes nothing.
OpenVINO: loads it as a model without outputs.
Bad::
    <net name="m" version="11"><layers/><edges/></net>
Good::
    <layer id="3" name="out" type="Result" version="opset1">
"""

from ovgather.validation.context import File, Findings, Rule

RULE = Rule("OVG010", "model without a Result", "warning", "accepts", of_snippets=False)


def check(file: File) -> Findings:
    model = file.model
    ends = set(file.forms_of(("Result", "Assign")))
    if model.fatal or not ends.isdisjoint(reversed(model.graph.signatures)):
        return
    if model.graph.ids:
        message = "no Result: the model computes nothing"
    else:
        message = "the model has no layers"
    # A misspelt Result.
    about = [layer for layer in model.graph.layers if not layer.outputs]
    yield file.report(
        RULE, message, (0, 1), effect="loads a model without outputs", about=about
    )
