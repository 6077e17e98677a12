"""A layer that was taken out of a file, and how it is written to files."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ovgather.errors import InvalidModelError
from ovgather.files.apart import require_apart
from ovgather.files.whole import write_together
from ovgather.onnx_file.files_read import files_of

if TYPE_CHECKING:
    from ovgather.ir.graph import Layer
    from ovgather.ir.model import Model


class Extracted(NamedTuple):
    """An IR of one layer.

    Attributes:
        text: the ``.xml``.
        pieces: the ``.bin``, piece by piece: a model may have gigabytes.
        layer: the layer that was taken out.
        inputs: what feeds it, in words: ``data: Parameter 'x' f32 [2,3]``.
        notes: what is not as it is in the file.
        origins: the files that it was made from, and those that belong to them.
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
        places = places_of(path)
        write_new({places[0]: (self.text,), places[1]: self.pieces}, self.origins, overwrite)
        return places


def places_of(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The files that an IR is written to: ``path`` and the ``.bin`` beside it.

    Raises:
        InvalidModelError: ``path`` does not end in ``.xml``.

    >>> places_of("pick.xml")
    ('pick.xml', 'pick.bin')
    """
    place = os.fspath(path)
    stem, extension = os.path.splitext(place)
    if extension.lower() != ".xml":
        raise InvalidModelError(f"{place} does not end in .xml: the weights are put beside it, with .bin")
    return place, f"{stem}.bin"


def origins_of(model: Model) -> tuple[str, ...]:
    """The files that ``model`` was read from, and those that belong to them."""
    weights = model.weights_path or (model.weights.path if model.weights is not None else None)
    return tuple(dict.fromkeys(filter(None, (*files_of(model.path), weights))))


def write_new(files: dict[str, Sequence[bytes | memoryview]], origins: Iterable[str], overwrite: bool) -> None:
    """Write ``files``, pieces by path, the last first; see ``Extracted.write``."""
    require_apart(files, origins)
    for place in files:
        if not overwrite and os.path.lexists(place):
            raise FileExistsError(errno.EEXIST, "is there already", place)
    # The last first: an .xml without its .bin would be a broken model.
    write_together([(place, files[place]) for place in reversed(files)], origins)
