"""What: an exported model for text (``openvino_model.xml``) differs from the ``config.json`` beside it: the number, the
heads or the sizes of its key-value caches, the width of its table of tokens or of its logits, a static length beyond
``max_position_embeddings``, or an input that a pipeline sets is missing: ``input_ids`` or ``inputs_embeds``,
``attention_mask``, and ``beam_idx`` where the model keeps its caches itself.
Why: the model is right by itself. A pipeline (optimum-intel, OpenVINO GenAI) makes its tensors by the configuration,
and sets these inputs by name. All differences are reported at once.
OpenVINO: reads and compiles the model. The pipeline fails, or computes something else.
Bad::
    {"architectures": ["GPT2LMHeadModel"], "num_attention_heads": 8}   (and the caches have 12 heads)
Good::
    {"architectures": ["GPT2LMHeadModel"], "num_attention_heads": 12}   (and the caches have 12 heads)
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ovgather.layers.inputs import index_origin, parameters
from ovgather.layers.tensors import output_tensor, parameter_shape
from ovgather.tensor.shape import PartialShape
from ovgather.validation.context import File, Findings, Layer, Rule
from ovgather.validation.facts.exported import (
    CacheName,
    ModelConfiguration,
    configuration,
)

RULE = Rule(
    "OVG504",
    "an exported model that differs from its configuration",
    "warning",
    "accepts",
    stage="run",
)
_HELP = "export the model again, and take config.json from the same export"
_EFFECT = "reads it; a pipeline sets its tensors by the configuration"
_TOKENS = ("input_ids", "inputs_embeds")


class _Cache(NamedTuple):
    """A key-value cache: its name in parts, the layer that holds or takes it, and its shape."""

    name: CacheName
    layer: Layer
    shape: PartialShape


def check(file: File) -> Findings:
    config = configuration(file.model.path)
    if config is None or file.model.fatal:
        return
    inputs = {
        name: layer
        for layer in parameters(file.model)
        for name in (layer.name, *file.model.tensor_names(layer))
    }
    caches = [*_caches(file)]
    if config.is_causal:
        yield from _missing(file, inputs, caches)
    yield from _sizes_of_caches(file, config, caches)
    yield from _widths(file, config)
    tokens = inputs.get("input_ids")
    shape = parameter_shape(tokens.data.get("shape")) if tokens is not None else None
    if tokens is not None and shape is not None and shape.rank == 2:
        length = shape[1]
        most = config.size("max_position_embeddings", "n_positions")
        if most is not None and length.is_static and length.length > most:
            message = f"input_ids has the static length {length.length}, and max_position_embeddings is {most}"
            yield _finding(file, message, "data/shape", tokens)


def _finding(
    file: File, message: str, place: str | None = None, layer: Layer | None = None
) -> Any:
    return file.report(
        RULE, message, place, layer, effect=_EFFECT, severity="warning", help=_HELP
    )


def _missing(file: File, inputs: dict[str, Layer], caches: list[_Cache]) -> Findings:
    """Inputs that a pipeline of causal models sets."""
    if inputs.keys().isdisjoint(_TOKENS):
        yield _finding(
            file, f"no input is called {' or '.join(_TOKENS)}: a pipeline sets it"
        )
    expected = ["attention_mask"]
    if any(cache.layer.type == "ReadValue" for cache in caches):
        expected.append("beam_idx")
    for name in expected:
        if name not in inputs:
            yield _finding(file, f"no input is called {name}: a pipeline sets it")


def _caches(file: File) -> Iterator[_Cache]:
    for layer in file.layers_of(["Parameter", "ReadValue"]):
        names = [layer.data.get("variable_id") or ""]
        text = layer.data.get("variable_shape")
        if layer.type == "Parameter":
            names = [layer.name, *file.model.tensor_names(layer)]
            text = layer.data.get("shape")
        name = next(filter(None, map(CacheName.of, names)), None)
        shape = parameter_shape(text)
        if name is not None and shape is not None and shape.rank == 4:
            yield _Cache(name, layer, shape)


def _sizes_of_caches(
    file: File, config: ModelConfiguration, caches: list[_Cache]
) -> Findings:
    """Caches of four dims: batch, heads, length, size of a head."""
    layers = {cache.name.layer for cache in caches}
    if caches and config.layers is not None and len(layers) != config.layers:
        message = f"the model has caches for {len(layers)} layers, and the configuration {config.layers} layers"
        yield _finding(file, message)
    for cache in caches:
        place = "data/shape"
        if cache.layer.type == "ReadValue":
            place = "data/variable_shape"
        for at, what, size in (
            (1, "heads", config.heads),
            (3, "elements a head", config.head_size),
        ):
            dim = cache.shape[at]
            if size is not None and dim.is_static and dim.length != size:
                message = f"{cache.name} has {dim.length} {what}, and the configuration {size}"
                yield _finding(file, message, place, cache.layer)


def _widths(file: File, config: ModelConfiguration) -> Findings:
    """The table of tokens, and the logits."""
    width = config.size("hidden_size", "n_embd", "d_model")
    if config.has_plain_table:
        for gather in file.gather_layers:
            shape = gather.shapes[0] if gather.shapes else None
            is_table = not gather.errors and index_origin(gather, "all") == "input_ids"
            if (
                not is_table
                or shape is None
                or shape.rank != 2
                or not shape[1].is_static
            ):
                continue
            if width is not None and shape[1].length != width:
                message = f"a row of the table of tokens has {shape[1].length} elements, and the configuration {width}"
                yield _finding(file, message, "input/0", gather.layer)
    rows = config.size("vocab_size")
    for layer in (
        file.layers_of(["Result"]) if config.is_causal and rows is not None else ()
    ):
        source = layer.producer(0)
        if source is None or "logits" not in file.model.tensor_names(source[0]):
            continue
        shape = output_tensor(*source).shape
        if (
            shape.rank
            and shape[shape.rank - 1].is_static
            and shape[shape.rank - 1].length != rows
        ):
            message = f"logits has {shape[shape.rank - 1].length} elements a token, and vocab_size is {rows}"
            yield _finding(file, message, "name", layer)
