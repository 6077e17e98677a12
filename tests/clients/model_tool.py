"""A small model tool on top of ovgather, as others write it; mypy checks it in strict mode."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy

import ovgather
from ovgather import Diagnostic, Dimension, PartialShape


def errors_of(path: Path) -> list[Diagnostic]:
    """The errors of a file, the first of each layer."""
    seen: set[str] = set()
    errors = []
    for finding in ovgather.validate(path, max_findings=0):
        name = finding.layer.name if finding.layer is not None else ""
        if finding.severity == "error" and name not in seen:
            seen.add(name)
            errors.append(finding)
    return errors


def output_of(
    data: list[int | None], indices: tuple[int, ...], axis: int
) -> tuple[int | tuple[int, int | None], ...]:
    """The shape of a Gather; None is an unknown length."""
    known = PartialShape([-1 if length is None else length for length in data])
    shape: PartialShape = ovgather.infer_shape("Gather", [known, indices], axis=axis)
    lengths: list[int] = [int(dim) for dim in shape if dim.is_static]
    assert shape == shape.to_tuple() or lengths == []
    return shape.to_tuple()


def widest(dims: list[Dimension]) -> Dimension:
    return max(
        dims, key=lambda dim: sys.maxsize if dim.max is None else dim.max - dim.min
    )


def sources(producer: ovgather.Producer | None, depth: int = 4) -> Iterator[str]:
    """The names of the layers that a value comes from."""
    if producer is not None and depth:
        yield producer.name
        for each in producer.inputs:
            yield from sources(each, depth - 1)


def describe(gather: ovgather.Gather) -> str:
    """A line for one Gather layer."""
    parts = [
        f"{each.name} {each.shape} {each.element_type or '?'}" for each in gather.inputs
    ]
    for each in gather.inputs:
        values = each.constant
        if values is not None and values.size == 1:
            parts.append(f"{each.name} = {int(values.reshape(())):d}")
    path = "/".join((*gather.body, gather.name))
    return f"{path}: {gather.operation}({', '.join(parts)}) -> {gather.output or gather.error}"


def batch_sizes(path: Path, name: str, sizes: tuple[int, ...]) -> dict[int, str | None]:
    """The output of the first layer for several batches."""
    shapes = {}
    for size in sizes:
        result = ovgather.infer(path, input_shapes={name: (size, 6)})
        output = result.layers[0].output
        shapes[size] = output.shape if output is not None else result.layers[0].error
    return shapes


def rows(
    table: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float32]], ids: list[int]
) -> list[float]:
    try:
        return [
            float(value)
            for value in ovgather.gather(table, numpy.array(ids), 0).ravel()
        ]
    except ovgather.IndexOutOfRangeError as error:
        return [float(error.value)]


def main(path: Path) -> list[str]:
    model = ovgather.read(path)
    assert isinstance(model, ovgather.Model)
    lines = [f"{model.path}: IR {model.ir_version}, {len(list(model.layers()))} layers"]
    lines += [str(error) for error in errors_of(path)]
    for gather in ovgather.gather_layers(model):
        lines.append(describe(gather))
        lines.append(" <- ".join(sources(gather.inputs[0].producer)))
    lines.append(ovgather.show(model, "word_embedding").splitlines()[0])
    lines.append(str(len(ovgather.extract(model, "word_embedding").text)))
    return lines


if __name__ == "__main__":
    print("\n".join(main(Path(sys.argv[1]))))
