"""Assertions that a runtime, or a function, gives what the reference gives; ``ovgather.testing`` has them."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ovgather.comparison.report import FAILING, Report
from ovgather.errors import OvgatherError
from ovgather.layers.reference import LayerReference, key_of
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.ops.sampling.random_layer import RandomLayer
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array
from ovgather.tensor.guard import guarded
from ovgather.testing.random_model import RandomModel, one_layer
from ovgather.text import layer_words, unpainted

Kernel = Callable[..., Any]


@guarded
def assert_matches(
    model: Any,
    layer: str | None = None,
    inputs: Mapping[str, Any] | None = None,
    against: str | Sequence[str] | Kernel = "openvino",
    *,
    weights: str | os.PathLike[str] | bytes | None = None,
    seed: int = 0,
    strict: bool = False,
    **options: Any,
) -> None:
    """Fail unless every Gather layer of ``model`` gives, to the bit, what the reference gives.

    Args:
        model: a path, the bytes of an ``.xml``, an ``ovgather.Model``, an ``openvino.Model``, or a layer or a model
            that ``layers()`` or ``models()`` drew.
        layer: the one layer that counts, by name or id, with the body path before it for a nested one.
        inputs: arrays for the whole model, by name; with a function, the ``data`` and ``indices`` of ``layer``.
            Left out: those of a drawn model, else random ones.
        against: runtimes by name, which run in processes of their own; or a function of data and indices, and of
            ``axis`` and ``batch_dims`` by name as far as the operation has them, that returns an array. It may lack
            ``batch_dims`` for layers without any.
        weights: the ``.bin``, where it is not beside the ``.xml``.
        seed: of what is random.
        strict: known deviations of a runtime are failures, too.
        options: more of ``ovgather.crosscheck``: ``device``, ``mode``, ``timeout``, ``variants``.

    Raises:
        AssertionError: something differs, fails or crashes, or nothing could be compared; the text says what and where.
        UnavailableError: a runtime is not installed, or has no such device.
        InvalidModelError: the model cannot be read, or has no such layer.

    >>> import numpy
    >>> sample = "samples_xml/specification/gather_elements_6_example_1.xml"
    >>> assert_matches(sample, against=lambda data, indices, axis: numpy.take_along_axis(data, indices, axis))
    """
    __tracebackhide__ = True  # pytest shows the line of the test instead
    if isinstance(model, RandomLayer):
        if callable(against):
            operation, _, _, _, data, indices, axis, batch_dims = model
            _compare(
                operation.name, operation, data, indices, axis, batch_dims, against
            )
            return
        model = one_layer(model)
    if isinstance(model, RandomModel):
        model, weights, inputs = (
            model.text,
            model.weights,
            model.inputs if inputs is None else inputs,
        )
    if callable(against):
        _compare_layers(model, weights, layer, inputs, against, seed)
        return
    from ovgather.comparison.entry import crosscheck

    if isinstance(against, str):
        names = [against]
    else:
        names = list(against)
    options.setdefault("variants", ["none"])
    report = crosscheck(
        model,
        weights=weights,
        inputs=inputs,
        layer=layer,
        seed=seed,
        against=names,
        **options,
    )
    problems = list(_problems(report, strict))
    if problems:
        raise AssertionError("\n".join(problems))


def _problems(report: Report, strict: bool) -> Iterator[str]:
    """The description of each layer that does not match, the first with a drawing."""
    from ovgather.report.crosscheck.text import difference
    from ovgather.report.drawing.text import draw

    verdicts = FAILING
    if strict:
        verdicts = FAILING | {"known"}
    is_drawn = False
    for file in report:
        for record in file.layers:
            if record.verdict in verdicts:
                run = f"{record.variant}, against {record.against} on {record.device}: {record.verdict}"
                details = filter(None, (run, difference(record.outcome), record.reason))
                yield f"{_words(record.layer)} of {file.path}, " + "\n  ".join(details)
                if record.evidence is not None and not is_drawn:
                    is_drawn = True
                    with suppress(
                        OvgatherError
                    ):  # an output that does not fit is described in words
                        yield unpainted(draw(record.evidence))
    if report.nothing_compared:
        reasons = dict.fromkeys(
            record.reason for record in report.records if record.reason
        )
        yield f"nothing was compared: {'; '.join(reasons) or 'the model has no Gather layer'}"


def _words(layer: LayerReference) -> str:
    operation = ops.find(layer.type, layer.version)
    return layer_words(
        operation.name if operation else layer.type, layer.name, layer.id, layer.body
    )


def _compare_layers(
    source: Any,
    weights: Any,
    layer: str | None,
    inputs: Mapping[str, Any] | None,
    kernel: Kernel,
    seed: int,
) -> None:
    __tracebackhide__ = True
    from ovgather.layers.formats import read
    from ovgather.layers.gather_layer import gather_layers
    from ovgather.verbs.run import prepare

    model = read(source, weights)
    paths = [key_of(gather.layer) for gather in gather_layers(model)]
    if layer is None and not paths:
        raise AssertionError(f"nothing was compared: {model.path} has no Gather layer")
    for path in paths if layer is None else [layer]:
        prepared = prepare(
            model, path, inputs if layer is not None else None, seed=seed
        )
        _compare(
            f"{_words(prepared.layer)} of {model.path}", *prepared.evidence[:5], kernel
        )


def _takes(kernel: Kernel, argument: str) -> bool:
    """Whether a function takes an argument by name; one that cannot be looked at may."""
    from inspect import Parameter, signature

    try:
        parameters = signature(kernel).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(
        each.name == argument or each.kind is Parameter.VAR_KEYWORD
        for each in parameters
    )


def _compare(
    name: str,
    operation: Operation,
    data: Array,
    indices: Array,
    axis: int,
    batch_dims: int,
    kernel: Kernel,
) -> None:
    """Run the function and the reference; fail with a drawing where they differ."""
    __tracebackhide__ = True
    import numpy

    from ovgather.comparison.verdict.compare import compare
    from ovgather.ops.evaluation import evaluate
    from ovgather.report.crosscheck.text import difference
    from ovgather.report.drawing.cells import inputs_text
    from ovgather.report.drawing.text import draw

    want = evaluate(operation, data, indices, axis, batch_dims)
    if operation.has_axis:
        keywords = {"axis": axis}
    else:
        keywords = {}
    takes_batch_dims = _takes(kernel, "batch_dims")
    if batch_dims and not takes_batch_dims:
        raise AssertionError(
            f"{name}: the function takes no batch_dims, and those of the layer are {batch_dims}"
        )
    if operation.has_batch_dims and takes_batch_dims:
        keywords["batch_dims"] = batch_dims
    got = numpy.asarray(kernel(data.copy(), indices.copy(), **keywords))
    compared = compare(got, want)
    if not compared.mismatches:
        return
    evidence = Evidence(operation, data, indices, axis, batch_dims, got)
    lines = [
        f"{name}: {getattr(kernel, '__name__', 'the function')} differs from the specification"
    ]
    lines += [f"  {text}" for text in (difference(compared), compared.shapes) if text]
    raise AssertionError(
        "\n".join([*lines, f"  {inputs_text(evidence)}", unpainted(draw(evidence))])
    )
