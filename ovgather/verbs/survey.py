"""Files -> what Gather layers there are, what endangers them and on which releases, and which of them are alike."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from ovgather.comparison.distinct import key
from ovgather.errors import InvalidModelError, short_repr
from ovgather.ir.model import Model
from ovgather.ir.read import path_of
from ovgather.layers.compression import compression
from ovgather.layers.formats import AnyModel, AnySource, gathers, read
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.reference import LayerReference
from ovgather.tensor.guard import guarded
from ovgather.text import count
from ovgather.validation.check import check_file, problem_of
from ovgather.validation.checked import MOST
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.foreign_weights import with_own_values
from ovgather.validation.releases import SEEN

# The rules of an index out of range, and of an axis without any.
_INDICES = ("OVG501", "OVG502", "OVG810")
_MOST_RANK = 64  # dims; a negative axis counts them from the end
_EXTERNAL = "OVG802"  # the rule of missing external data


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

    def __repr__(self) -> str:
        return f"<SurveyedLayer {short_repr(self.layer.name)}, {self.operation}: {self.indices} indices>"


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

    def __repr__(self) -> str:
        gathers = count(len(self.layers), "layer")
        return f"<SurveyedFile {short_repr(self.path)}: {gathers} of the Gather family>"


@guarded
def survey(
    sources: AnySource | list[AnySource] | tuple[AnySource, ...],
    *,
    jobs: int = 1,
    follow_links: bool = False,
) -> list[SurveyedFile]:
    """What Gather layers or nodes some files have, and what endangers them.

    Args:
        sources: files or models, each in any form that ``ovgather.read`` takes, or one of them.
        jobs: how many processes read the files, which are then paths; 0: as many as pay off.
        follow_links: take a file beside a model also where it is a link to a place of its own; see ``ovgather.read``.

    >>> [file] = survey("samples_xml/demo/good.xml")
    >>> file.layers[0].operation, file.layers[0].indices
    ('Gather-8', 'computed')
    """
    from ovgather.validation.plan import check_files

    listed: list[AnySource] = (
        [*sources] if isinstance(sources, (list, tuple)) else [sources]
    )
    check = partial(survey_file, follow_links=follow_links)
    if jobs == 1:
        return [check(each) for each in listed]
    return [*check_files([path_of(each) for each in listed], check, jobs)]


def survey_file(
    source: AnySource, model: AnyModel | None = None, follow_links: bool = False
) -> SurveyedFile:
    """``survey`` of one file, of which there may be the ``model``."""
    path = path_of(source)
    try:
        if model is None:
            model = read(source, follow_links=follow_links)
        path = model.path
        if (problem := problem_of(model)) is not None:
            return SurveyedFile(path, error=problem)
        checked = check_file(model, most=MOST)
        own = with_own_values(model)
        layers = tuple(_layers(own, checked.diagnostics))
    except (
        InvalidModelError
    ) as error:  # such as weights at an address, while they are read
        return SurveyedFile(path, error=str(error))
    state = "there"
    if isinstance(model, Model) and model.unused_weights is not None:
        state = "unusable"
    elif isinstance(model, Model) and model.weights is None:
        state = "missing"
    elif isinstance(own, Model) and own.weights is None:
        state = "unusable"
    elif any(finding.code == _EXTERNAL for finding in checked.diagnostics):
        state = "missing"
    hazards = tuple(_hazards(checked.diagnostics))
    return SurveyedFile(
        path, checked.ir_version, checked.layers, state, layers, hazards
    )


def _layers(model: AnyModel, findings: list[Diagnostic]) -> Iterator[SurveyedLayer]:
    outside = {finding.layer for finding in findings if finding.code in _INDICES}
    for gather in gathers(model):
        indices = "constant"
        form = None
        readers = None
        if isinstance(gather, GatherLayer):
            is_computed = gather.constant(1) is None
            form = compression(gather)
            graph = gather.layer.graph
            fed = map(graph.with_id, graph.readers.get(gather.layer.id, ()))
            readers = {layer.type for layer in fed if layer is not None}
        else:
            is_computed = not gather.is_constant(1)
        if is_computed:
            indices = "computed"
        if gather.reference in outside:
            indices = "out of range"
        yield SurveyedLayer(
            gather.reference,
            gather.title,
            tuple(name or "?" for name in gather.type_names),
            tuple(str(shape) for shape in gather.shapes),
            gather.axis,
            gather.batch_dims,
            all(shape.is_static for shape in gather.shapes),
            indices,
            key(gather, readers),
            None if form is None else str(form),
        )


def _from_record(record: Any, path: str) -> SurveyedFile:
    from ovgather.validation.many.record import decoded

    file: SurveyedFile = decoded(SurveyedFile, record, least=-_MOST_RANK)
    for layer in file.layers:
        int(layer.key, 16)
    return file._replace(path=path)


def kept(follow_links: bool = False) -> Any:
    """The survey as a cache keeps it."""
    from ovgather.validation.many.cache import Kept

    check = partial(survey_file, follow_links=follow_links)
    return Kept(
        check, list, _from_record, f"survey {follow_links}", follow_links=follow_links
    )


def _hazards(findings: list[Diagnostic]) -> Iterator[Hazard]:
    """The findings whose effect was measured by release."""
    for finding in findings:
        hazard = finding.hazard
        if hazard is not None:
            yield Hazard(
                finding.code,
                hazard.verdict or finding.openvino,
                SEEN[hazard.seen].on,
                finding.message,
                finding.line,
            )
