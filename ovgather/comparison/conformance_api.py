"""``conformance`` for the tools of others: how well a device runs the Gather family."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from fnmatch import fnmatchcase

from ovgather.comparison.conformance import (
    Conformance,
    generated,
    of_zoo,
    run,
)
from ovgather.comparison.expected import require_known
from ovgather.comparison.options import CrosscheckOptions
from ovgather.ir.model import Model
from ovgather.layers.formats import AnySource, read
from ovgather.layers.gather_layer import gather_layers
from ovgather.runtimes.available import require
from ovgather.tensor.guard import guarded
from ovgather.validation.check import usable


@guarded
def conformance(
    zoo: Iterable[AnySource] = (),
    *,
    device: str = "CPU",
    only: str = "*",
    expected: Sequence[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    seed: int = 0,
    timeout: float = 60.0,
    config: Mapping[str, str] | None = None,
    plugins: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
    follow_links: bool = False,
) -> Conformance:
    """Run a matrix of small Gather layers, and the distinct layers of the IR models ``zoo``, on a device.

    Args:
        zoo: models, each in any form that ``ovgather.read`` takes.
        device: what OpenVINO runs on.
        only: a pattern of the names of cases, such as ``Gather-8/*``.
        expected: names or patterns of cases that are expected to fail.
        resume: a file with results of an earlier run, which gets those of this one.
        progress: called with how many of how many cases are done.
        executor: what runs the cases in the place of processes of our own.
        seed, timeout, config, plugins, follow_links: see ``ovgather.crosscheck``.

    Returns:
        ``results`` of the cases; ``new`` and ``still`` failing ones, ``fixed`` those that no longer fail; ``rates``.

    Raises:
        ConfigurationError: no case has a name of ``expected``.
        UnavailableError: OpenVINO is not installed, or has no such device.
        UnreadableError: a model of ``zoo`` cannot be read.
    """
    require("openvino")
    options = CrosscheckOptions(
        seed=seed,
        device=device,
        timeout=timeout,
        config=config or {},
        plugins=plugins or {},
    )
    models = [usable(read(each, follow_links=follow_links)) for each in zoo]
    gathers = (
        gather
        for model in models
        if isinstance(model, Model)
        for gather in gather_layers(model)
    )
    every = [*generated(seed), *of_zoo(gathers, options)]
    require_known(expected or (), {case.name for case in every}, "case")
    cases = [case for case in every if fnmatchcase(case.name, only)]
    state = None
    if resume is not None:
        state = os.fspath(resume)
    results, end = run(
        cases, options, state, progress or (lambda known, total: None), executor
    )
    if end is not None:
        raise end
    return Conformance(device, results, len(cases), expected)
