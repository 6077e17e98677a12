"""What files are, for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable
from typing import Any

from ovgather.report.json_text import fields
from ovgather.verbs.inspect.records import Inspected, differences


def document(results: Iterable[Inspected], compare: bool = False) -> dict[str, Any]:
    """All files; with ``compare`` also what the two differ in."""
    files = list(results)
    compared = {"differences": [each._asdict() for each in differences(*files)]} if compare and len(files) == 2 else {}
    return {"version": 1, "files": [_file(file) for file in files], **compared}


def _file(file: Inspected) -> dict[str, Any]:
    if file.error:
        return fields(file, "path format error")
    return {
        **fields(file, "path format"),
        "ir_version": file.version,
        "producer": [{"name": name, "version": version} for name, version in file.producer],
        "release": file.release,
        "read_by": None if file.readers is None else file.readers._asdict(),
        "opsets": [opset._asdict() for opset in file.opsets],
        "extensions": [foreign._asdict() for foreign in file.foreign],
        "layers": file.layers,
        "operations": dict(file.operations),
        "inputs": [tensor._asdict() for tensor in file.inputs],
        "outputs": [tensor._asdict() for tensor in file.outputs],
        "dynamic": [{**origin.layer._asdict(), "shape": origin.shape} for origin in file.dynamic],
        "weights": None if file.weights is None else file.weights._asdict(),
        "element_types": dict(file.element_types),
        "gather_layers": [{"layer": name, "facts": facts} for name, facts in file.gathers],
    }
