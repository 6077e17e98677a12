"""What: OpenVINO has no conversion for the operation of a node that leads to an output: an operation of a domain that
it does not know, one that it does not implement, or a function of the model, which no release converts. Under
``--target``, also one that came later.
Why: ``read_model`` and ``convert_model`` refuse the whole model.
OpenVINO: refuses the model: ``No conversion rule found for operations``. A node that leads to no output is passed over,
and an extension (``core.add_extension``) can bring a conversion. ``onnx.inliner.inline_local_functions`` replaces the
calls of functions.
Runtimes: ONNX Runtime runs functions, and the operations of ``com.microsoft``.
Bad::
    local.Pick(x, indices)
Good::
    Gather(x, indices)
"""

from ovgather.targets.onnx_operations import AI_ONNX, conversion_of, converted_types
from ovgather.text import did_you_mean
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG815",
    "operation that OpenVINO does not convert",
    "error",
    "rejects",
    onnxruntime="undefined",
)


def check(file: OnnxFile) -> Findings:
    if file.model.problem is not None:
        return
    from onnx import defs

    functions = {
        (function.domain, function.name) for function in file.model.proto.functions
    }
    for node in file.forward.unconverted:
        domain, type = node.operation
        name = f"{domain}.{type}" if domain else type
        conversion = conversion_of(domain, type)
        if (domain, type) in functions:
            message = f"{name} is a function of the model, which no release of OpenVINO converts"
            help = "replace its calls by its nodes: onnx.inliner.inline_local_functions, or --fix"
        elif conversion is not None:
            message = f"OpenVINO converts {name} up to {conversion.until} only ({conversion.source})"
            help = (
                "export the model without it, or add a conversion: core.add_extension"
            )
        else:
            message = f"OpenVINO has no conversion for {name}"
            help = (
                "export the model without it, or add a conversion: core.add_extension"
            )
            if domain in AI_ONNX and not defs.has(type):
                message = f"onnx has no operation {type}{did_you_mean(type, converted_types())}"
        if domain in AI_ONNX and domain:
            help = "leave the domain of the node empty: it means the same"
        subject = "function" if (domain, type) in functions else ""
        yield file.report(RULE, message, node.where, help=help, subject=subject)
    target = file.purpose.target
    if target is None:
        return
    for graph in file.model.graphs:
        for place, proto in enumerate(graph.proto.node):
            conversion = conversion_of(proto.domain, proto.op_type)
            if (
                conversion is not None
                and conversion.until is None
                and conversion.since > target
            ):
                message = f"OpenVINO converts {conversion.name} from {conversion.since} on, not in {target}"
                help = f"use OpenVINO {conversion.since} or later"
                where = file.reference(graph, place, proto)
                if target >= file.first_measured:
                    yield file.report(
                        RULE, f"{message} ({conversion.source})", where, help=help
                    )
