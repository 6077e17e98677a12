"""One layer beside OpenVINO: what a declaration infers, and what ``read_model`` makes of the same IR.

    python tests/shared/declared_oracle.py test_reductions --count 2000 --seed 1 -v

runs random cases of ``tests/ops/declared/test_reductions.py`` and prints what differs.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import os
import random
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

import forked
from ir_text import attributes_text, edge_text, layer_text, net_text, port_text

CHILD = r"""
import base64, json, os, sys
import openvino as ov
core = ov.Core()
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    xml, weights, compiled = json.loads(line)
    stage = "read"
    try:
        data = base64.b64decode(weights)
        tensor = ov.Tensor(ov.Type.u8, ov.Shape([len(data)]))
        if data:
            tensor.data[:] = list(data)
        model = core.read_model(xml.encode(), tensor)
        outputs = [[str(each.get_partial_shape()).replace(" ", ""), each.get_element_type().get_type_name()]
                   for each in [result.input_value(0) for result in model.get_results()]]
        stage = "compile"
        if compiled:
            core.compile_model(model, "CPU")
        answer = {"outputs": outputs}
    except Exception as error:
        answer = {"error": str(error), "stage": stage}
    out.write(json.dumps(answer) + "\n")
    out.flush()
"""
PRECISIONS = {
    "i32": "I32",
    "i64": "I64",
    "f32": "FP32",
    "f16": "FP16",
    "boolean": "BOOL",
    "u8": "U8",
    "i8": "I8",
}
CODES = {
    "i8": "b",
    "u8": "B",
    "i16": "h",
    "u16": "H",
    "i32": "i",
    "u32": "I",
    "i64": "q",
    "u64": "Q",
}
CODES |= {"f16": "e", "f32": "f", "f64": "d", "boolean": "?"}
CODES |= dict.fromkeys(("nf4", "u1", "u2", "u4"), "B")  # packed: a value is a byte


class Operand(NamedTuple):
    """An input: a Parameter, or with a ``value`` a Const. ``shape`` is text (``2,?,1..8``; ``...``: dynamic rank)."""

    shape: str
    type: str = "f32"
    value: Sequence[float] | None = None


class Case(NamedTuple):
    """A layer: its type, opset, inputs and attributes as text; ``probe``: output 0 becomes a shape as well.

    ``inside`` is XML that stands inside the layer; ``outputs`` the number of output ports.
    """

    type: str
    opset: int
    inputs: Sequence[Operand]
    attributes: Mapping[str, str] = {}
    outputs: int = 1
    probe: bool = False
    inside: str = ""


def integers(*values: int, type: str = "i64") -> Operand:
    """A Const of one dim."""
    return Operand(str(len(values)), type, values)


def scalar(value: float, type: str = "i64") -> Operand:
    return Operand("", type, [value])


def write(case: Case) -> tuple[str, bytes]:
    """The IR of a case, and its weights."""
    layers, edges, weights = [], [], b""
    for number, operand in enumerate(case.inputs):
        if operand.value is None:
            shape = operand.shape or ""
            data = f'shape={quoteattr(shape)} element_type="{operand.type}"'
            kind = "Parameter"
        else:
            content = struct.pack(
                f"<{len(operand.value)}{CODES[operand.type]}", *operand.value
            )
            data = (
                f'element_type="{operand.type}" shape="{operand.shape}" offset="{len(weights)}"'
                f' size="{len(content)}"'
            )
            weights += content + b"\0" * (-len(content) % 8)
            kind = "Const"
        layers.append(
            layer_text(
                number,
                kind,
                "opset1",
                data,
                (),
                [port_text(0, "FP32")],
                name=f"in{number}",
            )
        )
    count = len(case.inputs)
    layers.append(
        layer_text(
            count,
            case.type,
            f"opset{case.opset}",
            attributes_text(case.attributes),
            [port_text(place, "FP32") for place in range(count)],
            [port_text(count + place, "FP32") for place in range(case.outputs)],
            name="layer",
            inside=case.inside,
        )
    )
    edges += [edge_text((number, 0), (count, number)) for number in range(count)]
    ends = [(count, count + number) for number in range(case.outputs)]
    if case.probe:
        one, probe = count + 1, count + 2
        place = f'element_type="u8" shape="" offset="{len(weights)}" size="1"'
        ports = [port_text(0, "U8"), port_text(1, "I64")]
        given = [port_text(2, "U8")]
        layers += [
            layer_text(
                one, "Const", "opset1", place, (), [port_text(0, "U8")], name="one"
            ),
            layer_text(
                probe, "Broadcast", "opset3", 'mode="numpy"', ports, given, name="probe"
            ),
        ]
        weights += b"\1"
        edges += [
            edge_text((one, 0), (probe, 0)),
            edge_text((count, count), (probe, 1)),
        ]
        ends.append((probe, 2))
    for number, end in enumerate(ends):
        id = count + 10 + number
        layers.append(
            layer_text(
                id, "Result", "opset1", "", [port_text(0, "FP32")], name=f"out{number}"
            )
        )
        edges.append(edge_text(end, (id, 0)))
    return net_text(layers, edges, name="case"), weights


class Child:
    """A process that answers lines of JSON; one that died is replaced when it is asked again."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.process: Any = None

    def ask(self, question: object) -> dict[str, Any]:
        """The answer; nothing where the process died of the question."""
        if self.process is None:
            command = [sys.executable, "-c", self.code]
            with open(os.devnull, "wb") as nothing:
                self.process = forked.Popen(
                    command, forked.PIPE, forked.PIPE, stderr=nothing
                )
        line = b""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{json.dumps(question)}\n".encode())
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        self.process.wait()
        self.process = None
        return {}


_child = Child(CHILD)
"""One for all tests: to start it takes as long as to ask it a hundred times."""


class Oracle:
    """OpenVINO in a child process; a crash is an answer."""

    def __init__(self, compiled: bool = False) -> None:
        self.compiled = compiled

    def ask(self, xml: str, weights: bytes) -> dict[str, Any]:
        data = base64.b64encode(weights).decode()
        dead = {"error": "the process died", "stage": "crash"}
        return _child.ask([xml, data, self.compiled]) or dead


def infer(xml: str, weights: bytes) -> dict[str, Any]:
    """What the forward pass says, in the form of ``Oracle.ask``.

    Of a layer that OpenVINO does not compile, ``inferred`` are the outputs that it reads.
    """
    from ovgather.forward.run import Forward
    from ovgather.ir.read import read

    model = read(xml.encode(), weights)
    forward = Forward(model)
    if forward.refusals:
        error = forward.refusals[0].error
        is_read = all(
            [
                refusal.error.stage in ("compile", "sometimes", "run")
                for refusal in forward.refusals
            ]
        )
        return {"error": str(error), "stage": error.stage} | (
            {"inferred": _outputs(model, forward)} if is_read else {}
        )
    return {"outputs": _outputs(model, forward), "unchecked": dict(forward.unchecked)}


def _outputs(model: Any, forward: Any) -> list[list[str]]:
    outputs = []
    for layer in model.graph.layers:
        if layer.type == "Result":
            producer = layer.producer(0)
            assert producer is not None
            tensors = forward.outputs[producer[0].offset]
            tensor = tensors[producer[1]] if producer[1] < len(tensors) else None
            outputs.append(
                ["none", "none"]
                if tensor is None
                else [str(tensor.shape), tensor.element_type]
            )
    return outputs


def compare(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """``equal``, ``tighter``, ``wider``, ``wrong``, ``missed`` (a refusal) or ``false`` (refusal)."""
    if theirs.get("stage") == "crash":
        return "crash"
    if "error" in theirs:
        return "refused" if "error" in ours else "missed"
    if "error" in ours:
        return (
            "false"
            if "inferred" not in ours
            else _compare_outputs(ours["inferred"], theirs, "compile")
        )
    return _compare_outputs(ours["outputs"], theirs, "equal")


def _compare_outputs(ours: list[list[str]], theirs: dict[str, Any], equal: str) -> str:
    verdicts = [
        _compare_output(*pair) for pair in zip(ours, theirs["outputs"], strict=True)
    ]
    return next(
        (each for each in ("wrong", "wider", "tighter") if each in verdicts), equal
    )


def _compare_output(ours: list[str], theirs: list[str]) -> str:
    from ovgather.tensor.shape import PartialShape

    if ours[0] == "none":
        return "wrong"
    if ours[1] != theirs[1]:
        return (
            "wider"
            if ours[1] == "dynamic"
            else "tighter"
            if theirs[1] == "dynamic"
            else "wrong"
        )
    mine, other = PartialShape.parse(ours[0]), PartialShape.parse(theirs[0])
    if not mine.compatible(other):
        return "wrong"
    if mine == other:
        return "equal"
    return "tighter" if (mine & other) == mine else "wider"


def differences(
    cases: Iterable[Case], oracle: Oracle
) -> Iterator[tuple[str, Case, dict[str, Any], dict[str, Any]]]:
    """Each case with the verdict, our answer and OpenVINO's."""
    for case in cases:
        xml, weights = write(case)
        theirs = oracle.ask(xml, weights)
        ours = infer(xml, weights)
        yield compare(ours, theirs), case, ours, theirs


def contradictions(
    models: Iterable[tuple[str, bytes]],
    is_comparable: Callable[[dict[str, Any]], bool] = lambda theirs: True,
) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """The models of which OpenVINO says otherwise, with our answer and its; it may know less or more.

    ``is_comparable`` tells which of its answers count.
    """
    oracle = Oracle()
    answers = [
        (xml, infer(xml, weights), oracle.ask(xml, weights)) for xml, weights in models
    ]
    return [
        (xml, ours, theirs)
        for xml, ours, theirs in answers
        if is_comparable(theirs)
        and compare(ours, theirs) in ("wrong", "false", "missed")
    ]


BAD = ("wrong", "wider", "missed", "false")


def check(
    random_case: Callable[[random.Random], Case], count: int, seed: int = 1
) -> list[str]:
    """The cases of ``count`` random ones in which the declaration and OpenVINO differ, in words."""
    rng, oracle = random.Random(seed), Oracle()
    cases = (random_case(rng) for _ in range(count))
    return [
        f"{verdict}: {case}\n  ours {ours}\n  OpenVINO {theirs}"
        for verdict, case, ours, theirs in differences(cases, oracle)
        if verdict in BAD
    ]


# Random operands ------------------------------------------------------------------------------------------------------


def random_shape(
    rng: random.Random, rank: int | None = None, most: int = 6, dynamic: float = 0.35
) -> str:
    """The text of a shape; its rank is mostly ``rank``, or random."""
    if rng.random() < 0.04:
        return "..."
    if rank is None or rng.random() < 0.03:
        rank = rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 4, 5])
    return ",".join(random_dim(rng, most, dynamic) for _ in range(rank))


def random_dim(rng: random.Random, most: int = 6, dynamic: float = 0.35) -> str:
    if rng.random() >= dynamic:
        return str(rng.choice([0, *range(1, most + 1), *range(1, most + 1), 1]))
    low = rng.randint(0, most)
    return rng.choice(
        ["?", "?", f"{low}..{low + rng.randint(1, most)}", f"..{low + 1}", f"{low}.."]
    )


def near(rng: random.Random, shape: str) -> str:
    """A shape like ``shape``: the same, or with a dim that is another, 1 or open."""
    dims = shape.split(",") if shape not in ("", "...") else []
    if not dims or rng.random() < 0.4:
        return shape
    place = rng.randrange(len(dims))
    dims[place] = rng.choice(["1", "?", random_dim(rng), dims[place]])
    return ",".join(dims)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("module", help="test_FAMILY of tests/ops/declared")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--most", type=int, default=10, help="examples to print of each verdict"
    )
    parser.add_argument(
        "--compile", action="store_true", help="compile for the CPU as well"
    )
    options = parser.parse_args()
    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root / "tests/ops/declared"), str(root / "tests/shared")]
    module = __import__(options.module)
    rng, oracle = random.Random(options.seed), Oracle(options.compile)
    total: Counter[str] = Counter()
    by_type: dict[str, Counter[str]] = {}
    cases = (module.random_case(rng) for _ in range(options.count))
    for verdict, case, ours, theirs in differences(cases, oracle):
        total[verdict] += 1
        by_type.setdefault(f"{case.type}@{case.opset}", Counter())[verdict] += 1
        if verdict in BAD and total[verdict] <= options.most:
            print(f"{verdict}: {case}\n  ours     {ours}\n  OpenVINO {theirs}")
    for name, row in sorted(by_type.items()):
        print(name, dict(row))
    print(dict(total))


if __name__ == "__main__":
    main()
