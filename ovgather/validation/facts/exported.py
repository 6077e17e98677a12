"""What the files beside an exported model say of its tables: the ids that index them, and how many rows they need."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from ovgather.files.companions import companions, read_companion

_IDS = (
    "pad_token_id",
    "bos_token_id",
    "eos_token_id",
    "decoder_start_token_id",
    "forced_bos_token_id",
    "sep_token_id",
)
_SIZES = {
    "vocab_size": "tokens",
    "max_position_embeddings": "positions",
    "type_vocab_size": "token types",
}


class Claim(NamedTuple):
    """An index into the table of ``what``: the largest that a ``file`` speaks of under ``name``."""

    what: str
    file: str
    name: str
    largest: int


def claims(model: str) -> list[Claim]:
    """The claims of the files beside ``model``, those with the largest index first."""
    found = [
        claim
        for path in companions(model)
        for claim in _of_file(os.path.basename(path), read_companion(path))
    ]
    return sorted(found, key=lambda claim: -claim.largest)


def _of_file(file: str, content: dict[str, Any]) -> Iterator[Claim]:
    if file.endswith("config.json"):
        for name, what in _SIZES.items():
            if _is_index(content.get(name)):
                yield Claim(what, file, name, content[name] - 1)
        for name in _IDS:
            values = content.get(name)
            for value in filter(_is_index, values if isinstance(values, list) else [values]):
                yield Claim("tokens", file, name, value)
        return
    model, added = content.get("model"), content.get("added_tokens")
    vocabulary = None
    if isinstance(model, dict):
        vocabulary = model.get("vocab")
    if isinstance(vocabulary, list) and vocabulary:
        yield Claim("tokens", file, "model.vocab", len(vocabulary) - 1)
    if file == "tokenizer.json":
        tables = {"model.vocab": vocabulary}
    else:
        tables = {"the file": content}
    if isinstance(added, list):
        tables["added_tokens"] = {
            str(at): each.get("id") for at, each in enumerate(added) if isinstance(each, dict)
        }
    for name, table in tables.items():
        if isinstance(table, dict):
            ids = [value for value in table.values() if _is_index(value)]
        else:
            ids = []
        if ids:
            yield Claim("tokens", file, name, max(ids))


def _is_index(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31
