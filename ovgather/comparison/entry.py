"""Cross-check: each Gather layer of a file, run by a runtime *alone* and *in place*, in the whole model on the values
that really flow there, and compared with the reference, bit by bit. A difference whose every bit a known deviation of
OpenVINO explains is ``known``."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from ovgather.comparison.check import crosscheck_layers
from ovgather.comparison.expected import ExpectedFailures
from ovgather.comparison.ir_layers import IrLayers, family_layers
from ovgather.comparison.onnx.converted import crosscheck_converted
from ovgather.comparison.onnx.nodes import RUNTIMES, OnnxNodes
from ovgather.comparison.onnx.pair import crosscheck_pair
from ovgather.comparison.options import (
    DEFAULT_WAYS,
    MODES,
    OPENVINO,
    REPEAT,
    TIMEOUT,
    CrosscheckOptions,
    named_ways,
    parsed,
)
from ovgather.comparison.over_time import going_on
from ovgather.comparison.report import ALONE, FileReport, Report
from ovgather.errors import ArgumentError, InvalidModelError, short_repr
from ovgather.ir.model import Model
from ovgather.layers.formats import AnyModel, AnySource, read
from ovgather.layers.reference import LayerReference, reference
from ovgather.onnx_file.model import OnnxModel
from ovgather.runtimes.adapters import names
from ovgather.runtimes.available import require
from ovgather.tensor.guard import guarded
from ovgather.validation.check import usable


@guarded
def crosscheck(
    source: AnySource,
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
    start: str | Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    converted: AnySource | None = None,
    follow_links: bool = False,
    repeat: int = REPEAT,
    tolerance: str | None = None,
    config: Mapping[str, str] | None = None,
    plugins: Mapping[str, str] | None = None,
    ways: Sequence[str] = DEFAULT_WAYS,
    minutes: float = 0.0,
    expected: Sequence[str] = (),
) -> Report:
    """Run the Gather layers of an IR file in OpenVINO and compare them with the reference, bit by bit.

    OpenVINO runs in a child process: its crash is a verdict (``crash``), not the end. The nodes of an ONNX file run
    in ONNX Runtime, and in OpenVINO, which converts the file.

    Args:
        source: a path, the bytes, an open file, or a model of ovgather, OpenVINO or ONNX; see ``ovgather.read``.
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
        against: the runtimes: ``openvino``, ``onnxruntime``, ``onnx-reference``, ``torch``, one of an installed
            package, or ``package:Class``; for ONNX files the second and the third.
        strict: known deviations are failures, too.
        start: a runtime of your own in the place of OpenVINO: ``package:Class``, or the command line of a worker; see
            ``docs/runtimes.md``.
        progress: called with how many of how many runs have an answer.
        converted: with an ONNX file, the IR made from it: the two are compared layer by layer.
        follow_links: take a file beside the model also where it is a link to a place of its own; see ``ovgather.read``.
        repeat: how many inferences the compiled model makes in place: on other values, on other shapes, on the first
            ones again.
        tolerance: how far values may be off, for devices that compute in f16 or bf16: ``0.001`` (absolute), ``0.1%``
            (relative), ``2ulp``, or several with commas between them. Left out: not at all.
        config: properties that OpenVINO compiles with.
        plugins: libraries of OpenVINO plugins to register first, by the names of their devices.
        ways: in which the compiled model of the file runs once more: ``requests`` (several at once), ``outputs`` (into
            tensors of the caller), ``inputs`` (with new values in input tensors that the request has), ``streams``,
            ``imported`` (once it is exported), ``queried`` (what ``query_model`` says of it).
        minutes: go on for so long with other random inputs, more inferences and all ways, until something fails.
        expected: names or patterns of records that are expected to fail, such as ``"words in-place openvino"``: they
            are ``known``, with the cause ``expected``.

    Raises:
        InvalidModelError: the file cannot be read, ``layer`` is none, ``inputs`` do not fit, or there is no such
            runtime.
        ConfigurationError: the device does not take ``config``, or no record has a name of ``expected``.
        UnavailableError: a runtime is not installed, or OpenVINO has no such device.
        Stopped: the user pressed Ctrl-C; it holds the report on what is known.

    >>> crosscheck(b"<net/>", mode="upright")
    Traceback (most recent call last):
    ovgather.errors.InvalidModelError: mode 'upright' is none of alone, in-place, both
    """
    if callable(against):
        raise ArgumentError(
            f"against must be a list of runtimes, not {short_repr(against)}; assert_matches takes functions"
        )
    if mode not in MODES:
        raise InvalidModelError(
            f"mode {short_repr(mode)} is none of {', '.join(MODES)}"
        )
    command, against = with_start(start, against)
    options = CrosscheckOptions(
        inputs,
        layer,
        seed,
        device,
        static,
        timeout,
        mode,
        variants,
        against,
        strict,
        command,
        progress,
        repeat=repeat,
        tolerance=parsed(tolerance),
        config=config or {},
        plugins=plugins or {},
        ways=named_ways(ways),
        minutes=minutes,
    )
    model = read(source, weights, follow_links=follow_links)
    ir: Any = None
    if converted is not None and not isinstance(model, Model):
        ir = read(converted, weights, follow_links=follow_links)
        if not isinstance(ir, Model):
            raise InvalidModelError(
                f"{ir.path}: converted must be an IR, not an ONNX model"
            )
    report = crosscheck_model(model, options, ir)
    failures = ExpectedFailures(expected)
    report = Report(list(map(failures, report)), strict)
    failures.require_known()
    return report


def with_start(
    start: str | Sequence[str] | None, against: Sequence[str]
) -> tuple[Sequence[str] | None, Sequence[str]]:
    """The command line of a worker, and the runtimes: a ``package:Class`` stands in the place of OpenVINO."""
    if not isinstance(start, str):
        return start, against
    if ":" not in start:
        raise InvalidModelError(f"start {short_repr(start)} must be package:Class")
    return None, tuple(start if name == OPENVINO else name for name in against)


def crosscheck_model(
    model: AnyModel,
    options: CrosscheckOptions,
    converted: Model | None = None,
    only: Container[LayerReference] | None = None,
) -> Report:
    """``crosscheck`` of a model, or ``only`` of some of its layers, or of an ONNX one beside the IR made from it."""
    if options.layer_inputs is not None and options.layer is None:
        raise InvalidModelError(
            "inputs of a lone layer need `layer`, which says whose they are"
        )
    model = usable(model)

    def check(how: CrosscheckOptions) -> Report:
        if isinstance(model, Model):
            return _crosscheck_ir(model, how, only)
        if converted is not None:
            return crosscheck_pair(model, usable(converted), how)
        return _crosscheck_onnx(model, how, only)

    return going_on(options, check)


def _crosscheck_ir(
    model: Model, options: CrosscheckOptions, only: Container[LayerReference] | None
) -> Report:
    if options.start is None:
        for runtime in options.against:
            if runtime not in names() and ":" not in runtime:
                raise InvalidModelError(
                    f"runtime {short_repr(runtime)} is none of {', '.join(names())}"
                )
            require(runtime)
    layers = family_layers(model, options.layer)
    if only is not None:
        layers = [layer for layer in layers if reference(layer) in only]
    return crosscheck_layers(IrLayers(model, layers, options), options)


def _crosscheck_onnx(
    model: OnnxModel, options: CrosscheckOptions, only: Container[LayerReference] | None
) -> Report:
    is_default = tuple(options.against) == (OPENVINO,)
    against = (
        RUNTIMES[:1]
        if is_default
        else tuple(name for name in options.against if name != OPENVINO)
    )
    for runtime in against:
        if runtime not in RUNTIMES:
            raise InvalidModelError(
                f"runtime {runtime!r} runs no ONNX files: {' and '.join(RUNTIMES)} do"
            )
        require(runtime)
    own = options._replace(against=against, device="CPU", start=None)
    report = crosscheck_layers(OnnxNodes(model, own, only), own)
    if OPENVINO not in options.against or only is not None or options.mode == ALONE:
        return report
    records = crosscheck_converted(model, options, report.records)
    return Report([FileReport(model.path, (*report.records, *records))], options.strict)
