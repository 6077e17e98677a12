"""What one JSON file beside an exported model says of the tables of the model: ids, and lengths of texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple, TypeGuard

_IDS = (
    "pad_token_id",
    "bos_token_id",
    "eos_token_id",
    "decoder_start_token_id",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "sep_token_id",
    "cls_token_id",
    "mask_token_id",
    "unk_token_id",
    "suppress_tokens",
    "begin_suppress_tokens",
)
_SIZES = {
    "vocab_size": "tokens",
    "max_position_embeddings": "positions",
    "n_positions": "positions",
    "max_length": "positions",
    "model_max_length": "positions",
    "type_vocab_size": "token types",
}
_KEYS = ("id", "ids", "pad_id")
_LENGTHS = ("Fixed", "max_length")
"""What ``tokenizer.json`` says outside of its model: ids, and lengths of texts, by their keys."""


class Claim(NamedTuple):
    """An index into the table of ``what``: the largest that a ``file`` speaks of under ``name``.

    ``is_size``: the number is one that a table should have, or that a text may reach.
    """

    what: str
    file: str
    name: str
    largest: int
    is_size: bool = False


def claims_of(file: str, content: dict[str, Any]) -> Iterator[Claim]:
    """What the ``content`` of ``file`` says."""
    if file == "tokenizer.json":
        yield from _of_tokenizer(file, content)
    elif file.endswith("config.json"):
        for name, what in _SIZES.items():
            if is_index(content.get(name)):
                yield Claim(what, file, name, content[name] - 1, True)
        for name in _IDS:
            values = content.get(name)
            for value in filter(
                is_index, values if isinstance(values, list) else [values]
            ):
                yield Claim("tokens", file, name, value)
    else:
        yield from _largest(file, "the file", content.values())


def _of_tokenizer(file: str, content: dict[str, Any]) -> Iterator[Claim]:
    yield from _largest(file, "model.vocab", (id for _, id in _vocabulary(content)))
    for part, value in content.items():
        if part == "model":
            continue
        largest: dict[str, int] = {}
        for key, number in _numbers(value):
            key = "id" if key in _KEYS else key
            if key == "id" or key in _LENGTHS:
                largest[key] = max(number, largest.get(key, 0))
        for key, number in largest.items():
            if key == "id":
                yield Claim("tokens", file, part, number)
            else:
                yield Claim("positions", file, f"{part}.{key}", number - 1, True)


def _vocabulary(content: dict[str, Any]) -> Iterable[tuple[str, object]]:
    """The texts of a vocabulary, each with its id; a list has the texts in the order of their ids."""
    model = content.get("model")
    table = model.get("vocab") if isinstance(model, dict) else None
    if isinstance(table, dict):
        return table.items()
    texts = table if isinstance(table, list) else []
    return (
        (str(each[0] if isinstance(each, list) and each else ""), at)
        for at, each in enumerate(texts)
    )


def _largest(file: str, name: str, ids: Iterable[object]) -> Iterator[Claim]:
    largest = max(filter(is_index, ids), default=None)
    if largest is not None:
        yield Claim("tokens", file, name, largest)


def _numbers(value: object, steps: int = 8) -> Iterator[tuple[str, int]]:
    """The indices in nested objects and lists, with their keys."""
    pairs: Iterable[tuple[str, object]] = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = (("", each) for each in value)
    for key, each in pairs if steps else ():
        if is_index(each):
            yield key, each
        elif isinstance(each, list) and key in _KEYS:
            yield from ((key, id) for id in each if is_index(id))
        elif isinstance(each, (dict, list)):
            yield from _numbers(each, steps - 1)


def new_tokens(tokenizer: dict[str, Any], config: dict[str, Any]) -> Iterator[Claim]:
    """Special tokens of ``tokenizer_config.json`` that ``tokenizer.json`` lacks: transformers gives them new ids."""
    names: dict[str, str] = {}
    for name, value in config.items():
        text = value.get("content") if isinstance(value, dict) else value
        if name.endswith("_token") and isinstance(text, str):
            names.setdefault(text, name)
    added = tokenizer.get("added_tokens")
    added = added if isinstance(added, list) else []
    tokens = (
        (str(each.get("content")), each.get("id"))
        for each in added
        if isinstance(each, dict)
    )
    largest = -1
    for text, id in chain(_vocabulary(tokenizer), tokens):
        names.pop(text, None)
        if is_index(id):
            largest = max(largest, id)
    for number, name in enumerate(names.values() if largest >= 0 else (), 1):
        words = f"{name}, which tokenizer.json lacks,"
        yield Claim("tokens", "tokenizer_config.json", words, largest + number, True)


def is_index(value: object) -> TypeGuard[int]:
    """Whether a value of JSON can be an index."""
    return (
        isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31
    )
