"""external data that are not there (OVG802)

What: a tensor says that its bytes are in another file, and that file is missing (a warning, one for each file), too
short, or not below the folder of the model; or what the tensor says of it cannot be used.

Why: without the weights the model cannot run; and a path that leads out of the folder would let a model read any
file. Nothing outside is read, not by way of links either.

Runtimes: ONNX Runtime does not load the model.

Bad::

    location: "../../etc/passwd"

Good::

    location: "model.onnx.data"  offset: "0"  length: "4096"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ovgather.diagnostics import Diagnostic
from ovgather.rules.onnx._report import report

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel

CODE = "OVG802"
TITLE = "external data that are not there"


def check(model: OnnxModel) -> Iterator[Diagnostic]:
    """Every tensor that is kept elsewhere."""
    from ovgather.onnx_file.tensors import Trouble, external_of, locate, needed_bytes

    missing: Counter[str] = Counter()
    for _, tensor in model.tensors():
        try:
            external = external_of(tensor)
            if external is not None:
                locate(external, model.folder, needed_bytes(tensor))
        except Trouble as trouble:
            if trouble.kind == "missing":
                missing[str(trouble)] += 1
            else:
                yield report(model, CODE, "error", f"{_called(tensor)}: {trouble}")
    for what, count in missing.items():
        of = "1 tensor" if count == 1 else f"{count} tensors"
        help = "what needs values is not checked"
        yield report(model, CODE, "warning", f"external data of {of}: {what}", help=help)


def _called(tensor: Any) -> str:
    from ovgather.onnx_file.graphs import text

    return f'external data of tensor "{text(tensor.name)}"' if tensor.name else "external data of a tensor"
