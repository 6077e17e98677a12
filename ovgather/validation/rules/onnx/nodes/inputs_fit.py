"""What: the shapes of ``data`` and ``indices`` contradict each other: unequal ranks for GatherElements, indices longer
than data off the axis, unequal batch dims, index tuples that are too long, scalars.
Why: the output would have no defined elements.
Runtimes: ONNX Runtime fails when it runs, except for unequal batch dims of a GatherND where the number of batches of
indices is a multiple of that of data: then it runs, and each batch of data gets several of indices. OpenVINO broadcasts
batch dims of 1, and refuses others. Where both give the same, since the unequal batch dims of data come last and are 1,
``run``, ``convert`` and ``crosscheck`` take the node, too. onnx's checker and its strict shape inference accept all of
these for GatherElements, and unequal batch dims.
Bad::
    GatherElements(float[3,4] data, int64[3] indices)
Good::
    GatherElements(float[3,4] data, int64[3,4] indices)
"""

from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG808",
    "inputs that do not fit together",
    "error",
    "accepts rejects rejects_on_compile undefined",
    onnxruntime="rejects_on_run",
)


def check(file: OnnxFile) -> Findings:
    yield from file.misfits(
        RULE, "data_rank", "indices_rank", "rank_mismatch", "dims_mismatch"
    )
    for node in file.nodes:
        if node.operation is not None and not node.errors:
            for problem in node.operation.broadcast(node.shapes, node.batch_dims)[:1]:
                yield file.report(
                    RULE,
                    str(problem),
                    node,
                    "repeat the batches of data, as runtimes do",
                )
