"""The files beside an exported model: what its framework says of it, and its tokenizer."""

from __future__ import annotations

import os
from typing import Any

from ovgather.files.remote import is_remote
from ovgather.files.side import (
    SideFileError,
    leads_out,
    open_regular,
    read_at_most,
)

_PREFIX = "openvino_"  # of the models that optimum-intel writes
TOKENIZER = "openvino_tokenizer.xml"
DETOKENIZER = "openvino_detokenizer.xml"
PARTS = ("openvino_encoder_model.xml", "openvino_decoder_model.xml")
"""The models of a network that encodes a text and decodes another one."""
_NAMES = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "added_tokens.json",
    "tokenizer_config.json",
    "openvino_config.json",
    "preprocessor_config.json",
    TOKENIZER,
    "openvino_tokenizer.bin",
    *PARTS,
)
_MOST_BYTES = 1 << 26
_FEW = 1 << 16
_BYTES_EACH = 12
"""In a file of more than a ``_FEW`` objects and lists: what is in memory takes up to 230 bytes for each of them."""


def companions(model: str) -> list[str]:
    """Where these files of a ``model`` would be; none if it does not have the name of an exported one.

    Links out of its folder are left out.
    """
    folder, name = os.path.split(model)
    if is_remote(model) or not name.startswith(_PREFIX):
        return []
    paths = [os.path.join(folder, name) for name in _NAMES]
    return [path for path in paths if not leads_out(path, folder)]


def read_companion(path: str) -> dict[str, Any] | None:
    """The object in a JSON file; an empty one if the file cannot be read or is too large, None if it holds none."""
    import json

    try:
        with open_regular(path) as file:
            text = read_at_most(file, _MOST_BYTES)
        nested = text.count(b"[") + text.count(b"{")
        if nested > max(_FEW, len(text) // _BYTES_EACH):
            return {}
        content = json.loads(text)
    except (OSError, SideFileError, RecursionError):
        return {}
    except ValueError:
        return {} if len(text) == _MOST_BYTES else None
    return content if isinstance(content, dict) else None
