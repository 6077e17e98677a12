"""What: the shape or element type that the file declares for the output (as a graph output or in ``value_info``)
differs from the one inferred from the inputs.
Why: tools that read the declared shape are misled.
Runtimes: ONNX Runtime rejects another type when it loads the model. For another shape it prints a warning, and gives
the inferred one (measured: 1.15 to 1.32). onnx's checker accepts both, its strict inference refuses them.
Bad::
    float[9,4] y = GatherElements(float[3,4] data, int64[2,4] indices)
Good::
    float[2,4] y = GatherElements(float[3,4] data, int64[2,4] indices)
"""

from ovgather.validation.onnx.context import Findings, OnnxFile, PartialShape, Rule

RULE = Rule(
    "OVG809",
    "declared output that differs from the inferred one",
    "error",
    "accepts",
    onnxruntime="undefined",
)


def check(file: OnnxFile) -> Findings:
    for node in file.nodes:
        if node.errors or node.unknown_attributes:
            continue  # what is wrong with the node is said of it
        inferred = node.inference.shape if node.inference is not None else None
        declared = node.output
        if inferred is not None and not inferred.compatible(declared.shape):
            yield file.report(
                RULE,
                _difference(inferred, declared.shape),
                node,
                help=f"should be {inferred.named}",
                subject="output dims",
            )
        type = next(iter(node.type_names), None)
        if declared.element_type is not None and type not in (
            None,
            declared.element_type,
        ):
            message = f"the output is declared tensor({declared.element_type}), but data are tensor({type})"
            yield file.report(RULE, message, node)


def _difference(inferred: PartialShape, declared: PartialShape) -> str:
    if inferred.rank != declared.rank:
        return f"the output is declared {declared.named}, but {inferred.named} is inferred from the inputs"
    pairs = enumerate(zip(declared, inferred, strict=True))
    index, given, computed = next(
        (index, *pair) for index, pair in pairs if not pair[0].compatible(pair[1])
    )
    return f"output dim {index} is declared {given.named}, but {computed.named} is inferred from the inputs"
