"""The files of a model: its own, and those with its weights."""

import mmap
import os
from collections.abc import Iterator
from contextlib import suppress

from ovgather.onnx_file.source import available, is_onnx


def files_of(model: str) -> Iterator[str]:
    """The file ``model``, and the files with its weights."""
    yield model
    if is_onnx(model):
        yield from _external_files(model)
    elif model != "-":
        yield os.path.splitext(model)[0] + ".bin"


def _external_files(path: str) -> Iterator[str]:
    """The files that an ONNX file names for its tensors."""
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            may_name_files = data.find(b"location") >= 0  # a key of each external tensor
    except (OSError, ValueError):  # an empty file, or none
        return
    if not available() or not may_name_files:
        return
    from ovgather.onnx_file.model import read
    from ovgather.onnx_file.tensors import Trouble, external_of

    locations: set[str] = set()
    for _, tensor in read(path).tensors():
        with suppress(Trouble):
            external = external_of(tensor)
            if external is not None and "\0" not in external.location:
                locations.add(external.location)
    yield from (os.path.join(os.path.dirname(path), location) for location in sorted(locations))
