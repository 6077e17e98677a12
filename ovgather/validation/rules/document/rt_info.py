"""What: an ``<rt_info>`` of a layer or port has an attribute that OpenVINO reads (such as ``fused_names``, ``layout``
or ``decompression``) twice, or an invalid layout (``NCHW``, ``N?...`` and ``[N,C,...,width]`` are valid). Or
``old_api_map_order`` is not a list of numbers, ``old_api_map_element_type`` is not an element type, or a name in
``fused_names`` is empty. Or elements in the ``<rt_info>`` of the net are nested deeper than 100, which is a warning.
Why: runtime information is optional, but these defects keep OpenVINO from reading or saving the file.
OpenVINO: rejects all but the last in IR v11 ("multiple rt_info attributes are detected"). It does not read them in v10.
It indents nested elements when it saves a model: a depth of 1,000 gives a megabyte of blanks, 100,000 ten gigabytes.
Bad::
    <rt_info><attribute name="layout" version="0" layout="[[["/></rt_info>
Good::
    <rt_info><attribute name="layout" version="0" layout="[N,C,H,W]"/></rt_info>
"""

from ovgather.validation.context import File, Findings, Rule

RULE = Rule("OVG601", "harmful runtime information", "error warning", "rejects accepts")
_ATTRIBUTES = {"rt-info-repeated": "name", "rt-info-value": "value", "rt-info-layout": "layout"}
"""The attribute that each kind of problem concerns."""
_VALUES = {
    "old_api_map_order": "list of numbers, such as 0,2,3,1",
    "old_api_map_element_type": "element type, such as f32",
    "fused_names": "list of names: one of them is empty",
}


def check(file: File) -> Findings:
    for problem in file.problems.get("rt-info-depth", ()):
        message, span = (
            f"runtime information nested deeper than {problem.value}",
            file.span_at(problem.offset),
        )
        effect = "saving the model takes the square of the depth in bytes"
        yield file.report(
            RULE, message, span, openvino="accepts", effect=effect, severity="warning"
        )
    for kind, attribute in _ATTRIBUTES.items() if file.model.ir_version != 10 else ():
        for problem in file.problems.get(kind, ()):
            message = f"{problem.value!r} is not a layout, such as NCHW or [N,C,...,width]"
            if attribute == "name":
                message = f"runtime attribute `{problem.subject}` is given twice"
            elif attribute == "value":
                message = (
                    f"the `{problem.subject}` {problem.value!r} is no {_VALUES[problem.subject]}"
                )
            yield file.report(RULE, message, file.span_at(problem.offset, attribute), problem.layer)
