"""Inferred shapes as a page: layers that contradict their ports first, each with the layers about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from ovgather.layers.formats import AnyModel, read
from ovgather.layers.reference import LayerReference, called, key_of
from ovgather.report import page
from ovgather.report.drawing.graph import graphs
from ovgather.report.infer.text import axis_text, typed
from ovgather.report.json_text import JsonObject
from ovgather.report.page import Cause, HtmlPage, PageRecord, Part, View
from ovgather.tensor.shape import PartialShape
from ovgather.text import count
from ovgather.verbs.infer.records import Inferred, InferredFile
from ovgather.verbs.shapes import reshaped

_COLUMNS = ("File", "Layer", "Inputs", "Output", "Declared", "Note")
_STATUSES = {
    "not read": "bad",
    "refused": "bad",
    "mismatch": "bad",
    "unknown": "known",
    "refines": "good",
}
_STATUSES |= {"match": "good"}
_CAUSES = {
    "refused": Cause("layers that refuse what flows in", "bad"),
    "mismatch": Cause("declared shapes that the inputs contradict", "bad"),
    "not read": Cause("files that give no shapes", "bad"),
}


def render(
    results: Iterable[InferredFile],
    *,
    command: Sequence[str] = (),
    again: Sequence[str] = (),
    why: bool = False,
    read: Callable[[str], AnyModel] = read,
    input_shapes: Mapping[str, PartialShape] | None = None,
) -> str:
    """``again``: options that a command needs to see the same; ``read`` gives the model of a path, to draw it."""
    files = list(results)
    failing: dict[str, dict[str, list[str]]] = {}
    for file in files:
        for layer, words in _problems(file):
            failing.setdefault(file.path, {}).setdefault(key_of(layer), []).append(
                words
            )
    drawn = graphs(failing, read, partial(reshaped, input_shapes=input_shapes or {}))
    records = [record for file in files for record in _records(file, drawn, again)]
    bad = sum(_STATUSES[record.status] == "bad" for record in records)
    layers = count(sum(len(file.layers) for file in files), "Gather layer")
    verdict = "Every shape is as declared"
    kind = "good"
    if any(record.status == "unknown" for record in records):
        verdict = "No shape contradicts its port"
        kind = "known"
    if bad:
        verdict = f"{count(bad, 'problem')} in {layers}"
        kind = "bad"
    view = View("Layers", "layer", _COLUMNS, _STATUSES, records)
    words = f"{layers} in {count(len(files), 'file')}"
    return page.render(
        HtmlPage("Inferred shapes", verdict, kind, words, [view], command, graphs=drawn)
    )


def _problems(file: InferredFile) -> Iterator[tuple[LayerReference, str]]:
    for item in file.layers:
        if item.is_wrong:
            yield (
                item.layer,
                _note(item)
                or f"output {item.output and typed(item.output)}, declared {item.declared}",
            )
    for blocker in file.blockers:
        yield blocker.layer, blocker.message


def _records(
    file: InferredFile, drawn: dict[str, JsonObject], again: Sequence[str]
) -> Iterator[PageRecord]:
    if message := file.error or file.openvino or file.unused_weights:
        yield PageRecord(
            "not read", [file.path, "", "", "", "", message], cause=_CAUSES["not read"]
        )
    for refused in file.blockers:
        cells = [file.path, called(refused.layer), "", "", "", refused.message]
        if refused.help:
            parts = [page.text("help", refused.help)]
        else:
            parts = []
        parts += _parts(file, refused.layer, drawn, [])
        yield PageRecord("refused", cells, parts, _CAUSES["refused"])
    for item in file.layers:
        inputs = [f"{name} {typed(tensor)}" for name, tensor in item.inputs]
        if item.has_axis:
            inputs.append(axis_text(item))
        if item.output is not None:
            output = typed(item.output)
        else:
            output = ""
        cells = [
            file.path,
            called(item.layer, item.operation),
            ", ".join(inputs),
            output,
            item.declared or "",
        ]
        layer = key_of(item.layer)
        if item.inference:
            parts = [page.text("from", reason) for reason in item.inference.reasons]
        else:
            parts = []
        parts += _parts(file, item.layer, drawn, ["--layer", layer, "--why", *again])
        yield PageRecord(
            item.status, [*cells, _note(item)], parts, _CAUSES.get(item.status)
        )


def _note(item: Inferred) -> str:
    compared = ""
    if item.openvino and item.openvino[1] != "equal":
        compared = f"OpenVINO gives {item.openvino[0]}"
    return item.error or compared


def _parts(
    file: InferredFile,
    layer: LayerReference,
    drawn: dict[str, JsonObject],
    options: Sequence[str],
) -> Iterator[Part]:
    if "inputs" in drawn.get(file.path, {}).get(key_of(layer), {}):
        yield page.graph("Around the layer", file.path, key_of(layer))
    yield page.command("See it again", ["ovgather", "infer", file.path, *options])
