"""Files that are written again, in their encoding."""

import codecs
import io
import os
import stat

from ovgather.errors import InvalidModelError
from ovgather.files.whole import write_whole
from ovgather.ir import encoding

_CODECS = {
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


class Held(io.BytesIO):
    """Bytes with the name of the file ``path``, for the reader."""

    def __init__(self, data: bytes, path: str) -> None:
        super().__init__(data)
        self.name = "<stdin>" if path == "-" else path


class Encoding:
    """The encoding of a file; InvalidModelError if it cannot write the same bytes again."""

    def __init__(self, data: bytes) -> None:
        self.text, name, _ = encoding.to_utf8(data)
        self.mark = b""
        self.codec = "" if self.text == data else name
        if self.codec in ("utf-16", "utf-32"):
            self.mark = next(mark for mark in _CODECS if data.startswith(mark))
            self.codec = _CODECS[self.mark]
        if self.encode(self.text) != data:
            raise InvalidModelError(f"some of its bytes are no {self.codec} text")

    def encode(self, text: bytes) -> bytes:
        """The bytes of a file with ``text``, which is UTF-8."""
        return self.mark + text.decode("utf-8").encode(self.codec, "replace") if self.codec else text


def replace(path: str, data: bytes, before: bytes) -> None:
    """Write ``data`` to the regular file ``path``, unless its content is no longer ``before``."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise InvalidModelError("it is no regular file")

    def require_unchanged() -> None:
        with open(path, "rb") as file:
            if file.read(len(before) + 1) != before:
                raise InvalidModelError("it was changed meanwhile")

    write_whole(path, (data,), ready=require_unchanged)
