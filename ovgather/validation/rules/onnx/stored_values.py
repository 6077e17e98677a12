"""values that do not match the dims of their tensor (OVG813)

What: a tensor in the file has fewer or more values than its dims and its type need, none at all, values in two fields
or in the field of another type; or its dims are negative or give more elements than can be counted.

Why: the values are unknown, and a reader that trusts the dims allocates terabytes.

Runtimes: ONNX Runtime does not load the model, except with values in two fields: it uses one of them.

Bad::

    dims: 1099511627776  data_type: FLOAT  raw_data: "\\000\\000\\200?"

Good::

    dims: 1  data_type: FLOAT  raw_data: "\\000\\000\\200?"
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.rules.onnx._report import report

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel

CODE = "OVG813"
TITLE = "values that do not match the dims of their tensor"
SEVERITIES = ("error",)
VERDICTS = ()


def check(model: OnnxModel) -> Iterator[Diagnostic]:
    """Every tensor that the model holds."""
    from ovgather.onnx_file.graphs import text
    from ovgather.onnx_file.stored import Trouble, require_form

    for _, tensor in model.tensors():
        try:
            require_form(tensor)
        except Trouble as trouble:
            what = f'tensor "{text(tensor.name)}"' if tensor.name else "a tensor"
            yield report(model, CODE, "error", f"{what}: {trouble}")
