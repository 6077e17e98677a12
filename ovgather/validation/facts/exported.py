"""What the files beside an exported model say of its tables: the ids that index them, and how many rows they need."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import Any, NamedTuple

from ovgather.files.companions import TOKENIZER, companions, read_companion
from ovgather.validation.facts.claims import Claim, claims_of, is_index, new_tokens
from ovgather.validation.facts.exported_tokenizer import (
    ExportedTokenizer,
    tokenizer_at,
)

_MODELS = {
    "openvino_model.xml",
    "openvino_encoder_model.xml",
    "openvino_decoder_model.xml",
    "openvino_decoder_with_past_model.xml",
}
_CLASSIFIERS = (
    "ForSequenceClassification",
    "ForTokenClassification",
    "ForImageClassification",
    "ForAudioClassification",
)
_ENCODERS = (
    *_CLASSIFIERS,
    "ForMaskedLM",
    "ForQuestionAnswering",
    "ForMultipleChoice",
)


class Exported(NamedTuple):
    """The files beside a model.

    Attributes:
        claims: those with the largest index first.
        contents: the objects of the JSON files by their names, but for the tokenizer.
        tokens: the names of the tensors that the tokenizer gives.
        unreadable: the files that are to hold a JSON object, and hold none.
        names: the files that are there.
    """

    claims: tuple[Claim, ...]
    contents: dict[str, dict[str, Any]]
    tokens: frozenset[str]
    unreadable: tuple[str, ...]
    names: frozenset[str]

    @property
    def bits(self) -> int | None:
        """The bits of weights that the configuration of a quantization names, if they are few."""
        settings = self.contents.get("openvino_config.json", {})
        quantized = settings.get("quantization_config")
        bits = quantized.get("bits") if isinstance(quantized, dict) else None
        return bits if is_index(bits) and bits in range(1, 9) else None

    @property
    def sides(self) -> list[int] | None:
        """The height and width of the images that the preprocessor makes; None if they depend on the image."""
        settings = self.contents.get("preprocessor_config.json", {})
        for step, name in (("do_center_crop", "crop_size"), ("do_resize", "size")):
            size = settings.get(name)
            if settings.get(step) is True and isinstance(size, dict):
                sides: list[Any] = [size.get("height"), size.get("width")]
                return sides if all(is_index(side) and side for side in sides) else None
        return None


def exported(model: str) -> Exported:
    """What the files beside ``model`` say."""
    return _read(tuple(_stamp(path) for path in companions(model)))


def _stamp(path: str) -> tuple[str, int, int] | None:
    """What is another where the file is another; None if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return path, status.st_mtime_ns, status.st_size


@lru_cache(
    maxsize=4
)  # the same for each trial of the diagnosis; a tokenizer has megabytes
def _read(stamps: tuple[tuple[str, int, int] | None, ...]) -> Exported:
    claims: list[Claim] = []
    contents: dict[str, dict[str, Any]] = {}
    unreadable: list[str] = []
    tokenizer = ExportedTokenizer(frozenset(), None)
    for path, _, _ in filter(None, stamps):
        name = os.path.basename(path)
        if name == TOKENIZER:
            tokenizer = tokenizer_at(path)
        elif name.endswith(".json"):
            content = read_companion(path)
            if content is None:
                unreadable.append(name)
                continue
            claims += claims_of(name, content)
            contents[name] = content
    if tokenizer.largest is not None:
        claims.append(Claim("tokens", TOKENIZER, *tokenizer.largest))
    tokenizing = contents.get("tokenizer_config.json", {})
    claims += new_tokens(contents.pop("tokenizer.json", {}), tokenizing)
    names = tokenizing.get("model_input_names")
    if not tokenizer.outputs and isinstance(names, list):
        tokenizer = tokenizer._replace(outputs=frozenset(map(str, names)))
    return Exported(
        tuple(sorted(claims, key=lambda claim: -claim.largest)),
        contents,
        tokenizer.outputs,
        tuple(unreadable),
        frozenset([os.path.basename(path) for path, _, _ in filter(None, stamps)]),
    )


class CacheName(NamedTuple):
    """The name of a key-value cache: of which layer of the network, and ``key`` or ``value``."""

    layer: int
    part: str

    @classmethod
    def of(cls, name: str) -> CacheName | None:
        """
        >>> CacheName.of("past_key_values.3.keypresent.3.key"), CacheName.of("input_ids")
        (CacheName(layer=3, part='key'), None)
        """
        match = re.match(r"past_key_values\.(\d{1,6})\.(?:decoder\.)?(key|value)", name)
        if match is None:
            return None
        return cls(int(match[1]), match[2])

    def __str__(self) -> str:
        return f"past_key_values.{self.layer}.{self.part}"


class ModelConfiguration(NamedTuple):
    """What ``config.json`` says of a network for text."""

    content: dict[str, Any]

    def size(self, *names: str) -> int | None:
        """The first of ``names`` that is a positive number."""
        return next((self.content[name] for name in names if self._is_size(name)), None)

    def _is_size(self, name: str) -> bool:
        return is_index(self.content.get(name)) and self.content[name] > 0

    @property
    def _architectures(self) -> list[str]:
        names = self.content.get("architectures")
        return [*map(str, names)] if isinstance(names, list) else []

    @property
    def texts(self) -> dict[str, str]:
        """The numbers that are written as texts, by their names."""
        return {
            name: value
            for name, value in self.content.items()
            if isinstance(value, str) and value.isdecimal()
        }

    @property
    def has_parts(self) -> bool:
        """Whether an encoder and a decoder are models of their own."""
        return self.content.get("is_encoder_decoder") is True

    @property
    def is_causal(self) -> bool:
        """Whether it generates text, one token after the other."""
        endings = ("ForCausalLM", "LMHeadModel")
        return any(name.endswith(endings) for name in self._architectures)

    @property
    def is_encoder(self) -> bool:
        """Whether it takes a whole text at once, and keeps nothing."""
        names = self._architectures
        return bool(names) and all(name.endswith(_ENCODERS) for name in names)

    @property
    def labels(self) -> int | None:
        """The number of classes that a classifier tells apart."""
        labels = self.content.get("id2label")
        names = self._architectures
        is_classifier = names and all(name.endswith(_CLASSIFIERS) for name in names)
        if is_classifier and isinstance(labels, dict):
            return len(labels) or None
        return None

    @property
    def gives_logits(self) -> bool:
        """Whether a pipeline reads an output that is called ``logits``."""
        endings = (*_CLASSIFIERS, "ForMaskedLM", "ForCausalLM", "LMHeadModel")
        names = self._architectures
        return bool(names) and all(name.endswith(endings) for name in names)

    @property
    def layers(self) -> int | None:
        """The number of layers with a cache; None also where some share one."""
        if (
            "num_kv_shared_layers" in self.content
            or "layers_block_type" in self.content
        ):
            return None
        return self.size(
            "num_decoder_layers",
            "decoder_layers",
            "num_hidden_layers",
            "n_layer",
            "num_layers",
        )

    @property
    def heads(self) -> int | None:
        """The number of heads of keys and values."""
        if self.content.get("multi_query") or "kv_lora_rank" in self.content:
            return None
        return self.size("num_key_value_heads", "num_kv_heads") or self._query_heads

    @property
    def _query_heads(self) -> int | None:
        return self.size(
            "decoder_attention_heads", "num_attention_heads", "n_head", "num_heads"
        )

    @property
    def width(self) -> int | None:
        """The elements of a token between layers."""
        return self.size("hidden_size", "n_embd", "d_model")

    @property
    def head_size(self) -> int | None:
        """The elements of a key or value of one head."""
        if "kv_lora_rank" in self.content:
            return None
        heads, width = self._query_heads, self.width
        whole = None
        if heads is not None and width is not None:
            whole = width // heads
        return self.size("head_dim", "d_kv") or whole

    @property
    def has_plain_table(self) -> bool:
        """Whether a row of the table of tokens is as wide as a layer: no projection is between them."""
        return not {"embedding_size", "word_embed_proj_dim"} & self.content.keys()


def is_part(model: str) -> bool:
    """Whether a file has the name of an exported network for text, or of a part of one."""
    return os.path.basename(model) in _MODELS


def configuration(model: str) -> ModelConfiguration | None:
    """The ``config.json`` beside the exported ``model`` of a network for text; None if there is none."""
    content = exported(model).contents.get("config.json")
    if (
        not is_part(model)
        or not content
        or isinstance(content.get("text_config"), dict)
    ):
        return None
    return ModelConfiguration(content)
