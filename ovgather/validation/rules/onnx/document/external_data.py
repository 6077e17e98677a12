"""What: a tensor refers to external data, and the file is missing (one warning for each file), too short, not a regular
file, or not below the folder of the model; or the reference itself is invalid.
Why: without the weights the model cannot run, and a path out of the folder would let a model read any file. ovgather
reads nothing outside. A link may lead into the folder of the model, into the folder of the file that the model links
to, or into the store of a model hub around it; `--follow-links` also follows other links.
OpenVINO: takes all that follows in the file where a tensor has no length, and refuses the model if that is too much.
Runtimes: ONNX Runtime does not load the model, nor one whose link leads elsewhere.
Bad::
    location: "../../etc/passwd"
Good::
    location: "model.onnx.data"  offset: "0"  length: "4096"
"""

from collections import Counter
from typing import Any

from ovgather.onnx_file.tensors import TensorError, external_of, require, surplus
from ovgather.text import count
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG802",
    "missing or unusable external data",
    "error warning",
    "rejects undefined",
    onnxruntime="rejects",
)


def check(file: OnnxFile) -> Findings:
    missing: Counter[str] = Counter()
    for tensor in file.model.tensors():
        try:
            if external_of(tensor) is not None:
                require(tensor, file.model.beside)
                extra = surplus(tensor, file.model.beside)
                if extra:
                    message = f"external data of {_named(tensor)}: no length, and the file has {extra} more bytes"
                    yield file.report(
                        RULE,
                        message,
                        help="write the length of the tensor in bytes",
                        severity="warning",
                        openvino="rejects",
                        onnxruntime="accepts",
                    )
        except TensorError as error:
            if error.kind == "missing":
                missing[str(error)] += 1
            elif error.kind != "values":  # OVG813 reports those
                message = f"external data of {_named(tensor)}: {error}"
                yield file.report(RULE, message, help=error.help)
    for reason, number in missing.items():
        message = f"external data of {count(number, 'tensor')}: {reason}"
        yield file.report(
            RULE,
            message,
            severity="warning",
            openvino="undefined",
            help="what needs values is not checked",
        )


def _named(tensor: Any) -> str:
    return f'tensor "{tensor.name}"' if tensor.name else "a tensor"
