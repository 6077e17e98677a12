"""What files are, for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable
from typing import Any

from ovgather.report.validate.json import dumps, layer_json
from ovgather.verbs.inspect.records import Inspected, differences


def render(results: Iterable[Inspected], color: bool = False, compare: bool = False) -> str:
    """All files, as one JSON document; with ``compare`` also what the two differ in."""
    files = list(results)
    document: dict[str, Any] = {"version": 1, "files": [_file(file) for file in files]}
    if compare and len(files) == 2:
        document["differences"] = [difference._asdict() for difference in differences(files[0], files[1])]
    return dumps(document)


def _file(file: Inspected) -> dict[str, Any]:
    if file.error:
        return {"path": file.path, "format": file.format, "error": file.error}
    return {
        "path": file.path,
        "format": file.format,
        "ir_version": file.version,
        "producer": [{"name": name, "version": version} for name, version in file.producer],
        "release": file.release,
        "read_by": None if file.readers is None else file.readers._asdict(),
        "opsets": [{**opset._asdict(), "types": list(opset.types)} for opset in file.opsets],
        "extensions": [foreign._asdict() for foreign in file.foreign],
        "layers": file.layers,
        "operations": dict(file.operations),
        "inputs": [tensor._asdict() for tensor in file.inputs],
        "outputs": [tensor._asdict() for tensor in file.outputs],
        "dynamic": [{**layer_json(origin.layer), "shape": origin.shape} for origin in file.dynamic],
        "weights": None if file.weights is None else file.weights._asdict(),
        "element_types": dict(file.element_types),
        "gather_layers": [{"layer": name, "facts": facts} for name, facts in file.gathers],
    }
