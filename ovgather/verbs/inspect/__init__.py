"""A file -> what it is: its version, who wrote it, which releases read it, what goes in and out, its weights."""

from contextlib import suppress

from ovgather.ir.encoding import describe
from ovgather.ir.read import read
from ovgather.onnx_file.source import is_onnx
from ovgather.validation.check import problem_of
from ovgather.verbs.inspect.ir import inspect_ir
from ovgather.verbs.inspect.records import Inspected

_HEAD = 512


def inspect(path: str, weights: str | None = None) -> Inspected:
    """What the file at ``path`` is; one that cannot be read has an ``error``, and what it seems to be.

    Raises:
        UnavailableError: it is an ONNX file, and onnx is not installed.

    >>> file = inspect("samples_xml/demo/good.xml")
    >>> file.version, file.readers.since, file.inputs[0].name
    (11, '2023.0', 'token_ids')
    """
    if is_onnx(path):
        head = b""
        with suppress(OSError), open(path, "rb") as file:
            head = file.read(_HEAD)
        what = describe(head) if head and not head.startswith(b"\x08") else None
        if what is not None:
            return Inspected(path, "unknown", f"no ONNX model: it is {what}")
        from ovgather.verbs.inspect.onnx import inspect_onnx

        return inspect_onnx(path)
    model = read(path, weights)
    problem = problem_of(model)
    return inspect_ir(model) if problem is None else Inspected(path, "unknown", problem)
