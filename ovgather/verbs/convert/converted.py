"""A layer in the other dialect, and how it is written to files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from ovgather.errors import InvalidModelError
from ovgather.verbs.written_model import places_of, write_new


class Converted(NamedTuple):
    """A model of one layer.

    Attributes:
        name: that of the layer.
        extension: ``.xml`` or ``.onnx``.
        text: the file.
        pieces: of an IR the ``.bin``, piece by piece.
        inputs: what feeds the layer, in words.
        notes: what is added so that it means the same, and what is not the same.
        origins: the files that it was made from.
    """

    name: str
    extension: str
    text: bytes
    pieces: tuple[memoryview, ...]
    inputs: tuple[str, ...]
    notes: tuple[str, ...]
    origins: tuple[str, ...]

    @property
    def weights(self) -> bytes:
        """The ``.bin`` of an IR."""
        return b"".join(self.pieces)

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> tuple[str, ...]:
        """Write the file ``path``, and beside it the ``.bin`` of an IR, each by way of a temporary name; their names.

        Args:
            overwrite: take the place of files that are there, but never of those that this was made from.

        Raises:
            FileExistsError: a file is there.
            InvalidModelError: it is one that this was made from, or ``path`` has another extension.
            OSError: the folder cannot be written to.
        """
        place = os.fspath(path)
        if os.path.splitext(place)[1].lower() != self.extension:
            raise InvalidModelError(f"{place} does not end in {self.extension}, which is what {self.name!r} becomes")
        places = places_of(place) if self.extension == ".xml" else (place,)
        files: dict[str, Sequence[bytes | memoryview]] = dict(zip(places, ((self.text,), self.pieces), strict=False))
        write_new(files, self.origins, overwrite)
        return places
