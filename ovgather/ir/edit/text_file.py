"""Files that are written anew: in the encoding they had, and never half."""

from __future__ import annotations

import codecs
import io
import os
import stat

from ovgather.errors import InvalidModelError
from ovgather.files.whole import write_whole
from ovgather.ir import encoding

_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CODECS = {
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


class Held(io.BytesIO):
    """Bytes that the reader takes for those of the file ``path``."""

    def __init__(self, data: bytes, path: str) -> None:
        super().__init__(data)
        self.name = "<stdin>" if path == "-" else path


class Encoding:
    """How the bytes of a file stand for text; ``text`` is that text in UTF-8.

    Raises:
        InvalidModelError: some of the bytes stand for no character, so they could not be written again.

    >>> encoding = Encoding("é".encode("utf-16"))
    >>> encoding.text, encoding.encode("è".encode()) == "è".encode("utf-16")
    (b'\\xc3\\xa9', True)
    """

    def __init__(self, data: bytes) -> None:
        self.text, name, _ = encoding.to_utf8(data)
        self.mark = b""
        self.codec = "" if self.text == data else name
        if self.codec in ("utf-16", "utf-32"):
            self.mark = next(mark for mark in _MARKS if data.startswith(mark))
            self.codec = _CODECS[self.mark]
        if self.encode(self.text) != data:
            raise InvalidModelError(f"some of its bytes are no {self.codec} text")

    def encode(self, text: bytes) -> bytes:
        """The bytes of the file that would hold ``text``, which is UTF-8."""
        return self.mark + text.decode("utf-8").encode(self.codec, "replace") if self.codec else text


def replace(path: str, data: bytes, before: bytes) -> None:
    """Put ``data`` into the file ``path``, which held ``before``; see ``whole_file`` for what stays as it is.

    Raises:
        OSError: the file cannot be written.
        InvalidModelError: it is no file, or something else has written it meanwhile.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise InvalidModelError("it is no regular file")

    def require_unchanged() -> None:
        with open(path, "rb") as file:
            if file.read(len(before) + 1) != before:
                raise InvalidModelError("it was changed meanwhile")

    write_whole(path, (data,), ready=require_unchanged)
