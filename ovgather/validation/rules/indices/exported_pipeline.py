"""What: an exported model for text (``openvino_model.xml``, its encoder or decoder) differs from the ``config.json``
beside it: the number, the heads or the sizes of its key-value caches, caches of a model that only encodes, the width of
its table of tokens or of its logits, a static length beyond ``max_position_embeddings``; an input that a pipeline sets
is missing: what the tokenizer beside it gives, ``input_ids`` or ``inputs_embeds``, ``attention_mask``, and ``beam_idx``
where the model keeps its caches itself; or no pipeline sets an input of integers, or sets it with this type. Or no
output is called ``logits``, where a pipeline reads it; the logits are not as many as the labels; or a JSON file beside
the model holds no object, or a number as a text; or of an encoder and a decoder one is missing; or the model does not
take images of the size that ``preprocessor_config.json`` makes; or none of its constants has the few bits that
``openvino_config.json`` names; or the tokenizer gives a tensor that it does not take, and lacks one.
Why: the model is right by itself. A pipeline (optimum-intel, OpenVINO GenAI) makes its tensors by the configuration,
and sets these inputs by name. All differences are reported at once.
OpenVINO: reads and compiles the model. The pipeline fails, or computes something else.
Bad::
    {"architectures": ["GPT2LMHeadModel"], "num_attention_heads": 8}   (and the caches have 12 heads)
Good::
    {"architectures": ["GPT2LMHeadModel"], "num_attention_heads": 12}   (and the caches have 12 heads)
"""

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from ovgather.files.companions import DETOKENIZER, PARTS, TOKENIZER
from ovgather.forward.run import Forward
from ovgather.layers.inputs import index_origin, parameters
from ovgather.layers.reference import called, reference
from ovgather.layers.tensors import output_tensor, parameter_shape
from ovgather.tensor import element_type
from ovgather.tensor.shape import PartialShape
from ovgather.validation.context import File, Findings, Layer, Rule
from ovgather.validation.facts.exported import (
    CacheName,
    ModelConfiguration,
    configuration,
    exported,
    is_part,
)

RULE = Rule(
    "OVG504",
    "an exported model that differs from its configuration",
    "warning",
    "accepts",
    stage="run",
    needs="companions",
)
_HELP = "export the model again, and take config.json from the same export"
_EFFECT = "reads it; a pipeline sets its tensors by the configuration"
_TOKENS = ("input_ids", "inputs_embeds")
_TABLES = ("input_ids", "decoder_input_ids")
_MASK = "attention_mask"
_INPUT_NAMES = {
    *_TOKENS,
    *_TABLES,
    _MASK,
    "beam_idx",
    "cache_position",
    "decoder_attention_mask",
    "encoder_attention_mask",
    "global_attention_mask",
    "langs",
    "position_ids",
    "token_type_ids",
}
"""The inputs of integers that pipelines for text set."""
_GIVEN = {"input_ids", _MASK, "token_type_ids"}
"""The inputs that a tokenizer gives."""


_READ = {"logits", "last_hidden_state", "token_embeddings", "sentence_embedding"}
"""The outputs that pipelines read; all but the first are those of an export that gives features."""


class _Cache(NamedTuple):
    """A key-value cache: its name in parts, the layer that holds or takes it, and its shape."""

    name: CacheName
    layer: Layer
    shape: PartialShape


def check(file: File) -> Findings:
    yield from _role(file)
    if is_part(file.model.path) and not file.model.fatal:
        for name in exported(file.model.path).unreadable:
            message = f"{name} holds no JSON object: it was probably cut off"
            yield _finding(file, message)
    config = configuration(file.model.path)
    if config is None or file.model.fatal:
        return
    yield from _texts_and_parts(file, config)
    inputs = {
        name: layer
        for layer in parameters(file.model)
        for name in (layer.name, *file.model.tensor_names(layer))
    }
    caches = [*_caches(file)]
    yield from _inputs(file, config, inputs, caches)
    if config.is_encoder and caches:
        message = f"the model keeps {caches[0].name}, and the configuration is that of an encoder"
        yield _finding(file, message, layer=caches[0].layer)
    yield from _sizes_of_caches(file, config, caches)
    yield from _widths(file, config)
    yield from _images(file, inputs)
    yield from _bits(file)
    tokens = inputs.get("input_ids")
    shape = parameter_shape(tokens.data.get("shape")) if tokens is not None else None
    if tokens is not None and shape is not None and shape.rank == 2:
        length = shape[1]
        most = config.size("max_position_embeddings", "n_positions")
        if most is not None and length.is_static and length.length > most:
            message = f"input_ids has the static length {length.length}, and max_position_embeddings is {most}"
            yield _finding(file, message, "data/shape", tokens)


def _role(file: File) -> Findings:
    """A tokenizer takes texts, and a detokenizer ids; each may have been put in the place of the other."""
    own = os.path.basename(file.model.path)
    kinds = {layer.data.get("element_type") for layer in parameters(file.model)}
    for name, is_right, words in (
        (TOKENIZER, "string" in kinds, "takes no texts"),
        (DETOKENIZER, "string" not in kinds, "takes texts, not ids"),
    ):
        if own == name and kinds and not is_right:
            yield _finding(file, f"{name} {words}: it is another file under this name")


def _texts_and_parts(file: File, config: ModelConfiguration) -> Findings:
    """Numbers of the configuration that are texts, and the other part of an encoder and decoder."""
    for name, text in config.texts.items():
        message = f"{name} is the text {text!r} in config.json, not a number"
        yield _finding(file, message)
    names = exported(file.model.path).names
    own = os.path.basename(file.model.path)
    if config.has_parts and own in PARTS:
        for other in sorted({*PARTS} - names):
            yield _finding(file, f"{other} is missing: a pipeline runs both parts")


def _finding(
    file: File, message: str, place: str | None = None, layer: Layer | None = None
) -> Any:
    return file.report(
        RULE, message, place, layer, effect=_EFFECT, severity="warning", help=_HELP
    )


def _inputs(
    file: File,
    config: ModelConfiguration,
    inputs: dict[str, Layer],
    caches: list[_Cache],
) -> Findings:
    """Inputs that a pipeline sets and the model lacks, and those that no pipeline sets."""
    given = exported(file.model.path).tokens & {"input_ids", _MASK}
    expected = set()
    if config.is_causal:
        expected.add(_MASK)
        if inputs.keys().isdisjoint(_TOKENS):
            either = " or ".join(_TOKENS)
            yield _finding(file, f"no input is called {either}: a pipeline sets it")
    elif given & inputs.keys() and "inputs_embeds" not in inputs:
        expected |= given
    if any(cache.layer.type == "ReadValue" for cache in caches):
        expected.add("beam_idx")
    for name in sorted(expected - inputs.keys()):
        yield _finding(file, f"no input is called {name}: a pipeline sets it")
    if inputs.keys().isdisjoint((*_TOKENS, *_TABLES)):
        return
    given = exported(file.model.path).tokens
    lacking, strange = (
        _GIVEN & inputs.keys() - given,
        given - inputs.keys() - _INPUT_NAMES,
    )
    if lacking and strange:
        message = (
            f"the tokenizer gives {min(strange)}, and the model takes {min(lacking)}"
        )
        yield _finding(file, message, "name", inputs[min(lacking)])
    for layer in parameters(file.model):
        names = {layer.name, *file.model.tensor_names(layer)}
        kind = layer.data.get("element_type")
        integers = ("i32",) if "beam_idx" in names else ("i32", "i64")
        if names & _INPUT_NAMES - {"inputs_embeds"} and kind not in integers:
            message = f"{layer.name} takes {kind}, and a pipeline gives {integers[-1]}"
            yield _finding(file, message, "data/element_type", layer)
        if kind in ("i64", "i32") and not names & _INPUT_NAMES:
            shape = parameter_shape(layer.data.get("shape"))
            if shape is not None and shape.rank == 2:
                message = (
                    f"no pipeline for text sets an input that is called {layer.name}"
                )
                yield _finding(file, message, "name", layer)


def _images(file: File, inputs: dict[str, Layer]) -> Findings:
    """Images of the size that the preprocessor makes, where the model does not take them."""
    layer = inputs.get("pixel_values")
    shape = parameter_shape(layer.data.get("shape")) if layer is not None else None
    sides = exported(file.model.path).sides
    if layer is None or shape is None or shape.rank != 4 or sides is None:
        return
    given = PartialShape([*shape][:2] + sides)
    words = f"preprocessor_config.json makes images of {sides[0]} by {sides[1]}"
    if not shape.compatible(given):
        yield _finding(file, f"{words}, not {shape}", "data/shape", layer)
        return
    forward = Forward(file.model, {layer.offset: given}, None, file.forward)
    refusal = forward.refused_on_read
    if refusal is not None and file.forward.refused_on_read is None:
        message = f"{words}, which {called(reference(refusal.layer))} does not take"
        yield _finding(file, message, None, refusal.layer)


def _bits(file: File) -> Findings:
    """A quantization that the configuration names, and that nothing in the model shows."""
    bits = exported(file.model.path).bits
    if bits is None or os.path.basename(file.model.path) != "openvino_model.xml":
        return
    kinds = {
        layer.data.get("element_type") or "" for layer in file.layers_of(["Const"])
    }
    types = [*filter(None, map(element_type.find, kinds - {"boolean"}))]
    if all(each.bits > bits for each in types if each.bits) and not [
        *file.layers_of(["FakeQuantize", "FakeConvert"])
    ]:
        message = f"openvino_config.json names weights of {bits} bits, and no constant of the model has so few"
        yield _finding(file, message)


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
    width = config.width
    if config.has_plain_table:
        for gather in file.gather_layers:
            shape = gather.shapes[0] if gather.shapes else None
            if (
                gather.errors
                or index_origin(gather, "all") not in _TABLES
                or shape is None
                or shape.rank != 2
                or not shape[1].is_static
            ):
                continue
            if width is not None and shape[1].length != width:
                message = f"a row of the table of tokens has {shape[1].length} elements, and the configuration {width}"
                yield _finding(file, message, "input/0", gather.layer)
    if config.gives_logits or os.path.basename(file.model.path) == PARTS[1]:
        yield from _logits(file, config)


def _logits(file: File, config: ModelConfiguration) -> Findings:
    """The output that a pipeline reads: an element for each token or label."""
    results = [
        (layer, source, file.model.tensor_names(*source))
        for layer in file.layers_of(["Result"])
        if (source := layer.producer(0)) is not None
    ]
    is_decoder = os.path.basename(file.model.path) == PARTS[1]
    read = {"logits"} if is_decoder else _READ
    if read.isdisjoint(name for *_, names in results for name in names):
        yield _finding(file, "no output is called logits: a pipeline reads it")
    wanted = {"a text, token or image, and the number of labels": config.labels}
    if config.is_causal:
        wanted = {"a token, and vocab_size": config.size("vocab_size")}
    for layer, source, names in results:
        if "logits" not in names:
            continue
        shape = output_tensor(*source).shape
        for name, count in wanted.items():
            if shape.rank and shape[shape.rank - 1].is_static and count is not None:
                length = shape[shape.rank - 1].length
                if length != count:
                    message = f"logits has {length} elements {name} is {count}"
                    yield _finding(file, message, "name", layer)
