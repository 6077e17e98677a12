"""What files are."""

from collections.abc import Iterable, Iterator
from typing import Any

from ovgather.layers.reference import called
from ovgather.report.json_text import Members, fields
from ovgather.text import count, paint, printable, shape_text, size_text
from ovgather.verbs.inspect.records import (
    CompressedWeights,
    Inspected,
    Opset,
    TableSize,
)
from ovgather.verbs.network.records import Form

_MOST = 12


def lines(results: Iterable[Inspected]) -> Iterator[str]:
    """Each file in a paragraph."""
    for number, file in enumerate(results):
        yield from [""] * bool(number)
        yield from _lines(file)


def _lines(file: Inspected) -> Iterator[str]:
    path = paint(printable(file.path), "bold")
    if file.error:
        yield f"{path}: {printable(file.error)}"
        return
    name = "IR" if file.format == "IR" else "ONNX, IR"
    yield f"{path}: {name} version {file.version}, {count(file.layers, 'layer' if name == 'IR' else 'node')}"
    for writer, version in file.producer:
        yield f"  written by   {printable(f'{writer} {version}'.strip())}"
    if file.readers is not None:
        yield f"  read by      OpenVINO {file.readers.span}; highest: {file.readers.reason} needs {file.readers.since}"
    yield from _part("opsets", [_opset(opset) for opset in file.opsets])
    for foreign in file.foreign:
        yield f"  extension    {printable(foreign.type)} belongs to {foreign.owner}: {foreign.load}"
    yield from _part(
        "operations",
        [f"{number} {operation}" for operation, number in file.operations],
        joined=True,
    )
    for side, tensors in (("inputs", file.inputs), ("outputs", file.outputs)):
        yield from _part(
            side,
            [
                f"{tensor.name} {tensor.shape} {tensor.element_type}"
                for tensor in tensors
            ],
        )
    yield from _part(
        "dynamic",
        [f"{each.shape} from {called(each.layer)}" for each in file.dynamic]
        or ["no dim"],
    )
    if file.weights is not None:
        yield f"  weights      {printable(file.weights.words.removeprefix('weights: '))}"
    yield from _part("compressed", [_compressed(each) for each in file.compressed])
    tables = [f"{called(each.reader)}: {_table(each)}" for each in file.tables]
    yield from _part("tables", tables)
    yield from _part(
        "types",
        [f"{number} {name}" for name, number in file.element_types],
        joined=True,
    )
    yield from _part(
        "gathers", [f"{name}: {facts}" for name, facts in file.gathers] or ["none"]
    )


def _part(title: str, items: list[str], joined: bool = False) -> Iterator[str]:
    """The first of ``items`` under ``title``, and how many more there are."""
    parts = [printable(item) for item in items[:_MOST]]
    if len(items) > _MOST:
        parts += [f"and {len(items) - _MOST} more"]
    for number, part in enumerate([", ".join(parts)] if joined and parts else parts):
        yield f"  {'' if number else title:<13}{part}"


def _compressed(weights: CompressedWeights) -> str:
    form = str(Form(*weights[:6]))
    sizes = f"{size_text(weights.size)} in place of {size_text(weights.plain_size)}"
    return f"{count(weights.number, 'weight')} {form} -> {weights.computed}: {sizes}"


def _table(table: TableSize) -> str:
    return f"{table.name!r} {shape_text(table.shape)} {table.form}: {size_text(table.size)}"


def _opset(opset: Opset) -> str:
    types = ", ".join(opset.types[:4]) + (", ..." if len(opset.types) > 4 else "")
    since = ""
    if opset.since:
        since = f", since {opset.since}"
    return f"{opset.name or 'no version'}: {opset.layers}{f' ({types})' if types else ''}{since}"


def document(results: Iterable[Inspected]) -> Members:
    return Members(version=1, files=map(_file, results))


def _file(file: Inspected) -> dict[str, Any]:
    if file.error:
        return fields(file, "path format error")
    readers = file.readers and fields(file.readers, "since until reason")
    return {
        **fields(file, "path format"),
        "ir_version": file.version,
        "producer": [
            {"name": name, "version": version} for name, version in file.producer
        ],
        "release": file.release,
        "read_by": readers
        and {name: value and str(value) for name, value in readers.items()},
        "opsets": [opset._asdict() for opset in file.opsets],
        "extensions": [foreign._asdict() for foreign in file.foreign],
        "layers": file.layers,
        "operations": dict(file.operations),
        "inputs": [tensor._asdict() for tensor in file.inputs],
        "outputs": [tensor._asdict() for tensor in file.outputs],
        "dynamic": [
            {**origin.layer._asdict(), "shape": origin.shape} for origin in file.dynamic
        ],
        "weights": None if file.weights is None else file.weights._asdict(),
        "element_types": dict(file.element_types),
        "compressed_weights": [each._asdict() for each in file.compressed],
        "tables": [
            {**table._asdict(), "reader": table.reader._asdict()}
            for table in file.tables
        ],
        "gather_layers": [
            {"layer": name, "facts": facts} for name, facts in file.gathers
        ],
    }
