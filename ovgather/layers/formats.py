"""Any source -> model -> Gather layers: the only module that distinguishes files, objects, IR and ONNX."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias, cast, overload

from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.ir.read import (
    PathOrData,
    Unchecked,
    WeightsOrData,
    path_of,
    read_all,
    unreadable,
)
from ovgather.ir.read import read as read_ir
from ovgather.layers.gather_layer import gather_layers
from ovgather.onnx_file.source import is_onnx, require
from ovgather.tensor.foreign import model_kind
from ovgather.tensor.guard import guarded

if TYPE_CHECKING:
    from typing import IO, Any

    from ovgather.layers.gather_layer import GatherLayer
    from ovgather.layers.onnx_node import GatherNode
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.tensor.foreign import ModelProto, OnnxIrModel, OpenvinoModel

AnyModel: TypeAlias = "Model | OnnxModel"
AnyGather: TypeAlias = "GatherLayer | GatherNode"
AnySource: TypeAlias = (
    "PathOrData | Model | OnnxModel | OpenvinoModel | ModelProto | OnnxIrModel"
)
"""A path, bytes, an open file, a model; also of another package: see ``tensor.foreign``."""


@overload
def read(
    source: Model | OpenvinoModel,
    weights: WeightsOrData | None = ...,
    *,
    follow_links: bool = ...,
) -> Model: ...


@overload
def read(
    source: OnnxModel | ModelProto | OnnxIrModel,
    weights: WeightsOrData | None = ...,
    *,
    follow_links: bool = ...,
) -> OnnxModel: ...


@overload
def read(
    source: AnySource, weights: WeightsOrData | None = ..., *, follow_links: bool = ...
) -> Model | OnnxModel: ...


@guarded
def read(
    source: AnySource,
    weights: WeightsOrData | None = None,
    *,
    follow_links: bool = False,
) -> Model | OnnxModel:
    """Read a model: an IR, a lone ``<layer>`` as printed on a specification page, or an ONNX model.

    Args:
        source: a path (``-`` for standard input), bytes, an open binary file, an ``openvino.Model``, an
            ``onnx.ModelProto``, an ``onnx_ir.Model``, or what ``read`` returned. Objects are serialized in memory.
        weights: the ``.bin`` of an IR as a path or as bytes; without it the file beside the ``.xml`` is taken, if there
            is one.
        follow_links: open the file beside the ``.xml`` also if it is a link that leads to neither the folder of the
            ``.xml``, nor that of the file which the ``.xml`` is a link to, nor the store of a model hub around it.

    Returns:
        A ``Model`` for any file: ``problems`` has its defects, and ``fatal`` is set if it is unreadable. For ONNX a
        model whose ``problem`` says why it is unreadable, else None. The verbs take both.

    Raises:
        UnavailableError: onnx is needed and not installed.

    >>> model = read(b'<net name="m" version="11"><layers/><edges/></net>')
    >>> model.ir_version, model.fatal, read(b"hello").fatal
    (11, False, True)
    """
    if isinstance(source, Model):
        return source
    if type(source).__name__ == "OnnxModel":
        return cast("OnnxModel", source)
    kind = model_kind(source)
    if kind == "openvino.Model":
        from ovgather.ir.of_openvino import model_of

        return model_of(source, f"<{kind}>")
    if kind is not None:
        return _of_onnx(source, kind)
    if isinstance(source, (str, os.PathLike, bytes, bytearray, memoryview)):
        if isinstance(source, Unchecked) or not is_onnx(source):
            return read_ir(source, weights, follow_links=follow_links)
        from ovgather.onnx_file.model import read as read_onnx

        return read_onnx(source, follow_links)
    path = path_of(source)
    try:
        data = read_all(cast("IO[bytes]", source))
    except (OSError, ValueError) as error:
        return unreadable(path, getattr(error, "strerror", None) or str(error))
    if not is_onnx(data):
        from ovgather.ir.edit.edits import Held

        return read_ir(Held(data, path), weights, follow_links=follow_links)
    from ovgather.onnx_file.model import OnnxModel

    require()
    return OnnxModel("<stdin>" if path == "-" else path, None, data)


def _of_onnx(source: Any, kind: str) -> OnnxModel:
    """An ``onnx.ModelProto`` or ``onnx_ir.Model``: the object itself, whose values stay where they are."""
    from ovgather.onnx_file.model import OnnxModel

    require()
    path = f"<{kind}>"
    if kind == "onnx.ModelProto":
        return OnnxModel(path, None, None, proto=source)
    from ovgather.onnx_file.of_onnx_ir import proto_of

    proto, beside = proto_of(source, path)
    return OnnxModel(path, beside, None, proto=proto)


def gathers(model: AnyModel, name: str | None = None) -> list[AnyGather]:
    """The layers or nodes of the family, those in bodies included, in the order of the file.

    With a ``name`` the one that is called so; InvalidModelError if it is not exactly one Gather.
    """
    if not isinstance(model, Model):
        from ovgather.layers.onnx_node import gather_nodes

        return [*gather_nodes(model, name)]
    if name is None:
        return [*gather_layers(model)]
    layer = model.find(name)
    for gather in gather_layers(model):
        if gather.layer is layer:
            return [gather]
    kind = f"{layer.type!r} ({layer.version})"
    raise InvalidModelError(
        f"{model.path}: layer {name!r} is a {kind}, not a Gather that can be run"
    )
