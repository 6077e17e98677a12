"""A model that a verb writes: one layer, or a whole IR in which only the edited bytes change."""

import errno
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ovgather.errors import InvalidModelError, UnreadableError
from ovgather.files.side import leads_out
from ovgather.files.whole import require_distinct, write_whole
from ovgather.ir.edit.edits import Encoding, Held, patched
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import Span
from ovgather.ir.read import read
from ovgather.layers.formats import AnyModel
from ovgather.onnx_file.files import files_of

_MOST = 3
ADDED = "/ovgather/"
"""Behind the name of a layer, it begins the names of what is added for that."""


class UniqueNames:
    """The names in the model made of one ``layer``, each used once, and those of added layers to be known by."""

    def __init__(self, layer: str) -> None:
        self.layer = layer
        self.used = {layer}

    def own(self, name: str) -> str:
        """``name``, with a number where it is taken."""
        return unused(name, self.used, "_")

    def added(self, argument: str, what: str) -> str:
        return self.own(f"{self.layer}{ADDED}{argument}/{what}")


def unused(name: str, used: set[str], separator: str) -> str:
    """``name``, with a number where it is empty or ``used``; it is taken from now on."""
    result = name
    number = 1
    while not result or result in used:
        number += 1
        result = f"{name}{separator}{number}"
    used.add(result)
    return result


@dataclass(frozen=True)
class LayerModel:
    """A model of the layer ``name``: ``text`` is the ``.xml`` or ``.onnx``, ``pieces`` are the ``.bin`` of an IR.

    ``inputs`` and ``notes`` say what feeds the layer (``data: Parameter 'x' f32 [2,3]``), and what is added or changed.
    ``origins`` are the files that it was made from, and those that belong to them. ``title`` is the layer in words,
    ``layer`` the one of the file that ``extract`` took.
    """

    name: str
    text: bytes = field(repr=False)
    pieces: tuple[memoryview, ...] = field(repr=False)
    inputs: tuple[str, ...] = field(repr=False)
    notes: tuple[str, ...] = field(repr=False)
    origins: tuple[str, ...] = field(repr=False)
    extension: str = ".xml"
    title: str = ""
    layer: Layer | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "pieces": tuple(map(bytes, self.pieces))}

    @property
    def weights(self) -> bytes:
        """The ``.bin``."""
        return b"".join(self.pieces)

    def write(
        self, path: str | os.PathLike[str], *, overwrite: bool = False
    ) -> tuple[str, ...]:
        """Write the file ``path``, and the ``.bin`` of an IR beside it, by way of temporary names; their names.

        Raises:
            FileExistsError: a file is there, and not to ``overwrite``. OSError: the folder cannot be written to.
            InvalidModelError: the file is one that this was made from, or ``path`` has another extension.
        """
        name = os.fspath(path)
        if self.extension != ".xml" and not name.lower().endswith(self.extension):
            raise InvalidModelError(
                f"{name} does not end in {self.extension}, which is what {self.name!r} becomes"
            )
        paths = places_of(name) if self.extension == ".xml" else (name,)
        require_distinct(paths, self.origins)
        for existing in filter(os.path.lexists, () if overwrite else paths):
            raise FileExistsError(errno.EEXIST, "is there already", existing)
        for link in paths[1:]:  # a name that no user gave
            if leads_out(link, os.path.dirname(link) or os.curdir):
                raise OSError(errno.EPERM, "it is a link out of its folder", link)
        # The .bin first: an .xml without its .bin would be a broken model.
        weights: list[tuple[str, Sequence[bytes | memoryview]]] = [
            (each, self.pieces) for each in paths[1:]
        ]
        write_whole([*weights, (paths[0], (self.text,))], self.origins)
        return paths


def places_of(path: str) -> tuple[str, str]:
    """The files of an IR: ``path``, which must end in ``.xml``, and the ``.bin`` beside it."""
    stem, extension = os.path.splitext(path)
    if extension.lower() != ".xml":
        raise InvalidModelError(
            f"{path} does not end in .xml: the weights are put beside it, with .bin"
        )
    return path, f"{stem}.bin"


def origins_of(model: AnyModel) -> tuple[str, ...]:
    """The files that ``model`` was read from, with their side files."""
    if not isinstance(model, Model):
        if model.folder is not None:
            return tuple(files_of(model.path))
        return ()
    weights = model.weights_path or (
        model.weights.path if model.weights is not None else None
    )
    return tuple(dict.fromkeys(filter(None, (*files_of(model.path), weights))))


def read_file(
    path: str | os.PathLike[str], weights: str | None, follow_links: bool
) -> tuple[bytes, Model]:
    """The bytes of the file ``path``, and its model as it stands; UnreadableError if there is none."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UnreadableError(
            f"{os.fspath(path)}: cannot be read: {error.strerror}"
        ) from error
    return data, read(Held(data, os.fspath(path)), weights, follow_links=follow_links)


def require_well_formed(model: Model, what: str = "nothing") -> None:
    """Check that edits can be written into ``model``."""
    if model.snippet or model.source.edits:
        raise InvalidModelError(
            f"{model.path}: {what} can be written into it: it is not a well-formed IR"
        )


def edited(data: bytes, edits: Iterable[tuple[Span, bytes]]) -> bytes:
    """The bytes of a file with other texts in the places of spans, in its encoding."""
    encoding = Encoding(data)
    return encoding.encode(patched(encoding.text, edits))


def listed(refusals: Sequence[str]) -> str:
    """Reasons in one message: the first of them, and how many more there are."""
    more = ""
    if len(refusals) > _MOST:
        more = f"; and {len(refusals) - _MOST} more"
    return f"{'; '.join(refusals[:_MOST])}{more}"
