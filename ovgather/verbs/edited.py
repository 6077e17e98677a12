"""An IR with edits in it; everything else stays as it is, to the byte."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ovgather.errors import InvalidModelError, UnreadableError
from ovgather.ir.edit.edits import Encoding, Held, Patched
from ovgather.ir.model import Model
from ovgather.ir.positions import Span
from ovgather.ir.read import read
from ovgather.ir.text import Edit
from ovgather.validation.check import usable

_MOST = 3


def read_file(path: str | os.PathLike[str], weights: str | None, follow_links: bool) -> tuple[bytes, Model]:
    """The bytes of the file ``path``, and its model as it stands; UnreadableError if there is none."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UnreadableError(f"{os.fspath(path)}: cannot be read: {error.strerror}") from error
    model = read(Held(data, os.fspath(path)), weights, follow_links=follow_links)
    usable(model)
    return data, model


def require_well_formed(model: Model, what: str = "nothing") -> None:
    """Check that edits can be written into ``model``."""
    if model.snippet or model.source.edits:
        raise InvalidModelError(f"{model.path}: {what} can be written into it, it is no well-formed IR")


def edit(span: Span, text: bytes = b"") -> Edit:
    """``text`` in the place of a span."""
    return Edit(span[0], span[1] - span[0], text, "")


def edited(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The bytes of a file with ``edits``, in its encoding."""
    encoding = Encoding(data)
    patched = Patched(encoding.text)
    patched.apply(edits)
    return encoding.encode(patched.text)


def listed(refusals: Sequence[str]) -> str:
    """Reasons in one message: the first of them, and how many more there are."""
    more = f"; and {len(refusals) - _MOST} more" if len(refusals) > _MOST else ""
    return f"{'; '.join(refusals[:_MOST])}{more}"
