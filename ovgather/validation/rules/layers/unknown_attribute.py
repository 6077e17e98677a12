"""What: ``<data>`` of a Gather layer has an attribute that its operation lacks: misspelt, in another case, or of
another version (``batch_dims`` on Gather-1, ``axis`` on Gather-8); or the attribute is on ``<layer>``.
Why: the layer runs with a default instead.
OpenVINO: ignores it silently. An attribute that resembles none of the operation's own is a warning.
Bad::
    <data Axis="0" />
Good::
    <data axis="0" />
"""

from functools import partial

from ovgather.ir.numbers import leading_integer
from ovgather.validation.context import Diagnostic, File, Findings, Fix, GatherLayer, Layer, Problem, Rule
from ovgather.validation.facts.attributes import FAMILY, intended_attribute, is_harmless, unknown_attributes

RULE = Rule("OVG102", "unknown attribute", "error warning", "accepts", "safe unsafe")
_IGNORES = "ignores it silently"


def check(file: File) -> Findings:
    for gather in file.gather_layers_where(lambda gather: bool(unknown_attributes(gather))):
        yield from [_unknown(file, gather, name) for name in unknown_attributes(gather)]
    for problem in file.problems.get("layer-extra", ()):
        gather_layer = file.gathers.get(problem.offset)
        if gather_layer is not None and problem.subject.lower() in FAMILY:
            span, layer = file.span_at(problem.offset, problem.subject, "name"), gather_layer.layer
            message = f"attribute `{problem.subject}` is on <layer>, not on <data>"
            yield file.report(RULE, message, span, layer, effect=_IGNORES, fix=partial(_moved, file, problem, layer))


def _unknown(file: File, gather: GatherLayer, name: str) -> Diagnostic:
    close, layer = intended_attribute(name, gather), gather.layer
    severity = "warning" if is_harmless(gather, name, close) else "error"
    effect, fix, help = _IGNORES, None, f"did you mean `{close}`?" if close else _elsewhere(name, gather)
    if close is not None and close not in layer.data:
        effect += f" and uses the default, {close} {_default(gather, close)}"
        fix = partial(_fix, file, gather, name, close)
    message, span = f"unknown attribute `{name}`", file.place(layer, f"data/{name}", "name")
    label, verdict = f"not an attribute of {gather.operation.name}", "accepts"
    return file.report(RULE, message, span, layer, verdict, effect, severity=severity, label=label, help=help, fix=fix)


def _moved(file: File, problem: Problem, layer: Layer) -> Fix | None:
    """The attribute stands in ``<data>``."""
    element, name = file.element(layer), problem.subject
    begin, end = element.attribute_span(name, "both")
    text, what = element.attributes[name], f"{name.lower()} stands in <data>"
    added, removed = (
        file.fixes.attribute(layer, name.lower(), text, what),
        file.fixes.replaced((begin - 1, end), "", what),
    )
    return None if added is None or removed is None else added._replace(edits=(*removed.edits, *added.edits))


def _default(gather: GatherLayer, name: str) -> int | None:
    return next(attribute.default for attribute in gather.operation.attributes if attribute.name == name)


def _fix(file: File, gather: GatherLayer, name: str, right: str) -> Fix | None:
    """The right name; safe where the result stays the same: the value is the
    default, or the layer does not run with the default."""
    value = leading_integer(gather.layer.data[name], sign="-")
    data = file.element(gather.layer).first("data")
    if value is None or data is None:
        return None
    misfit = any(error.kind == "dims_mismatch" for error in gather.errors)
    rejected = gather.operation.indices_have_rank_of_data and misfit and file.is_built(gather.layer)
    return file.fixes.renamed(data, name, right, safe=value == _default(gather, right) or rejected)


def _elsewhere(name: str, gather: GatherLayer) -> str | None:
    if name == "axis" and gather.operation.takes_axis:
        return f"{gather.operation.name} takes its axis from its third input"
    if name == "batch_dims":
        return f"{gather.operation.name} has no batch_dims; Gather-7 (opset7) and later do"
    return None
