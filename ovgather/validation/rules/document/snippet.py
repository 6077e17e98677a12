"""What: the text is one ``<layer>``, not a whole IR. Notes list each repair that was needed to read it: ``...`` in
place of names, values without quotes, an axis given in a comment, an output port that repeats the id of an input port.
Why: the specification prints layers that way, and people quote them. ovgather checks whatever a single layer allows.
OpenVINO: reads whole files only. A well-formed document whose root is ``<layer>`` is therefore an error, unless it
comes from standard input. Text that needed repair was not written for OpenVINO and gives notes only.
Bad::
    <layer id="0" name="g" type="GatherElements" version="opset6"/>
Good::
    <net name="m" version="11"><layers/><edges/></net>
"""

from ovgather.validation.context import File, Findings, Layer, Rule

RULE = Rule(
    "OVG005",
    "layer on its own, or as printed in documentation",
    "error note",
    "rejects accepts",
    needs="model.snippet",
)


def check(file: File) -> Findings:
    model = file.model
    if not model.snippet:
        return
    repairs = [edit for edit in model.source.edits if edit.kind == "snippet"]
    for edit in repairs:
        span = edit.start, edit.start + edit.removed
        yield file.report(
            RULE, f"repaired: {edit.what}", span, severity="note", original=True
        )
    for layer in model.layers():
        if not repairs:
            message = "a <layer> on its own is not an IR: only <net> is; it is checked as a snippet"
            severity = "note" if model.path == "-" else "error"
            yield file.report(
                RULE, message, file.span_at(layer.offset), layer, severity=severity
            )
        yield from _repeated_ids(file, layer)
    for gather in file.gather_layers:
        if gather.axis_source == "comment":
            used = ["axis"]
        else:
            used = []
        if "batch_dims" not in gather.layer.data and gather.batch_dims:
            used.append("batch_dims")
        for name in used:
            message = (
                f"the {name} is taken from a comment: {name} = {model.comments[name]}"
            )
            yield file.report(
                RULE,
                message,
                "type",
                gather.layer,
                "accepts",
                "reads no comments",
                severity="note",
            )


def _repeated_ids(file: File, layer: Layer) -> Findings:
    seen: set[int] = set()
    for side, ports in (("input", layer.inputs), ("output", layer.outputs)):
        for index, port in enumerate(ports):
            if port.id >= 0 and port.id in seen:
                message = f"repaired: {side} port {index} repeats the port id {port.id}; ports count by position"
                yield file.report(
                    RULE,
                    message,
                    f"{side}/{index}/id",
                    layer,
                    "accepts",
                    severity="note",
                )
            seen.add(port.id)
