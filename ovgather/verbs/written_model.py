"""The model of one layer, and how it is written to files."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ovgather.errors import InvalidModelError
from ovgather.files.whole import require_apart, write_together
from ovgather.ir.model import Model
from ovgather.onnx_file.source import files_of

if TYPE_CHECKING:
    from ovgather.layers.formats import AnyModel


@dataclass(frozen=True)
class LayerModel:
    """A model of the layer ``name``: ``text`` is the ``.xml`` or ``.onnx``, ``pieces`` are the ``.bin`` of an IR.

    ``inputs`` and ``notes`` say what feeds the layer (``data: Parameter 'x' f32 [2,3]``), and what is added or changed.
    ``origins`` are the files that it was made from, and those that belong to them. ``title`` is the layer in words.
    """

    name: str
    text: bytes = field(repr=False)
    pieces: tuple[memoryview, ...] = field(repr=False)
    inputs: tuple[str, ...]
    notes: tuple[str, ...]
    origins: tuple[str, ...]
    extension: str = ".xml"
    title: str = ""

    @property
    def weights(self) -> bytes:
        """The ``.bin``."""
        return b"".join(self.pieces)

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> tuple[str, ...]:
        """Write the file ``path``, and the ``.bin`` of an IR beside it, by way of temporary names; their names.

        Raises:
            FileExistsError: a file is there, and not to ``overwrite``. OSError: the folder cannot be written to.
            InvalidModelError: the file is one that this was made from, or ``path`` has another extension.
        """
        name = os.fspath(path)
        if self.extension != ".xml" and not name.lower().endswith(self.extension):
            raise InvalidModelError(f"{name} does not end in {self.extension}, which is what {self.name!r} becomes")
        paths = places_of(name) if self.extension == ".xml" else (name,)
        require_apart(paths, self.origins)
        for existing in filter(os.path.lexists, () if overwrite else paths):
            raise FileExistsError(errno.EEXIST, "is there already", existing)
        files: list[tuple[str, Sequence[bytes | memoryview]]] = [(paths[0], (self.text,))]
        # The .bin first: an .xml without its .bin would be a broken model.
        files[:0] = [(weights, self.pieces) for weights in paths[1:]]
        write_together(files, self.origins)
        return paths


def places_of(path: str) -> tuple[str, str]:
    """The files of an IR: ``path``, which must end in ``.xml``, and the ``.bin`` beside it."""
    stem, extension = os.path.splitext(path)
    if extension.lower() != ".xml":
        raise InvalidModelError(f"{path} does not end in .xml: the weights are put beside it, with .bin")
    return path, f"{stem}.bin"


def origins_of(model: AnyModel) -> tuple[str, ...]:
    """The files that ``model`` was read from, with their side files."""
    if not isinstance(model, Model):
        return tuple(files_of(model.path)) if model.folder is not None else ()
    weights = model.weights_path or (model.weights.path if model.weights is not None else None)
    return tuple(dict.fromkeys(filter(None, (*files_of(model.path), weights))))
