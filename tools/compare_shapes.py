"""Every output of every layer beside OpenVINO's: shapes as they are read, and after random reshapes.

    python tools/compare_shapes.py FOLDER... [--each 5] [--seed 1] [-v] [--json FILE]

Prints for each type of layer how many outputs are equal, tighter, wider or wrong, and how many refusals are the same.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ovgather.forward.run import Forward, forward_of
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.layers.inputs import parameters
from ovgather.tensor.shape import PartialShape

CHILD = r"""
import json, os, sys
import openvino as ov
core = ov.Core()
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

def text(shape):
    return str(shape).replace(" ", "")

def bodies(op):
    kind = op.get_type_name()
    try:
        if kind == "If":
            return [("then_body", op.get_function(0)), ("else_body", op.get_function(1))]
        if kind in ("Loop", "TensorIterator"):
            return [("body", op.get_function())]
    except Exception:
        pass
    return []

def walk(model, path, outputs):
    for op in model.get_ordered_ops():
        name = op.get_friendly_name()
        outputs["/".join([*path, name])] = [
            [text(each.get_partial_shape()), each.get_element_type().get_type_name()] for each in op.outputs()
        ]
        for kind, body in bodies(op):
            walk(body, [*path, name, kind], outputs)

for line in sys.stdin:
    path, shapes = json.loads(line)
    answer = {}
    try:
        model = core.read_model(path)
        if shapes is not None:
            inputs = model.get_parameters()
            model.reshape({p.output(0): ov.PartialShape(s) for p, s in zip(inputs, shapes)})
        answer["inputs"] = [text(p.get_output_partial_shape(0)) for p in model.get_parameters()]
        answer["outputs"] = {}
        walk(model, [], answer["outputs"])
    except Exception as error:
        answer = {"error": str(error)}
    out.write(json.dumps(answer) + "\n")
    out.flush()
"""


class Oracle:
    """OpenVINO in a child process, which may crash or hang."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.rest = b""

    def ask(
        self, path: Path, shapes: list[str] | None, timeout: float = 120
    ) -> dict[str, Any]:
        if self.process is None:
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(
                [sys.executable, "-c", CHILD],
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.DEVNULL,
            )
            self.rest = b""
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((json.dumps([str(path), shapes]) + "\n").encode())
        process.stdin.flush()
        end = time.monotonic() + timeout
        while b"\n" not in self.rest:
            ready, _, _ = select.select(
                [process.stdout], [], [], max(0.0, end - time.monotonic())
            )
            data = os.read(process.stdout.fileno(), 1 << 20) if ready else b""
            if not data:
                process.kill()
                process.wait()
                self.process = None
                return {"crash": True}
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        answer: dict[str, Any] = json.loads(line)
        return answer


def random_dim(rng: random.Random, dim: str, place: int, kind: int) -> str:
    """Another dim in the place of one of an input."""
    is_dynamic = dim == "?" or ".." in dim
    if kind == 0:
        return (
            rng.choice(["1", "2", "3", "7"])
            if is_dynamic and place == 0
            else "12"
            if is_dynamic
            else dim
        )
    if kind == 1:
        return rng.choice(["1..4", "2..", "..9"]) if is_dynamic else dim
    if kind == 2:
        return rng.choice(["1", "2", "4"]) if place == 0 else dim
    if kind == 3:
        return "?" if rng.random() < 0.5 else dim
    return str(rng.randint(0, 9)) if rng.random() < 0.4 else dim


def reshapes(
    inputs: list[str], each: int, rng: random.Random
) -> Iterator[list[str] | None]:
    yield None
    for number in range(each if inputs else 0):
        shapes = []
        for shape in inputs:
            inner = shape.strip("[]")
            dims = [] if inner in ("", "...") else inner.split(",")
            changed = [
                random_dim(rng, dim, place, number % 5)
                for place, dim in enumerate(dims)
            ]
            shapes.append(shape if inner == "..." else f"[{','.join(changed)}]")
        yield shapes


def named_outputs(
    model: Model, forward: Forward
) -> dict[str, tuple[str, list[list[str]]]]:
    """Type and outputs of each layer by its path; of equal names none, since OpenVINO renames them."""
    names: Counter[str] = Counter()
    outputs: dict[str, tuple[str, list[list[str]]]] = {}
    for layer in model.layers():
        path = "/".join([*layer.body, layer.name])
        names[path] += 1
        tensors = forward.outputs.get(layer.offset, ())
        outputs[path] = (
            layer.type,
            [[str(each.shape), each.element_type, each.basis.name] for each in tensors],
        )
    return {path: output for path, output in outputs.items() if names[path] == 1}


def verdict(ours: list[str], theirs: list[str]) -> str:
    if ours[1] != theirs[1] and "dynamic" not in (ours[1], theirs[1]):
        return "wrong"
    mine, other = PartialShape.parse(ours[0]), PartialShape.parse(theirs[0])
    if not mine.compatible(other):
        return "wrong"
    both = mine & other
    if mine != other:
        return "tighter" if both == mine else "wider"
    return "wider" if ours[1] != theirs[1] and ours[1] == "dynamic" else "equal"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--each", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--most",
        type=int,
        default=0,
        help="files of each folder, chosen at random; 0: all",
    )
    parser.add_argument("--json", help="write the table to this file")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    oracle, table, refusals = (
        Oracle(),
        defaultdict[str, Counter[str]](Counter),
        Counter[str](),
    )
    models, shown = 0, Counter[str]()
    paths: list[Path] = []
    for folder in options.folders:
        files = sorted(Path(folder).rglob("*.xml"))
        chosen = random.Random(options.seed).sample(
            files, min(len(files), options.most or len(files))
        )
        paths += sorted(chosen)
    for path in paths:
        first = oracle.ask(path, None)
        if "outputs" not in first:
            refusals["unreadable"] += 1
            continue
        models += 1
        model = read(str(path))
        inputs = parameters(model)
        rng = random.Random(f"{options.seed}-{path.name}")
        for shapes in reshapes(first["inputs"], options.each, rng):
            answer = first if shapes is None else oracle.ask(path, shapes)
            if shapes is None:
                forward = forward_of(model)
            else:
                pairs = zip(inputs, shapes, strict=True)
                given = {
                    layer.offset: PartialShape.parse(shape) for layer, shape in pairs
                }
                forward = Forward(model, given, None, forward_of(model))
            if "crash" in answer:
                refusals["crash"] += 1
                continue
            if "error" in answer:
                refusals["both" if forward.refused_on_read else "missed"] += 1
                if options.v and not forward.refused_on_read and shown["missed"] < 40:
                    shown["missed"] += 1
                    print(f"missed: {path} {shapes}: {answer['error'][-300:]!r}")
                continue
            if forward.refused_on_read:
                refusals["false"] += 1
                if options.v and shown["false"] < 40:
                    shown["false"] += 1
                    print(
                        f"false: {path} {shapes}: {forward.refused_on_read.layer}: {forward.refused_on_read.error}"
                    )
                continue
            refusals["none"] += 1
            for name, (type, outputs) in named_outputs(model, forward).items():
                theirs = answer["outputs"].get(name)
                if theirs is None or len(theirs) != len(outputs):
                    continue
                if (
                    model.ir_version == 10
                ):  # OpenVINO converts f16 inputs and outputs of such a model to f32
                    theirs = [
                        [shape, mine[1]]
                        for (shape, _), mine in zip(theirs, outputs, strict=True)
                    ]
                for index, (mine, other) in enumerate(
                    zip(outputs, theirs, strict=True)
                ):
                    word = verdict(mine, other)
                    table[type][word] += 1
                    if mine[2] == "UNCHECKED":
                        table[type]["unchecked"] += 1
                    if options.v and word in ("wrong", "wider") and shown[type] < 4:
                        shown[type] += 1
                        print(
                            f"{word}: {path} {shapes}: {type} {name}.{index}: {mine} beside {other}"
                        )
    total: Counter[str] = Counter()
    for row in table.values():
        total.update(row)
    for type, row in sorted(table.items()):
        print(f"{type:32} {dict(row)}")
    count = sum(total[word] for word in ("equal", "tighter", "wider", "wrong"))
    good = 100 * (total["equal"] + total["tighter"]) / max(1, count)
    print(
        f"{models} models, {count} outputs: {dict(total)}; {good:.2f} % equal or tighter; refusals {dict(refusals)}"
    )
    if options.json:
        Path(options.json).write_text(
            json.dumps(
                {"models": models, "table": table, "refusals": refusals}, indent=1
            )
        )


if __name__ == "__main__":
    main()
