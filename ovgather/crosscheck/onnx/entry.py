"""Cross-check of ONNX files: each Gather node as ONNX Runtime computes it, and as an IR made from the file does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ovgather.errors import InvalidModelError, UnreadableError

if TYPE_CHECKING:
    import os

    from ovgather.crosscheck.report import Report
    from ovgather.ir.model import Model
    from ovgather.ir.read import PathOrData


def crosscheck_file(
    source: PathOrData,
    converted: PathOrData | Model | None,
    weights: str | os.PathLike[str] | bytes | None,
    device: str,
    strict: bool,
    layer: str | None,
    inputs: Any,
    **more: Any,
) -> Report:
    """``ovgather.crosscheck`` of an ONNX file, by itself or beside the IR ``converted`` from it; see there."""
    from ovgather.crosscheck.onnx.check import RUNTIMES, Options, crosscheck_onnx
    from ovgather.crosscheck.report import Report
    from ovgather.ir.model import Model
    from ovgather.ir.read import read as read_ir
    from ovgather.onnx_file.model import read
    from ovgather.validation.foreign_weights import without_foreign_weights
    from ovgather.validation.unreadable import unreadable

    model = read(source, more["follow_links"])
    if model.problem is not None:
        raise UnreadableError(f"{model.path}: no ONNX model can be read: {model.problem}")
    if converted is not None:
        from ovgather.crosscheck.onnx.pair import crosscheck_pair

        ir = (
            converted
            if isinstance(converted, Model)
            else read_ir(converted, weights, follow_links=more["follow_links"])
        )
        if ir.fatal:
            raise unreadable(ir)
        ir = without_foreign_weights(ir)
        how = {name: more[name] for name in ("seed", "timeout")}
        return crosscheck_pair(model, ir, layer=layer, inputs=inputs, device=device, strict=strict, **how)
    against = RUNTIMES[:1] if tuple(more["against"]) == ("openvino",) else tuple(more["against"])
    for runtime in against:
        if runtime not in RUNTIMES:
            raise InvalidModelError(f"runtime {runtime!r} runs no ONNX files: {' and '.join(RUNTIMES)} do")
    options = Options(more["seed"], against, more["mode"], more["timeout"], more["progress"])
    return Report(crosscheck_onnx(model, layer, inputs, options), strict)
