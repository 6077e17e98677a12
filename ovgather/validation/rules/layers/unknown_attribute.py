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
from ovgather.layers.gather_layer import GatherLayer
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Diagnostic, Fix
from ovgather.validation.facts.attributes import FAMILY, closest, is_harmless, unknown_attributes

CODE = "OVG102"
TITLE = "unknown attribute"
SEVERITIES = ("error", "warning")
VERDICTS = ("accepts",)


def check(file: File) -> Findings:
    """Attributes that the operation does not declare."""
    for gather in file.gather_layers_where(lambda gather: bool(unknown_attributes(gather))):
        yield from [_unknown(file, gather, name) for name in unknown_attributes(gather)]
    for problem in file.problems.get("layer-extra", ()):
        misplaced = file.gathers.get(problem.offset)
        if misplaced is not None and problem.subject.lower() in FAMILY:
            span = file.element_at(problem.offset).attribute_span(problem.subject, "name")
            message = f"attribute `{problem.subject}` stands on <layer>, not on <data>"
            found = file.report(CODE, "error", message, span, layer=misplaced.layer, openvino="accepts")
            found.effect = "ignores it without a word"
            yield found


def _unknown(file: File, gather: GatherLayer, name: str) -> Diagnostic:
    close = closest(name, gather)
    effect = "ignores it without a word"
    if close is not None and close not in gather.layer.data:
        default = next(a.default for a in gather.operation.attributes if a.name == close)
        effect += f" and uses the default, {close} {default}"
    return file.report(
        CODE,
        "warning" if is_harmless(gather, name, close) else "error",
        f"unknown attribute `{name}`",
        file.data_span(gather.layer, name, "name"),
        layer=gather.layer,
        openvino="accepts",
        effect=effect,
        label=f"not an attribute of {gather.operation.name}",
        help=f"did you mean `{close}`?" if close else _elsewhere(name, gather),
        fix=partial(_fix, file, gather, name, close) if close and close not in gather.layer.data else None,
    )


def _fix(file: File, gather: GatherLayer, name: str, right: str) -> Fix | None:
    """The right name, unless two attributes may be meant by it.

    It is safe where it changes nothing that runs: the value is the default, or the layer does not run with that.
    """
    written = gather.layer.data
    known = {attribute.name for attribute in gather.operation.attributes}
    meant = [other for other in written if other not in known and closest(other, gather) == right]
    value = leading_integer(written[name], sign="-")
    data = file.element(gather.layer).first("data")
    if meant != [name] or value is None or data is None:
        return None
    default = next(attribute.default for attribute in gather.operation.attributes if attribute.name == right)
    rejected = gather.operation.indices_have_rank_of_data and any(
        error.kind == "dims_mismatch" for error in gather.errors
    )
    return file.fixes.renamed(data, name, right, safe=value == default or (rejected and file.is_built(gather.layer)))


def _elsewhere(name: str, gather: GatherLayer) -> str | None:
    if name == "axis" and gather.operation.takes_axis:
        return f"{gather.operation.name} takes its axis from its third input"
    if name == "batch_dims":
        return f"{gather.operation.name} has no batch_dims; Gather-7 (opset7) and later do"
    return None
