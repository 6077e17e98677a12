"""What: a tensor in the file has fewer or more values than its dims and its type need, none at all, values in two
fields or in the field of another type; or its dims are negative or give more elements than can be counted.
Why: the values are unknown, and a reader that trusts the dims allocates terabytes.
Not checked: the length of ``raw_data`` above 4 MiB in a ``ModelProto`` in memory, since protobuf tells it only by a
copy. ``validate`` checks it in the bytes of the model.
Runtimes: ONNX Runtime does not load the model, except with values in two fields: it uses one of them.
Bad::
    dims: 1099511627776  data_type: FLOAT  raw_data: "\\000\\000\\200?"
Good::
    dims: 1  data_type: FLOAT  raw_data: "\\000\\000\\200?"
"""

from ovgather.onnx_file.tensors import TensorError, require_form
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG813",
    "values that do not match the dims of their tensor",
    "error",
    "rejects",
    onnxruntime="rejects",
)


def check(file: OnnxFile) -> Findings:
    for tensor in file.model.tensors():
        try:
            require_form(tensor, file.model.is_object)
        except TensorError as error:
            if tensor.name:
                subject = f'tensor "{tensor.name}"'
            else:
                subject = "a tensor"
            yield file.report(RULE, f"{subject}: {error}")
