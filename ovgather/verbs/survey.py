"""Files -> what Gather layers there are, what endangers them and on which releases, and which of them are alike."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from ovgather.crosscheck.distinct import key
from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.ir.read import path_of
from ovgather.layers.compression import compression
from ovgather.layers.formats import AnySource, read
from ovgather.layers.gather_layer import gather_layers
from ovgather.layers.reference import LayerReference
from ovgather.tensor.guard import guarded
from ovgather.validation.check import check, problem_of
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.foreign_weights import with_own_values
from ovgather.validation.releases import SEEN

_INDICES = ("OVG501", "OVG502")  # the rules of an index out of range, and of an axis without any


class SurveyedLayer(NamedTuple):
    """A Gather layer; layers with the same ``key`` are the same to a runtime.

    ``indices``: ``constant`` (known, and in range), ``out of range`` or ``computed``.
    """

    layer: LayerReference
    operation: str
    types: tuple[str, ...]
    shapes: tuple[str, ...]
    axis: int | None
    batch_dims: int
    is_static: bool
    indices: str
    key: str
    compressed: str | None = None
    """What a table of the file is compressed to, in words."""


class Hazard(NamedTuple):
    """A finding that depends on the release; ``openvino`` is what it does on ``releases``."""

    code: str
    openvino: str
    releases: str
    message: str
    line: int


class SurveyedFile(NamedTuple):
    """A file; ``error``: why it cannot be read. ``weights``: ``there``, ``missing`` or ``unusable``."""

    path: str
    ir_version: int | None = None
    layer_count: int = 0
    weights: str = "missing"
    layers: tuple[SurveyedLayer, ...] = ()
    hazards: tuple[Hazard, ...] = ()
    error: str | None = None


@guarded
def survey(
    sources: AnySource | list[AnySource] | tuple[AnySource, ...],
    *,
    jobs: int = 1,
    follow_links: bool = False,
) -> list[SurveyedFile]:
    """What Gather layers some IR files have, and what endangers them.

    Args:
        sources: files or models, each in any form that ``ovgather.read`` takes, or one of them.
        jobs: how many processes read the files, which are then paths; 0: as many as pay off.
        follow_links: take a file beside a model also where it is a link to a place of its own; see ``ovgather.read``.

    >>> [file] = survey("samples_xml/demo/good.xml")
    >>> file.layers[0].operation, file.layers[0].indices
    ('Gather-8', 'computed')
    """
    from ovgather.validation.plan import check_files

    listed: list[AnySource] = [*sources] if isinstance(sources, (list, tuple)) else [sources]
    check = partial(survey_file, follow_links=follow_links)
    if jobs == 1:
        return [check(each) for each in listed]
    return [*check_files([path_of(each) for each in listed], check, jobs)]


def survey_file(source: AnySource, follow_links: bool = False) -> SurveyedFile:
    path = path_of(source)
    try:
        model = read(source, follow_links=follow_links)
        path = model.path
        if not isinstance(model, Model):
            return SurveyedFile(path, error="it is an ONNX model: IR files are surveyed")
        if (problem := problem_of(model)) is not None:
            return SurveyedFile(path, error=problem)
        findings, own = check(model), with_own_values(model)
        layers = tuple(_layers(own, findings))
    except InvalidModelError as error:  # such as weights at an address, while they are read
        return SurveyedFile(path, error=str(error))
    if model.weights is None:
        state = "missing"
    elif own.weights is not None:
        state = "there"
    else:
        state = "unusable"
    number = sum(1 for _ in model.layers())
    return SurveyedFile(path, model.ir_version, number, state, layers, tuple(_hazards(findings)))


def _layers(model: Model, findings: list[Diagnostic]) -> Iterator[SurveyedLayer]:
    outside = {finding.layer for finding in findings if finding.code in _INDICES}
    for gather in gather_layers(model):
        graph = gather.layer.graph
        fed = map(graph.with_id, graph.readers.get(gather.layer.id, ()))
        form = compression(gather)
        indices = "constant"
        if gather.constant(1) is None:
            indices = "computed"
        yield SurveyedLayer(
            gather.reference,
            gather.operation.name,
            tuple(name or "?" for name in gather.type_names),
            tuple(str(shape) for shape in gather.shapes),
            gather.axis,
            gather.batch_dims,
            all(shape.is_static for shape in gather.shapes),
            "out of range" if gather.reference in outside else indices,
            key(gather, {layer.type for layer in fed if layer is not None}),
            None if form is None else str(form),
        )


def _hazards(findings: list[Diagnostic]) -> Iterator[Hazard]:
    """The findings whose effect names releases; what it says of these alone follows in the same brackets."""
    for finding in findings:
        seen = {
            hazard.on
            for hazard in SEEN.values()
            if hazard.rule == finding.code and hazard.on in finding.effect
        }
        if seen:
            on = max(seen, key=len)
            then = finding.effect.partition(f"({on}: ")[2]
            if then.startswith("dies"):
                openvino = "crashes"
            elif then:
                openvino = "undefined"
            else:
                openvino = finding.openvino
            yield Hazard(finding.code, openvino, on, finding.message, finding.line)
