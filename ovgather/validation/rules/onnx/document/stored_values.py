"""What: a tensor in the file has fewer or more values than its dims and its type need, none at all, values in two
fields or in the field of another type; or its dims are negative or give more elements than can be counted.

Why: the values are unknown, and a reader that trusts the dims allocates terabytes.

Runtimes: ONNX Runtime does not load the model, except with values in two fields: it uses one of them.

Bad::
    dims: 1099511627776  data_type: FLOAT  raw_data: "\\000\\000\\200?"
Good::
    dims: 1  data_type: FLOAT  raw_data: "\\000\\000\\200?"
"""

from ovgather.onnx_file.graphs import text
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.tensors import Trouble, require_form
from ovgather.validation.rules.onnx._report import Findings, report

CODE = "OVG813"
TITLE = "values that do not match the dims of their tensor"
SEVERITIES = ("error",)
VERDICTS = ()


def check(model: OnnxModel) -> Findings:
    """Every tensor that the model holds."""
    for _, tensor in model.tensors():
        try:
            require_form(tensor)
        except Trouble as trouble:
            subject = f'tensor "{text(tensor.name)}"' if tensor.name else "a tensor"
            yield report(model, CODE, "error", f"{subject}: {trouble}")
