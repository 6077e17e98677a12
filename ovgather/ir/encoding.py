"""The kind and the encoding of a file, by its first bytes."""

import codecs
import re

from ovgather.text import pattern

_DECLARED = pattern(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"'>]*)[\"']")
_BEGINNINGS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\x00\x00\x00", "utf-32-le"),
    (b"\x00\x00\x00<", "utf-32-be"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
)
_LATIN = frozenset({"iso-8859-1", "latin1", "latin-1"})
_UTF8 = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})
_HTML = (b"<!doctype html", b"<html")
_PATTERNS = (
    (
        pattern(rb"[\s\S]{4}TFL3"),
        "a TensorFlow Lite model: its name should end in .tflite",
    ),
    (
        pattern(rb"[\s\S]{8}\{\s*\"[\s\S]{0,400}?(?:dtype|__metadata__)"),
        "weights of safetensors, without a model",
    ),
    (
        pattern(
            rb"\n[\s\S]{0,2}\n[\s\S]{1,200}?(?:Placeholder|Const|NoOp|VarHandleOp)"
        ),
        "a TensorFlow graph: its name should end in .pb",
    ),
    (
        pattern(rb"\x08[\x01-\x02]\x12[\s\S]{1,200}?serve"),
        "a SavedModel of TensorFlow: give OpenVINO its folder",
    ),
)
"""Kinds of files by patterns at their first bytes."""
_WEIGHTS = (
    (
        pattern(rb"\x1f\x8b\x08[\x00-\x1f][\s\S]{4}[\x00\x02\x04]"),
        "gzip data, not the weights",
    ),
    (
        pattern(rb"PK\x03\x04[\s\S]\x00[\s\S]{2}[\x00\x08]\x00"),
        "a ZIP archive, not the weights",
    ),
    (pattern(rb"\xfd7zXZ\x00"), "xz data, not the weights"),
    (pattern(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), "bzip2 data, not the weights"),
)
"""Kinds of files that no weights begin like."""
_NPY = pattern(
    rb"\x93NUMPY[\x01-\x03]\x00(?:[\s\S]{2}|[\s\S]{4})\{'descr'[^{}]*\}[ ]*\n"
)
_MARKS = (
    (
        b"version https://git-lfs",
        "a git-lfs pointer: the file itself was never fetched (git lfs pull)",
    ),
    (b"PK\x03\x04", "a ZIP archive, such as a PyTorch or Keras model"),
    (b"\x93NUMPY", "an array of NumPy (.npy)"),
    (b"GGUF", "a GGUF model of llama.cpp"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file, such as a Keras model (.h5)"),
    (b"\x80\x02}q", "a pickle of Python, such as PyTorch weights"),
    (b"\x80\x04\x95", "a pickle of Python, such as PyTorch weights"),
    (b"\x1f\x8b", "gzip data"),
    (b"\x7fELF", "a program or shared library"),
    (b"\x08", "a protobuf file, perhaps an ONNX model"),
    (b"{", "JSON"),
    (b"%PDF", "a PDF"),
    (b"&lt;", "XML that is escaped as a whole: it has `&lt;` for `<`"),
)


def to_utf8(data: bytes) -> tuple[bytes, str, str]:
    """``data`` as UTF-8, its encoding, and the declared encoding if OpenVINO does not know it (else ``""``).

    OpenVINO (pugixml) knows byte-order marks, the zeros around the first ``<``, and ISO-8859-1; all else is UTF-8.
    """
    for mark, name in _BEGINNINGS:
        if data.startswith(mark):
            return data.decode(name, "replace").encode("utf-8", "replace"), name, ""
    declaration = _DECLARED.match(data.removeprefix(codecs.BOM_UTF8)[:200])
    if declaration:
        declared = declaration[1].decode("ascii", "replace").lower()
    else:
        declared = "utf-8"
    if declared in _LATIN:
        return data.decode("latin-1").encode(), declared, ""
    return data, "utf-8", "" if declared in _UTF8 else declared


def describe_weights(data: bytes) -> str | None:
    """What a file given as a ``.bin`` certainly is instead; None if it may be weights."""
    head = data[:512].removeprefix(codecs.BOM_UTF8).lstrip()
    if head.startswith(_MARKS[0][0]):
        return _MARKS[0][1]
    if head.lower().startswith(_HTML):
        return "an HTML page"
    if head.startswith((b"<?xml", b"<net ")):
        return "XML, perhaps a copy of the model's .xml"
    if (header := _NPY.match(data)) is not None:
        return f"an array of NumPy (.npy): its first {header.end()} bytes are a header, not weights"
    return next((kind for start, kind in _WEIGHTS if start.match(data)), None)


def describe(data: bytes) -> str | None:
    """The probable kind of a file that is no XML; None if it is not recognised."""
    head = data[:512].lstrip()
    if head.lower().startswith(_HTML):
        return "an HTML page"
    for head_pattern, kind in _PATTERNS:
        if head_pattern.match(data[:1024]):
            return kind
    binary = None
    if b"\x00" in head and not head.startswith(b"<"):
        binary = "binary data, perhaps the .bin"
    return next((kind for mark, kind in _MARKS if head.startswith(mark)), binary)


def conflict_marker(text: bytes) -> int | None:
    """The first byte of a conflict marker that git left in ``text``; None: there is none."""
    match = re.search(rb"^[ \t]*(<{7}|>{7}) .*$", text, re.MULTILINE)
    if match is None:
        return None
    return match.start(1)
