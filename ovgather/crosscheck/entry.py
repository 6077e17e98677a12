"""Cross-check: each Gather layer of a file, run by OpenVINO and compared with the reference.

A layer runs *alone*, cut out as a model of its own, and *in place*, in the whole model, on the values that
really flow there. A Gather only moves values, so every bit must be equal; where OpenVINO is known to deviate
from the specification, the verdict is ``known``, provided that the deviation explains every bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ovgather.crosscheck.report import ALONE, IN_PLACE, FileReport, Report, Stopped
from ovgather.tensor.guard import guarded

if TYPE_CHECKING:
    from typing import Any

    from ovgather.ir.graph import Layer
    from ovgather.ir.model import Model
    from ovgather.ir.read import PathOrData

__all__ = ["MODES", "TIMEOUT", "crosscheck"]

MODES = (ALONE, IN_PLACE, "both")
TIMEOUT = 120.0


@guarded
def crosscheck(
    source: PathOrData | Model,
    *,
    weights: str | os.PathLike[str] | bytes | None = None,
    inputs: Mapping[str, Any] | None = None,
    layer: str | None = None,
    seed: int = 0,
    device: str = "CPU",
    static: bool = False,
    timeout: float = TIMEOUT,
    mode: str = "both",
    variants: Sequence[str] = ("default",),
    against: Sequence[str] = ("openvino",),
    strict: bool = False,
    start: Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    converted: PathOrData | Model | None = None,
    follow_links: bool = False,
) -> Report:
    """Run the Gather layers of an IR file in OpenVINO and compare them with the reference, bit by bit.

    OpenVINO runs in a child process: its crash is a verdict (``crash``), not the end. The nodes of an ONNX file run
    in ONNX Runtime.

    Args:
        source: a path, the bytes, an open file, or a model that ``ovgather.read`` made.
        weights: the ``.bin``, as a path or as bytes; left out, the file beside the ``.xml`` is taken.
        inputs: arrays by Parameter name, tensor name, or ``in0``, ``in1``, ... in Parameter order, for the
            whole model; in mode ``alone`` the ``data`` and ``indices`` of ``layer``. Left out: random ones.
        layer: the one layer to check, by name or id, with the body path before it for a nested one.
        seed: of whatever is random.
        device: what OpenVINO runs on: ``CPU``, ``GPU.1``, ``AUTO``, ``HETERO:GPU,CPU``, ...
        static: run alone and in place on static shapes; the CPU plugin dies on some valid models then.
        timeout: seconds that one run may take.
        mode: ``alone`` (in all variants), ``in-place`` or ``both``.
        variants: how else each layer is tried alone: ``default``, ``all``, ``none``, names, or patterns of names.
        against: the runtimes: ``openvino``, ``onnxruntime``, ``onnx-reference``, ``torch``; for ONNX files the two in
            the middle.
        strict: known deviations are failures, too.
        start: the command line of a worker that runs another runtime; see ``ovgather.runtimes.worker``.
        progress: called with how many of how many runs have an answer.
        converted: with an ONNX file, the IR made from it: the two are compared layer by layer.
        follow_links: take a file beside the model also where it is a link to a place of its own; see ``ovgather.read``.

    Raises:
        InvalidModelError: the file cannot be read, ``layer`` is none, ``inputs`` do not fit, or there is no such
            runtime.
        UnavailableError: a runtime is not installed, or OpenVINO has no such device.
        Stopped: the user pressed Ctrl-C; it holds the report on what is known.

    >>> crosscheck(b"<net/>", mode="upright")
    Traceback (most recent call last):
    ovgather.errors.InvalidModelError: mode 'upright' is none of alone, in-place, both
    """
    from ovgather.crosscheck.check import OPENVINO, Check, Options
    from ovgather.errors import ArgumentError, InvalidModelError, shown
    from ovgather.ir.model import Model
    from ovgather.ir.read import read
    from ovgather.onnx_file.source import is_onnx
    from ovgather.runtimes.adapters import names
    from ovgather.runtimes.pool import Interrupted, require
    from ovgather.runtimes.request import Run
    from ovgather.validation.foreign_weights import without_foreign_weights

    if callable(against):
        raise ArgumentError(f"against must be a list of runtimes, not {shown(against)}; assert_matches takes functions")
    if mode not in MODES:
        raise InvalidModelError(f"mode {shown(mode)} is none of {', '.join(MODES)}")
    if mode == ALONE and inputs is not None and layer is None:
        raise InvalidModelError("inputs of a lone layer need `layer`, which says whose they are")
    if not isinstance(source, Model) and is_onnx(source):
        from ovgather.crosscheck.onnx.entry import crosscheck_file

        how = {"seed": seed, "against": against, "mode": mode, "timeout": timeout, "progress": progress}
        how["follow_links"] = follow_links
        return crosscheck_file(source, converted, weights, device, strict, layer, inputs, **how)
    model = source if isinstance(source, Model) else read(source, weights, follow_links=follow_links)
    if model.fatal:
        from ovgather.validation.unreadable import unreadable

        raise unreadable(model)
    model = without_foreign_weights(model)
    for runtime in against if start is None else ():
        if runtime not in names():
            raise InvalidModelError(f"runtime {shown(runtime)} is none of {', '.join(names())}")
        require(runtime)
    options = Options(Run(device, static), seed, tuple(against), tuple(variants), timeout, start, progress)
    check = Check(model, _chosen(model, layer), options)
    if mode != IN_PLACE:
        check.plan_alone(inputs if mode == ALONE else None)
    if mode != ALONE and OPENVINO in against:
        check.plan_in_model(inputs)
    try:
        check.execute()
    except Interrupted:
        raise Stopped(Report([FileReport(model.path, tuple(check.records()))], strict)) from None
    return Report([FileReport(model.path, tuple(check.records()))], strict)


def _chosen(model: Model, reference: str | None) -> list[Layer]:
    """The layers of the family, or the one that is asked for.

    Raises:
        InvalidModelError: there is no such layer, or it is none of the family.
    """
    from ovgather.errors import InvalidModelError, shown
    from ovgather.layers.gather_layer import is_family

    if reference is None:
        return [layer for layer in model.layers() if is_family(layer)]
    layer = model.find(reference)
    if not is_family(layer):
        raise InvalidModelError(f"{model.path}: layer {shown(reference)} is a {layer.type}, not a Gather")
    return [layer]
