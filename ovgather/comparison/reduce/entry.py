"""``reduce`` for the tools of others: a failing layer of a model -> the smallest trial that fails alike."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ovgather.comparison.options import (
    DEFAULT_WAYS,
    CrosscheckOptions,
    named_ways,
    parsed,
)
from ovgather.comparison.reduce.folder import require_free, write
from ovgather.comparison.reduce.layer import failures, find_layer, reduce_failing
from ovgather.comparison.reduce.search import Reduction
from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.ir.read import WeightsOrData
from ovgather.layers.formats import AnySource, read
from ovgather.layers.reference import called, reference
from ovgather.runtimes.available import require
from ovgather.tensor.guard import guarded
from ovgather.validation.check import usable


@guarded
def reduce(
    source: AnySource,
    layer: str | None = None,
    *,
    weights: WeightsOrData | None = None,
    folder: str | os.PathLike[str] | None = None,
    variant: str | None = None,
    inputs: Mapping[str, Any] | None = None,
    seed: int = 0,
    device: str = "CPU",
    timeout: float = 60.0,
    strict: bool = False,
    tolerance: str | None = None,
    config: Mapping[str, str] | None = None,
    plugins: Mapping[str, str] | None = None,
    progress: Callable[[int, str], None] | None = None,
    follow_links: bool = False,
    ways: Sequence[str] = DEFAULT_WAYS,
) -> Reduction | None:
    """The worst failure of a layer of an IR, made as small as can be; None where nothing fails.

    Args:
        source, weights, follow_links: what is read, with which ``.bin``; see ``ovgather.read``.
        layer: by name or id; may be left out where the file has one Gather layer only.
        folder: where the reproducer is written: the model, its inputs, the right output, a script and a report.
        variant: the variant of ``crosscheck`` to reduce.
        strict: reduce known deviations, too.
        progress: called with the number of runs and the smallest trial in words.
        inputs, seed, device, timeout, tolerance, config, plugins, ways: see ``ovgather.crosscheck``.

    Raises:
        NotReproducedError: the failure has nothing that can be reduced, or did not come again.
        InvalidModelError: the file cannot be read, or has no such layer.
        UnavailableError: OpenVINO is not installed, or has no such device.
    """
    require("openvino")
    options = CrosscheckOptions(
        inputs,
        config=config or {},
        plugins=plugins or {},
        seed=seed,
        device=device,
        timeout=timeout,
        strict=strict,
        tolerance=parsed(tolerance),
        ways=named_ways(ways),
    )
    model = usable(read(source, weights, follow_links=follow_links))
    if not isinstance(model, Model):
        raise InvalidModelError(
            f"{model.path}: layers of an IR are reduced, not nodes of ONNX"
        )
    failing_layer = find_layer(model, layer)
    if folder is not None:
        require_free(os.fspath(folder), (model.path,))
    failing = failures(model, failing_layer, options, variant)
    if not failing:
        return None
    tell = progress or (lambda probes, smallest: None)
    reduction = reduce_failing(
        failing[0], options, lambda probes, smallest: tell(probes, str(smallest))
    )
    if folder is not None:
        seen = f"{called(reference(failing_layer))} of {os.path.basename(model.path)}, {failing[0].variant}"
        write(reduction, os.fspath(folder), options, seen, (model.path,))
    return reduction
