"""What: ``<data>`` has an attribute that the operation lacks: misspelt, in another case, or, of a Gather layer, of
another version (``batch_dims`` on Gather-1, ``axis`` on Gather-8); or the attribute is on ``<layer>``.
Why: the layer runs with a default instead.
OpenVINO: ignores it silently. Of Gather layers an attribute that resembles none of the operation's own is a warning;
so is, of other types, one that says what the default is, one on ``<layer>``, and a ``<data>`` of another type.
Bad::
    <data Axis="0" />
Good::
    <data axis="0" />
"""

from functools import partial

from ovgather.forward.attributes import value_read
from ovgather.ops.declaration import MISSING, attribute_text
from ovgather.validation.context import (
    Diagnostic,
    File,
    Findings,
    Fix,
    Layer,
    Problem,
    Rule,
)
from ovgather.validation.facts.attributes import FAMILY, Data, on_layer

RULE = Rule(
    "OVG102", "unknown attribute", "error warning", "accepts rejects", "safe unsafe"
)
_IGNORES = "ignores it silently"


def check(file: File) -> Findings:
    for layer, data in file.layers_with(lambda data: data.unknown):
        yield from [_unknown(file, layer, data, name) for name in data.unknown]
    for layer, data in file.layers_with(lambda data: data.other_type):
        names = ", ".join(f"`{name}`" for name in data.texts)
        message = f"<data> is that of another type, such as {data.other_type}:"
        message += f" {data.declaration.name} does not have {names}"
        yield file.report(
            RULE, message, "data/", layer, effect=_IGNORES, severity="warning"
        )
    for problem, layer in on_layer(file.problems.get("layer-extra", ())):
        yield _on_layer(file, problem, layer)


def _on_layer(file: File, problem: Problem, layer: Layer) -> Diagnostic:
    name = problem.subject
    is_family = layer.offset in file.gathers and name.lower() in FAMILY
    return file.report(
        RULE,
        f"attribute `{name}` is on <layer>, not on <data>",
        file.span_at(problem.offset, name, "name"),
        layer,
        effect=_IGNORES,
        severity="error" if is_family else "warning",
        fix=partial(file.fixes.into_data, layer, name),
    )


def _unknown(file: File, layer: Layer, data: Data, name: str) -> Diagnostic:
    close = data.intended(name)
    if data.is_harmless(name, close):
        severity = "warning"
    else:
        severity = "error"
    verdict = "accepts"
    effect = _IGNORES
    fix = None
    help = f"did you mean `{close}`?" if close else _elsewhere(name, data)
    if close is not None and close not in data.texts:
        verdict, effect = _without(data, close)
        fix = partial(_fix, file, layer, data, name, close)
    message = f"unknown attribute `{name}`"
    span = file.place(layer, f"data/{name}", "name")
    label = f"not an attribute of {data.declaration.name}"
    return file.report(
        RULE,
        message,
        span,
        layer,
        verdict,
        effect,
        severity=severity,
        label=label,
        help=help,
        fix=fix,
    )


def _without(data: Data, name: str) -> tuple[str, str]:
    """What OpenVINO does without an attribute."""
    default = data.default(name)
    if default is MISSING:
        return "rejects", f"ignores it, and needs {name}"
    value = attribute_text(default)
    return (
        "accepts",
        f"{_IGNORES} and uses the default, {name} {value}"
        if value
        else f"{_IGNORES} and uses its default",
    )


def _fix(file: File, layer: Layer, data: Data, name: str, right: str) -> Fix | None:
    """The right name; safe where the result stays the same: the value is the
    default, or the layer does not run with the default."""
    attribute = next(each for each in data.declaration.attributes if each.name == right)
    element = file.element(layer).first("data")
    if element is None or value_read(data.texts[name], attribute) is None:
        return None
    is_safe = data.is_default(name, right) or (
        _is_rejected(file, layer) and file.is_built(layer)
    )
    return file.fixes.renamed(element, name, right, safe=is_safe)


def _is_rejected(file: File, layer: Layer) -> bool:
    """Whether the layer does not run as it is."""
    gather = file.gathers.get(layer.offset)
    if gather is None:
        return any(refusal.layer == layer for refusal in file.forward.refusals)
    misfit = any(error.kind == "dims_mismatch" for error in gather.errors)
    return gather.operation.indices_have_rank_of_data and misfit


def _elsewhere(name: str, data: Data) -> str | None:
    if name == "axis" and "axis" in [each.name for each in data.declaration.inputs]:
        return f"{data.declaration.name} takes its axis from its third input"
    if name == "batch_dims":
        return (
            f"{data.declaration.name} has no batch_dims; Gather-7 (opset7) and later do"
        )
    return None
