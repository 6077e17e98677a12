"""values that do not fit the dims of their tensor (OVG813)

What: a tensor that the file holds has fewer or more values than its dims and its type need, none at all, values in two
fields or in that of another type; or its dims are negative, or those of more elements than can be counted.

Why: it is not known what the values are, and a reader that trusts the dims makes room for terabytes.

Runtimes: ONNX Runtime does not load the model, but for values in two fields, of which it takes one.

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
TITLE = "values that do not fit the dims of their tensor"
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
