"""Gather layers of IR as ONNX nodes, and the other way round: models of one layer that mean the same."""

import os
import re
from collections.abc import Callable

from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.ir.read import WeightsOrData
from ovgather.layers.formats import AnySource, read
from ovgather.layers.gather_layer import gather_layers
from ovgather.layers.onnx_node import gather_nodes
from ovgather.onnx_file.source import require
from ovgather.tensor.guard import guarded
from ovgather.validation.check import usable
from ovgather.verbs.convert.to_ir import ToIr
from ovgather.verbs.convert.to_onnx import ToOnnx
from ovgather.verbs.written_model import LayerModel, unused


@guarded
def convert(
    source: AnySource,
    layer: str | None = None,
    *,
    weights: WeightsOrData | None = None,
    guard: bool = True,
    follow_links: bool = False,
) -> list[LayerModel]:
    """The Gather layers of an IR file as ONNX models, or those of an ONNX file as IR, each as a model of its own.

    Constants that feed a layer come along; every other input becomes an input of the model. Where the two dialects
    differ, layers before or after make the result the same: data cut to the size of indices, zeros for an index
    outside, batches, an error for an index outside. A layer without an exact equivalent is refused.

    Args:
        source, weights, follow_links: what is read, with which ``.bin``; see ``ovgather.read``.
        layer: a name (of a node that of its output, too) or an id, with the path of bodies before it for a nested
            one; None: all of the family.
        guard: False leaves out what makes an index outside an error (in IR), or gives zeros for it (in ONNX).

    Raises:
        UnreadableError: the file cannot be read.
        InvalidModelError: there is no such layer, or what it does has no counterpart.
        UnavailableError: onnx is not installed.
    """
    return [
        conversion()
        for conversion in conversions(source, layer, weights, guard, follow_links)
    ]


def conversions(
    source: AnySource,
    layer: str | None,
    weights: WeightsOrData | None,
    guard: bool,
    follow_links: bool = False,
) -> list[Callable[[], LayerModel]]:
    """A call for each layer, so that one which is refused does not keep back the others; arguments as ``convert``."""
    require()
    model = usable(read(source, weights, follow_links=follow_links))
    if not isinstance(model, Model):
        nodes = gather_nodes(model, layer)
        return [ToIr(model, node, guard).run for node in nodes]
    gathers = list(gather_layers(model))
    if layer is not None:
        selected = model.find(layer)
        gathers = [gather for gather in gathers if gather.layer is selected]
        if not gathers:
            raise InvalidModelError(
                f"{model.path}: layer {layer!r} is a {selected.type!r} ({selected.version}), not a Gather"
            )
    return [ToOnnx(gather, guard).run for gather in gathers]


def file_name(name: str, used: set[str]) -> str:
    """A name for the file of a layer: letters, digits, ``.``, ``_`` and ``-`` only, and none that is ``used``.

    >>> file_name("a/b: c", set()), file_name("a", {"a"}), file_name("..", set())
    ('a_b_c', 'a-2', 'layer')
    """
    base = (
        re.sub(
            r"[^\w.-]+", "_", os.path.normpath(name) if name else "", flags=re.ASCII
        ).strip("._")
        or "layer"
    )
    return unused(base[:100], used, "-")
