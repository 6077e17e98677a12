"""A tool that cuts layers out of a model and puts other forms in: every step is a value that can be kept."""

from __future__ import annotations

from pathlib import Path

import ovgather


def outline(source: str | Path) -> list[str]:
    model = ovgather.read(source)
    if isinstance(model, ovgather.OnnxModel):
        return [gather.operation for gather in ovgather.gather_layers(model)]
    return [
        f"{layer.id} {layer.type}"
        for layer in model.layers()
        if layer.type.startswith("Gather")
    ]


def cut(source: str | Path, name: str, folder: Path) -> tuple[str, ...]:
    part: ovgather.LayerModel = ovgather.extract(source, name)
    return part.write(folder / f"{name}.xml", overwrite=True)


def ancestors(producer: ovgather.Producer | None, depth: int = 3) -> list[str]:
    if producer is None or not depth:
        return []
    names = [producer.name]
    for each in producer.inputs:
        names += ancestors(each, depth - 1)
    return names


def tuples(source: str | Path) -> ovgather.LayerModel:
    return ovgather.lower(source, "GatherElements", "GatherND", verify=False)


def summary(source: str | Path) -> tuple[str, int, list[str]]:
    seen: ovgather.Inspected = ovgather.inspect(source)
    [file] = ovgather.survey([source])
    return seen.format, seen.layers, [layer.operation for layer in file.layers]
