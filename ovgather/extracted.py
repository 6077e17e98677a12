"""A layer that was taken out of a file, and how it is written to files."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, NamedTuple

from ovgather.errors import InvalidModelError
from ovgather.whole_file import write_together

if TYPE_CHECKING:
    from ovgather.ir.model import Layer


class Extracted(NamedTuple):
    """An IR of one layer.

    Attributes:
        text: the ``.xml``.
        pieces: the ``.bin``, piece by piece: a model may have gigabytes.
        layer: the layer that was taken out.
        inputs: what feeds it, in words: ``data: Parameter 'x' f32 [2,3]``.
        notes: what is not as it is in the file.
        origins: the files that it was made from.
    """

    text: bytes
    pieces: tuple[memoryview, ...]
    layer: Layer
    inputs: tuple[str, ...]
    notes: tuple[str, ...]
    origins: tuple[str, ...]

    @property
    def weights(self) -> bytes:
        """The ``.bin``."""
        return b"".join(self.pieces)

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> tuple[str, str]:
        """Write both files, ``path`` and the ``.bin`` beside it, by way of temporary names; their names.

        Args:
            overwrite: take the place of files that are there, but never of those that this was made from.

        Raises:
            FileExistsError: a file is there.
            InvalidModelError: it is one that this was made from, or ``path`` does not end in ``.xml``.
            OSError: the folder cannot be written to.
        """
        text_path = os.fspath(path)
        stem, extension = os.path.splitext(text_path)
        if extension.lower() != ".xml":
            raise InvalidModelError(f"{text_path} does not end in .xml: the weights are put beside it, with .bin")
        files: dict[str, tuple[bytes | memoryview, ...]] = {text_path: (self.text,), f"{stem}.bin": self.pieces}
        write_new(files, self.origins, overwrite)
        return text_path, f"{stem}.bin"


def write_new(files: dict[str, tuple[bytes | memoryview, ...]], origins: tuple[str, ...], overwrite: bool) -> None:
    """Write ``files``, pieces by path, the last first; see ``Extracted.write``."""
    for place in files:
        origin = next((used for used in origins if _is_same(place, used)), None)
        if origin is not None:
            raise InvalidModelError(f"{place} is what the layer is taken from: it is not overwritten")
        if not overwrite and os.path.lexists(place):
            raise FileExistsError(errno.EEXIST, "is there already", place)
    # The last first: an .xml without its .bin would be a broken model.
    write_together([(place, files[place]) for place in reversed(files)])


def _is_same(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False
