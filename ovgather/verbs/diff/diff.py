"""Two models -> what differs in meaning, and what only in form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ovgather.comparison.options import TIMEOUT, CrosscheckOptions, parsed
from ovgather.ir.model import Model
from ovgather.layers.formats import AnyModel, AnySource, read
from ovgather.tensor.guard import guarded
from ovgather.validation.check import usable
from ovgather.verbs.diff.changes import Comparison
from ovgather.verbs.diff.match import Matching, Side
from ovgather.verbs.diff.records import Differences
from ovgather.verbs.network.of_model import of_model


@guarded
def diff(
    left: AnySource,
    right: AnySource,
    *,
    run: bool = False,
    inputs: Mapping[str, Any] | None = None,
    seed: int = 0,
    tolerance: str | None = None,
    device: str = "CPU",
    timeout: float = TIMEOUT,
) -> Differences:
    """What two models differ in; each is an IR or an ONNX model.

    Layers are matched by what leads to them and what they lead to, by types, attributes and the values of constants;
    names decide only where that leaves several, and ids never. Of an IR beside an ONNX model, the IR that OpenVINO
    makes of the latter is compared.

    Args:
        left, right: paths, bytes, open files or models; see ``ovgather.read``.
        run: run both on the same inputs and name the first layer whose values part; see ``parting``.
        inputs, seed, tolerance, device, timeout: of these runs; see ``ovgather.crosscheck``.

    Raises:
        UnreadableError: a file cannot be read.
        UnavailableError: OpenVINO or onnx is needed and not installed.

    >>> same = diff("samples_xml/demo/good.xml", "samples_xml/demo/good.xml")
    >>> same.verdict, same.layers
    ('same', (15, 15, 15))
    """
    models = [_opened(source) for source in (left, right)]
    if isinstance(models[0], Model) != isinstance(models[1], Model):
        from ovgather.verbs.diff.converted import converted

        models = [
            model if isinstance(model, Model) else converted(model) for model in models
        ]
    matching = Matching(*(Side(*of_model(model)) for model in models))
    comparison = Comparison(matching)
    parting = None
    if run:
        from ovgather.verbs.diff.run import part

        options = CrosscheckOptions(
            inputs=inputs,
            seed=seed,
            tolerance=parsed(tolerance),
            device=device,
            timeout=timeout,
            repeat=1,
        )
        parting = part(matching, options)
    sides = matching.left, matching.right
    return Differences(
        str(models[0].path),
        str(models[1].path),
        (*(len(side.layers) for side in sides), len(sides[0].partner)),  # type: ignore[arg-type]
        tuple(comparison.changes),
        tuple(comparison.quantized()),
        comparison.unknown,
        parting,
    )


def _opened(source: AnySource) -> AnyModel:
    model: AnyModel = usable(read(source))
    return model
