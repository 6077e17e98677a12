"""What: an ``<rt_info>`` of a layer or port has an attribute that OpenVINO reads (such as ``fused_names``, ``layout``
or ``decompression``) twice, or an invalid layout (``NCHW``, ``N?...`` and ``[N,C,...,width]`` are valid). Or
``old_api_map_order`` is not a list of numbers, ``old_api_map_element_type`` is not an element type, or a name in
``fused_names`` is empty. Or an attribute is one that OpenVINO has no reader for (``nms_selected_indices``), or an entry
of ``<meta_data>``, in a file without ``<rt_info>`` of the net, has no ``value``. Or the layout of an input or output of
the model has another number of dims. Or elements in the ``<rt_info>`` of the net are nested deeper than 100, which is a
warning.
Why: runtime information is optional, but these defects keep OpenVINO from reading or saving the file.
OpenVINO: rejects all but the last two in IR v11 ("multiple rt_info attributes are detected"). In v10 it reads only
``<meta_data>`` ("Unsupported legacy argument"), and an invalid layout is a warning. It does not compile a model with a
layout that does not fit. It indents nested elements when it saves a model: a depth of 1,000 gives a megabyte of blanks,
100,000 ten gigabytes.
Bad::
    <rt_info><attribute name="layout" version="0" layout="[[["/></rt_info>
Good::
    <rt_info><attribute name="layout" version="0" layout="[N,C,H,W]"/></rt_info>
"""

from ovgather.ir.reader.state import layout_names
from ovgather.validation.context import File, Findings, Layer, Rule

RULE = Rule(
    "OVG601",
    "harmful runtime information",
    "error warning",
    "rejects rejects_on_compile accepts",
    needs="problems model.layouts",
)
_ATTRIBUTES = {
    "rt-info-repeated": "name",
    "rt-info-unreadable": "name",
    "rt-info-value": "value",
    "rt-info-layout": "layout",
}
"""The attribute that each kind of problem concerns."""
_VALUES = {
    "old_api_map_order": "a list of numbers, such as 0,2,3,1",
    "old_api_map_element_type": "an element type, such as f32",
    "fused_names": "a list of names: one of them is empty",
}
_NO_LAYOUT = "{!r} is not a layout, such as NCHW or [N,C,...,width]"


def check(file: File) -> Findings:
    for problem in file.problems.get("rt-info-depth", ()):
        message = f"runtime information nested deeper than {problem.value}"
        span = file.span_at(problem.offset)
        effect = "saving the model takes the square of the depth in bytes"
        yield file.report(
            RULE, message, span, openvino="accepts", effect=effect, severity="warning"
        )
    for problem in file.problems.get("meta-data", ()):
        message = f"the entry `{problem.subject}` of <meta_data> has no `value`"
        yield file.report(RULE, message, file.span_at(problem.offset))
    if file.model.ir_version == 10:
        for problem in file.problems.get("rt-info-layout", ()):
            message = _NO_LAYOUT.format(problem.value)
            span = file.span_at(problem.offset, "layout")
            effect = "does not read it in IR v10"
            yield file.report(
                RULE,
                message,
                span,
                problem.layer,
                "accepts",
                effect=effect,
                severity="warning",
            )
        return
    for kind, attribute in _ATTRIBUTES.items():
        for problem in file.problems.get(kind, ()):
            message = _NO_LAYOUT.format(problem.value)
            if kind == "rt-info-unreadable":
                message = f"OpenVINO knows the runtime attribute `{problem.subject}`, but cannot read it"
            elif attribute == "name":
                message = f"runtime attribute `{problem.subject}` is given twice"
            elif attribute == "value":
                message = f"the `{problem.subject}` {problem.value!r} is not {_VALUES[problem.subject]}"
            span = file.span_at(problem.offset, attribute)
            yield file.report(RULE, message, span, problem.layer)
    yield from _unfit_layouts(file)


def _unfit_layouts(file: File) -> Findings:
    """The layouts of the inputs and outputs of the model that have another number of dims than these."""
    for layer, port, text, offset in file.model.layouts:
        outputs = file.forward.outputs.get(layer.offset, ())
        indices = [
            index for index, output in enumerate(layer.outputs) if output.id == port
        ]
        if not indices or indices[0] >= len(outputs):
            continue
        shape = outputs[indices[0]].shape
        names = layout_names(text) or []
        count = len(names) - names.count("...")
        if (
            shape.rank is None
            or count == shape.rank
            or (count < shape.rank and "..." in names)
        ):
            continue
        if not _is_end(file, layer, indices[0]):
            continue
        message = f"layout {text} does not fit the shape {shape}"
        span = file.span_at(offset, "layout")
        yield file.report(RULE, message, span, layer, "rejects_on_compile")


def _is_end(file: File, layer: Layer, index: int) -> bool:
    """Whether an output of a layer is an input of the model, or feeds one of its Results."""
    if layer.graph.parent is not None:
        return False
    if layer.type == "Parameter":
        return True
    return any(reader.type == "Result" for reader, _ in layer.consumers(index))
