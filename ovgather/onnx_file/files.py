"""The files that a model reads."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import suppress

from ovgather.files.companions import companions
from ovgather.files.side import open_input
from ovgather.onnx_file.source import MOST_BYTES, is_onnx, parse
from ovgather.processes import is_installed


def files_of(model: str) -> Iterator[str]:
    """The file ``model``, the files with its weights, and what may lie beside an exported model."""
    yield model
    if not is_onnx(model):
        yield from (
            ()
            if model == "-"
            else [os.path.splitext(model)[0] + ".bin", *companions(model)]
        )
        return
    from ovgather.onnx_file.graphs import graphs, tensors_of
    from ovgather.onnx_file.tensors import TensorError, external_of

    try:
        with (
            open_input(model) as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
        ):
            # The key ``location`` is in each external tensor.
            if (
                len(data) > MOST_BYTES
                or data.find(b"location") < 0
                or not is_installed("onnx")
            ):
                return
            tensors = tensors_of(graphs(parse(data[:])))
    except (OSError, ValueError):  # an empty file, none, or no model
        return
    locations: set[str] = set()
    for tensor in tensors:
        with suppress(TensorError):
            external = external_of(tensor)
            if external is not None and "\0" not in external.location:
                locations.add(external.location)
    # A location is a path, whatever it looks like: without a folder before it, some are addresses.
    folder = os.path.dirname(model) or os.curdir
    yield from (os.path.join(folder, location) for location in sorted(locations))
