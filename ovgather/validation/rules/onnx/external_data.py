"""external data that are not there (OVG802)

What: a tensor says that its bytes are in another file, and that file is missing (a warning, one for each file), too
short, no regular file, or not below the folder of the model; or what the tensor says of it cannot be used.

Why: without the weights the model cannot run; and a path that leads out of the folder would let a model read any
file. Nothing outside is read. A link may lead into the folder of the model, into that of the file which the model is
a link to, or into the store of a model hub around it; `--follow-links` follows others, too.

Runtimes: ONNX Runtime does not load the model, nor where a link leads elsewhere.

Bad::

    location: "../../etc/passwd"

Good::

    location: "model.onnx.data"  offset: "0"  length: "4096"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.rules.onnx._report import report

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel

CODE = "OVG802"
TITLE = "external data that are not there"
SEVERITIES = ("error", "warning")
VERDICTS = ()


def check(model: OnnxModel) -> Iterator[Diagnostic]:
    """Every tensor that is kept elsewhere."""
    from ovgather.onnx_file.stored import Trouble
    from ovgather.onnx_file.tensors import external_of, require

    missing: Counter[str] = Counter()
    for _, tensor in model.tensors():
        try:
            if external_of(tensor) is not None:
                require(tensor, model.beside)
        except Trouble as trouble:
            if trouble.kind == "missing":
                missing[str(trouble)] += 1
            elif trouble.kind != "values":  # those are of rule OVG813
                yield report(model, CODE, "error", f"{_called(tensor)}: {trouble}", help=trouble.help)
    for what, count in missing.items():
        of = "1 tensor" if count == 1 else f"{count} tensors"
        help = "what needs values is not checked"
        yield report(model, CODE, "warning", f"external data of {of}: {what}", help=help)


def _called(tensor: Any) -> str:
    from ovgather.onnx_file.graphs import text

    return f'external data of tensor "{text(tensor.name)}"' if tensor.name else "external data of a tensor"
