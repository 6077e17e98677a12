"""path | bytes | file -> Model. A file that cannot be read is a Model with ``fatal`` set, not an exception."""

from __future__ import annotations

import gc
import os
import re
from typing import IO
from xml.parsers import expat

from ovgather.ir import encoding
from ovgather.ir.model import Model, Problem
from ovgather.ir.reader import Reader, Stop
from ovgather.ir.source import Edit, Source
from ovgather.ir.weights import Weights

MAX_BYTES = 1 << 31
"""The largest text that is read: 2 GiB."""
_MAX_REPAIRS = 64
_FAST_FROM = 1 << 18
"""Below this size the full reader is as quick, and one module less to load."""
_NET = re.compile(rb"<(?:[\w.-]+:)?net[\s>/]", re.IGNORECASE)

PathOrData = str | os.PathLike[str] | bytes | bytearray | IO[bytes]


def read(source: PathOrData, weights: str | os.PathLike[str] | bytes | None = None) -> Model:
    """Read an IR file, or a lone ``<layer>`` as printed on a specification page.

    Args:
        source: a path (``-`` for standard input), the bytes themselves, or an open binary file.
        weights: the ``.bin`` as a path or as bytes; without it the file beside the ``.xml`` is taken, if there is one.

    Returns:
        A ``Model``, whatever the file is like: what is wrong with it stands in ``problems``, and ``fatal`` says that
        nothing could be read at all.

    >>> model = read(b'<net name="m" version="11"><layers/><edges/></net>')
    >>> model.ir_version, model.fatal, read(b"hello").fatal
    (11, False, True)
    """
    path = _path_of(source)
    try:
        data = _bytes_of(source, path)
    except OSError as error:
        return _unreadable(path, "unreadable", error.strerror or str(error))
    if len(data) > MAX_BYTES:
        return _unreadable(path, "too-large", str(len(data)))
    model = _parse(path, data)
    if not model.fatal:
        _find_weights(model, weights)
    return model


def _path_of(source: PathOrData) -> str:
    if isinstance(source, (bytes, bytearray)):
        return "<bytes>"
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    name = getattr(source, "name", "<file>")
    return "-" if name in ("<stdin>", 0) else str(name)


def _bytes_of(source: PathOrData, path: str) -> bytes:
    if isinstance(source, (bytes, bytearray)):
        return bytes(source)
    if not isinstance(source, (str, os.PathLike)):
        return source.read(MAX_BYTES + 1)
    if path == "-":
        import sys

        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with open(path, "rb") as file:
        return file.read(MAX_BYTES + 1)


def _unreadable(path: str, kind: str, value: str) -> Model:
    model = Model(path, Source(b""))
    model.fatal = True
    model.problems.append(Problem(kind, 0, "", value))
    return model


def _parse(path: str, data: bytes) -> Model:
    text, had, unknown = encoding.to_utf8(data)
    source = Source(text, had)
    # Records make no cycles worth looking for, and the cyclic collector doubles the time of making them.
    collecting = gc.isenabled()
    gc.disable()
    try:
        model = _parse_source(path, source)
    finally:
        if collecting:
            gc.enable()
    if unknown:
        model.problems.append(Problem("encoding", 0, "encoding", unknown))
    return model


def _parse_source(path: str, source: Source) -> Model:
    if len(source.data) >= _FAST_FROM:
        from ovgather.ir.fast_reader import read_fast

        model = Model(path, source)
        try:
            if read_fast(model, source.data):
                return model
        except (expat.ExpatError, Stop):
            pass
    edits: list[Edit] = []
    for _ in range(_MAX_REPAIRS):
        model = Model(path, source)
        reader = Reader(model)
        try:
            reader.parse(source.data)
        except Stop as stop:
            more = _edits_after_stop(source, edits, stop)
            problem = Problem(stop.kind, stop.offset, "", stop.value)
        except expat.ExpatError as error:
            offset = max(0, reader.parser.ErrorByteIndex)
            more = _edits_after_error(source, edits, error.code, offset)
            problem = Problem("xml", offset, "", expat.ErrorString(error.code) or "not well-formed")
        else:
            return model
        if not more:
            break
        edits = edits + more
        source.apply(edits)
    return _give_up(model, problem)


def _edits_after_stop(source: Source, edits: list[Edit], stop: Stop) -> list[Edit]:
    if stop.kind == "doctype":
        from ovgather.ir.repair import doctype_edits

        return doctype_edits(source.original, source.to_original(stop.offset))
    return _snippet(source, edits) if stop.kind == "root" else []


def _edits_after_error(source: Source, edits: list[Edit], code: int, offset: int) -> list[Edit]:
    if not edits and (more := _snippet(source, edits)):
        return more
    from ovgather.ir.repair import mend

    edit = mend(source.data, code, offset)
    if edit is None:
        return []
    # The mend was found in the mended text: it is kept as an edit of the original.
    start = source.to_original(edit.start)
    return [edit._replace(start=start)] if all(start != other.start for other in edits) else []


def _snippet(source: Source, edits: list[Edit]) -> list[Edit]:
    from ovgather.ir.snippet import snippet_edits

    return [] if edits or _NET.search(source.original) else snippet_edits(source.original) or []


def _give_up(model: Model, problem: Problem) -> Model:
    empty = Model(model.path, model.source)
    empty.fatal = True
    what = encoding.describe(model.source.original)
    empty.problems.append(problem if what is None else Problem("not-ir", 0, "", what))
    return empty


def _find_weights(model: Model, weights: str | os.PathLike[str] | bytes | None) -> None:
    if isinstance(weights, bytes):
        model.weights = Weights(weights)
        return
    if weights is None:
        stem, dot, _ = model.path.rpartition(".")
        path = f"{stem or model.path}.bin" if dot else f"{model.path}.bin"
        if model.path in ("-", "<bytes>", "<file>") or not os.path.isfile(path) or path == model.path:
            return
    else:
        path = os.fspath(weights)
    from ovgather.errors import InvalidModelError

    model.weights_path = path
    try:
        model.weights = Weights.open(path)
    except InvalidModelError as error:
        model.problems.append(Problem("weights-unreadable", 0, path, str(error)))
