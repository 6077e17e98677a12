"""What one JSON file beside an exported model says of the tables of the model: ids, and lengths of texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

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
        yield from _largest(file, "the file", content)


def _of_tokenizer(file: str, content: dict[str, Any]) -> Iterator[Claim]:
    model = content.get("model")
    table = model.get("vocab") if isinstance(model, dict) else None
    yield from _largest(file, "model.vocab", _by_text(table))
    for part, value in content.items():
        if part == "model":
            continue
        numbers = [*_numbers(value)]
        ids = {str(at): id for at, (key, id) in enumerate(numbers) if key in _KEYS}
        yield from _largest(file, part, ids)
        for key, length in numbers:
            if key in _LENGTHS:
                yield Claim("positions", file, f"{part}.{key}", length - 1, True)


def _by_text(table: object) -> dict[str, Any]:
    """A vocabulary: ids by their texts, or texts in the order of their ids."""
    if isinstance(table, list):
        texts = [each[0] if isinstance(each, list) and each else "" for each in table]
        return {str(text): at for at, text in enumerate(texts)}
    return table if isinstance(table, dict) else {}


def _largest(file: str, name: str, ids: dict[str, Any]) -> Iterator[Claim]:
    known = [*filter(is_index, ids.values())]
    if known:
        yield Claim("tokens", file, name, max(known))


def _numbers(value: object, steps: int = 8) -> Iterator[tuple[str, int]]:
    """The indices in nested objects and lists, with their keys."""
    pairs: list[tuple[str, object]] = []
    if isinstance(value, dict):
        pairs = [*value.items()]
    elif isinstance(value, list):
        pairs = [("", each) for each in value]
    for key, each in pairs if steps else ():
        if is_index(each):
            yield key, each  # type: ignore[misc]
        elif isinstance(each, list) and key in _KEYS:
            yield from ((key, id) for id in each if is_index(id))
        else:
            yield from _numbers(each, steps - 1)


def new_tokens(tokenizer: dict[str, Any], config: dict[str, Any]) -> Iterator[Claim]:
    """Special tokens of ``tokenizer_config.json`` that ``tokenizer.json`` lacks: transformers gives them new ids."""
    model = tokenizer.get("model")
    ids = {**_by_text(model.get("vocab") if isinstance(model, dict) else None)}
    added = tokenizer.get("added_tokens")
    for each in added if isinstance(added, list) else ():
        if isinstance(each, dict):
            ids[str(each.get("content"))] = each.get("id")
    known = [*filter(is_index, ids.values())]
    texts = set(ids)
    for name, value in config.items() if known else ():
        text = value.get("content") if isinstance(value, dict) else value
        if name.endswith("_token") and isinstance(text, str) and text not in texts:
            texts.add(text)
            id = max(known) + len(texts) - len(ids)
            words = f"{name}, which tokenizer.json lacks,"
            yield Claim("tokens", "tokenizer_config.json", words, id, True)


def is_index(value: object) -> bool:
    """Whether a value of JSON can be an index."""
    return (
        isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31
    )
