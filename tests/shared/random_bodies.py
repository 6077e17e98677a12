"""Random models with If, Loop and TensorIterator layers, nested ones too.

    python tests/shared/random_bodies.py --count 1000 --seed 1

compares the forward pass with OpenVINO, and prints what differs.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from bodies_oracle import (
    End,
    Net,
    Oracle,
    back_edge,
    branches,
    differing,
    entry,
    inside,
)

SHAPES = (
    "3,3",
    "3,3",
    "?,3",
    "?,3",
    "3,?",
    "?,?",
    "1..3,3",
    "3",
    "?",
    "",
    "1,3",
    "3,3,3",
    "?,1,3",
    "...",
)
LETTERS = "abcdefgh"
ENTRY = re.compile(
    r'<(?:(?:input|output) external_port_id=[^>]*|edge from-layer="\d+" to-layer="\d+")/>'
)
ATTRIBUTE = re.compile(r'="(-?\d+)"')
BAD = ("wrong", "wider", "missed", "false")


class Value(NamedTuple):
    """An output, its element type, and the shape that it may have."""

    end: End
    type: str
    shape: str


class Maker:
    """Adds random layers to a net; ``values`` are the outputs so far."""

    def __init__(self, rng: random.Random, net: Net, depth: int) -> None:
        self.rng, self.net, self.depth = rng, net, depth
        self.values: list[Value] = []

    def pick(self, type: str = "f32") -> Value:
        """An output of a type; the later, the likelier."""
        fitting = [value for value in self.values if value.type == type]
        if not fitting:
            return self.add_parameter(self.rng.choice(SHAPES), type)
        return fitting[
            max(self.rng.randrange(len(fitting)), self.rng.randrange(len(fitting)))
        ]

    def number(self) -> End:
        """An integer that may become a number of rounds, mostly of one element."""
        if self.rng.random() < 0.05:
            return self.pick("i64").end
        fitting = [
            value.end
            for value in self.values
            if value.type == "i64" and value.shape in ("", "1")
        ]
        return self.rng.choice(fitting) if fitting else self.gather_shape()

    def add_parameter(self, shape: str, type: str = "f32") -> Value:
        return self.note(self.net.parameter(shape, type), type, shape)

    def note(self, end: End, type: str, shape: str) -> Value:
        self.values.append(Value(end, type, shape))
        return self.values[-1]

    def integers(self, *numbers: int) -> End:
        return self.net.const(str(len(numbers)), "i64", numbers)

    def scalar(self, number: int, type: str = "i64") -> End:
        return self.net.const(self.rng.choice(["", "", "", "1"]), type, [number])

    def add_layers(self, count: int) -> None:
        plain: list[Callable[[], object]] = [
            self.unary,
            self.binary,
            self.binary,
            self.shape_of,
            self.reshape,
        ]
        plain += [
            self.broadcast,
            self.unsqueeze,
            self.reduce,
            self.matmul,
            self.concat,
            self.concat,
            self.slice,
        ]
        plain += [self.gather_shape]
        nested: list[Callable[[], object]] = [
            self.add_if,
            self.add_loop,
            self.add_loop,
            self.add_iterator,
        ]
        for _ in range(count):
            is_nested = self.depth and self.rng.random() < 0.3
            self.rng.choice(nested if is_nested else plain)()

    # Plain layers

    def unary(self) -> None:
        value = self.pick()
        self.note(
            self.net.add(self.rng.choice(["ReLU", "Sigmoid", "Abs"]), [value.end]),
            "f32",
            value.shape,
        )

    def binary(self) -> None:
        type = self.rng.choice(["f32", "f32", "i64"])
        one = self.pick(type)
        fitting = [
            value
            for value in self.values
            if value.type == type and value.shape == one.shape
        ]
        other = self.rng.choice(fitting) if self.rng.random() < 0.8 else self.pick(type)
        kind = self.rng.choice(["Add", "Subtract", "Multiply", "Maximum", "Minimum"])
        self.note(
            self.net.add(kind, [one.end, other.end]),
            type,
            max(one.shape, other.shape, key=len),
        )

    def shape_of(self) -> None:
        value = self.pick()
        rank = (
            "?"
            if value.shape == "..."
            else str(len(value.shape.split(",")) if value.shape else 0)
        )
        self.note(
            self.net.add("ShapeOf", [value.end], {"output_type": "i64"}, opset=3),
            "i64",
            rank,
        )

    def reshape(self) -> None:
        pattern = self.rng.choice([(-1,), (-1, 3), (0, -1), (3, -1), (1, -1)])
        end = self.net.add(
            "Reshape",
            [self.pick().end, self.integers(*pattern)],
            {"special_zero": "true"},
        )
        self.note(
            end,
            "f32",
            ",".join("?" if number < 1 else str(number) for number in pattern),
        )

    def broadcast(self) -> None:
        value, mode = self.pick(), self.rng.choice(["numpy", "bidirectional"])
        target = self.integers(3, 3)
        if self.rng.random() < 0.5:
            target = self.net.add(
                "ShapeOf", [self.pick().end], {"output_type": "i64"}, opset=3
            )
        self.note(
            self.net.add("Broadcast", [value.end, target], {"mode": mode}, opset=3),
            "f32",
            "?,?",
        )

    def unsqueeze(self) -> None:
        value = self.pick()
        end = self.net.add("Unsqueeze", [value.end, self.integers(0)])
        self.note(
            end,
            "f32",
            "..." if value.shape == "..." else f"1,{value.shape}".rstrip(","),
        )

    def reduce(self) -> None:
        keep = self.rng.choice(["true", "true", "false"])
        value = self.pick()
        end = self.net.add(
            "ReduceSum",
            [value.end, self.integers(self.rng.choice([0, -1]))],
            {"keep_dims": keep},
        )
        self.note(end, "f32", value.shape if keep == "true" else "...")

    def matmul(self) -> None:
        one, is_same = self.pick(), self.rng.random() < 0.7
        other = one if is_same else self.pick()
        attributes = {
            "transpose_a": "false",
            "transpose_b": "true" if is_same else "false",
        }
        self.note(
            self.net.add("MatMul", [one.end, other.end], attributes), "f32", "?,?"
        )

    def concat(self) -> None:
        value = self.pick()
        other = value if self.rng.random() < 0.6 else self.pick()
        axis = self.rng.choice([0, 0, -1])
        self.note(
            self.net.add("Concat", [value.end, other.end], {"axis": axis}),
            "f32",
            value.shape,
        )

    def slice(self) -> None:
        value, start = self.pick(), self.rng.choice([0, 1])
        ends = [
            self.integers(start),
            self.integers(self.rng.choice([1, 2, 100])),
            self.integers(1),
        ]
        end = self.net.add(
            "Slice",
            [value.end, *ends, self.integers(self.rng.choice([0, -1]))],
            opset=8,
        )
        self.note(end, "f32", value.shape)

    def gather_shape(self) -> End:
        value = self.net.add(
            "ShapeOf", [self.pick().end], {"output_type": "i64"}, opset=3
        )
        end = self.net.add(
            "Gather",
            [value, self.integers(self.rng.choice([0, 0, -1])), self.scalar(0)],
            opset=8,
        )
        return self.note(end, "i64", "1").end

    # Layers with bodies

    def body(self, inputs: list[Value]) -> tuple[Maker, list[Value]]:
        """A body with a Parameter for each of some outputs."""
        maker = Maker(self.rng, Net(self.net.weights), self.depth - 1)
        parameters = []
        for value in inputs:
            shape = self.rng.choice(
                [
                    value.shape,
                    value.shape,
                    value.shape,
                    "...",
                    "...",
                    self.rng.choice(SHAPES),
                ]
            )
            type = value.type if self.rng.random() < 0.97 else "f32"
            parameters.append(maker.add_parameter(shape, type))
        maker.add_layers(self.rng.choice([0, 1, 2, 3, 4]))
        return maker, parameters

    def inputs(self) -> list[Value]:
        return [
            self.pick(self.rng.choice(["f32", "f32", "f32", "i64"]))
            for _ in range(self.rng.choice([1, 2, 2, 3]))
        ]

    def condition(self) -> End:
        rng = self.rng
        if rng.random() < 0.4:
            return self.net.parameter(
                rng.choice(["", "", "1", "?", "..."] + ["2,1"] * (rng.random() < 0.1)),
                "boolean",
            )
        return self.scalar(rng.choice([1, 1, 0]), "boolean")

    def add_if(self) -> None:
        inputs, count = self.inputs(), self.rng.choice([1, 1, 2])
        types = [self.rng.choice(["f32", "f32", "i64"]) for _ in range(count)]
        bodies = []
        for _ in range(2):
            maker, parameters = self.body(inputs)
            results = [maker.net.result(maker.pick(type).end) for type in types]
            entries = [
                entry("input", 1 + place, each.end[0])
                for place, each in enumerate(parameters)
            ]
            entries += [
                entry("output", 1 + len(inputs) + place, each)
                for place, each in enumerate(results)
            ]
            self.rng.shuffle(entries)
            bodies.append((maker.net, entries))
        ends = [self.condition(), *[value.end for value in inputs]]
        end = self.net.add(
            "If", ends, outputs=count, opset=8, inside=branches(*bodies[0], *bodies[1])
        )
        for place, type in enumerate(types):
            self.note(
                (end[0], end[1] + place),
                type,
                self.rng.choice(["...", inputs[0].shape]),
            )

    def add_loop(self) -> None:
        rng, inputs = self.rng, self.inputs()
        maker, parameters = self.body(inputs)
        entries, edges, types = self.connect(
            maker, parameters, 2, [None, {"axis": rng.choice([0, 0, 1, -1])}]
        )
        entries.append(
            entry(
                "output",
                -1,
                maker.net.result(self.body_condition(maker)),
                purpose="execution_condition",
            )
        )
        if rng.random() < 0.4:
            number = maker.net.parameter(rng.choice(["", "1", "..."]), "i64")
            entries.append(entry("input", -1, number[0], purpose="current_iteration"))
        rng.shuffle(entries)
        ends = [self.trip_count(), self.condition(), *[value.end for value in inputs]]
        text = inside(maker.net, entries, edges)
        self.note_all(
            self.net.add("Loop", ends, outputs=len(types), opset=5, inside=text),
            types,
            inputs,
        )

    def body_condition(self, maker: Maker) -> End:
        rng = self.rng
        if rng.random() < 0.6:
            return maker.scalar(rng.choice([1, 1, 1, 0]), "boolean")
        if rng.random() < 0.3:
            return maker.net.parameter("", "boolean")
        return maker.net.add(
            "Less", [maker.number(), maker.integers(rng.choice([2, 3, 100]))]
        )

    def trip_count(self) -> End:
        rng = self.rng
        if rng.random() < 0.25:
            return self.net.parameter(rng.choice(["", "1"]), "i64")
        if rng.random() < 0.2:
            return self.number()
        return self.scalar(rng.choice([-1, 0, 1, 2, 3, 5, 100]))

    def add_iterator(self) -> None:
        inputs = self.inputs()
        maker, parameters = self.body(inputs)
        slices = {"axis": self.rng.choice([0, 0, 1])}
        slices |= self.rng.choice(
            [{}, {}, {"part_size": 2}, {"start": -1, "end": 0, "stride": -1}]
        )
        entries, edges, types = self.connect(maker, parameters, 0, [None, slices])
        self.rng.shuffle(entries)
        text = inside(maker.net, entries, edges)
        ends = [value.end for value in inputs]
        self.note_all(
            self.net.add("TensorIterator", ends, outputs=len(types), inside=text),
            types,
            inputs,
        )

    def note_all(self, end: End, types: list[str], inputs: list[Value]) -> None:
        for place, type in enumerate(types):
            self.note(
                (end[0], end[1] + place),
                type,
                self.rng.choice(["...", inputs[0].shape]),
            )

    def connect(
        self,
        maker: Maker,
        parameters: list[Value],
        first: int,
        slices: list[dict[str, int] | None],
    ) -> tuple[list[str], list[str], list[str]]:
        """Entries of a port map, back edges, and the types of outputs."""
        rng = self.rng
        entries: list[str] = []
        edges: list[str] = []
        types: list[str] = []
        port = first + len(parameters)
        for place, parameter in enumerate(parameters):
            cut = rng.choice(slices) if rng.random() < 0.5 else None
            if (
                cut is not None and rng.random() < 0.95
            ):  # OpenVINO cannot read a negative axis of an input
                cut = cut | {"axis": max(0, cut["axis"])}
            entries.append(
                entry("input", first + place, parameter.end[0], **(cut or {}))
            )
            if cut is None and rng.random() < 0.6:
                value = maker.pick(parameter.type)
                result = maker.net.result(value.end)
                edges.append(back_edge(result, parameter.end[0]))
                if rng.random() < 0.8:
                    entries.append(entry("output", port + len(types), result))
                    types.append(value.type)
        if not types or rng.random() < 0.5:
            value = maker.pick(rng.choice(["f32", "f32", "i64"]))
            entries.append(
                entry(
                    "output",
                    port + len(types),
                    maker.net.result(value.end),
                    **(rng.choice(slices) or {}),
                )
            )
            types.append(value.type)
        return entries, edges, types


def random_model(rng: random.Random) -> tuple[str, bytes]:
    """The text of a model, and its weights."""
    maker = Maker(rng, Net(), rng.choice([1, 1, 2, 3]))
    for _ in range(rng.choice([1, 2, 2, 3])):
        maker.add_parameter(rng.choice(SHAPES))
    maker.add_layers(rng.choice([0, 1, 2]))
    for _ in range(rng.choice([1, 1, 2])):
        rng.choice([maker.add_if, maker.add_loop, maker.add_loop, maker.add_iterator])()
    maker.add_layers(rng.choice([0, 1, 2]))
    for value in maker.values:
        maker.net.result(value.end)
    text = maker.net.document()
    return mutated(rng, text) if rng.random() < 0.15 else text, maker.net.weights.data


def mutated(rng: random.Random, text: str) -> str:
    """The text with another number, or without an entry, in one of the port maps."""
    entries = [*ENTRY.finditer(text)]
    if not entries:
        return text
    match = rng.choice(entries)
    attributes = [*ATTRIBUTE.finditer(match[0])]
    if rng.random() < 0.15 or not attributes:
        return text[: match.start()] + text[match.end() :]
    attribute = rng.choice(attributes)
    number = rng.choice(
        [
            "-1",
            "-2",
            "0",
            "1",
            "2",
            "3",
            "4",
            "7",
            "99",
            "x",
            "",
            "1.5",
            " 2",
            "-9223372036854775809",
        ]
    )
    return (
        text[: match.start() + attribute.start(1)]
        + number
        + text[match.start() + attribute.end(1) :]
    )


def random_models(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    rng = random.Random(seed)
    for _ in range(count):
        yield random_model(rng)


def check(count: int, seed: int) -> list[str]:
    """What differs from OpenVINO in random models."""
    oracle, lines = Oracle(), []
    for verdict, layers, xml, ours, theirs in differing(
        random_models(count, seed), oracle
    ):
        bad = [f"{each} {path}" for path, each in layers.items() if each in BAD]
        if verdict in BAD:
            lines.append(
                f"{verdict}: {bad}\n{xml}\n  ours {ours.get('error')}\n  OpenVINO {theirs.get('error')}"
            )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--most", type=int, default=5, help="examples to print of each verdict"
    )
    parser.add_argument("--save", help="where to write the first one that differs")
    options = parser.parse_args()
    oracle, total, layers_total = Oracle(), Counter[str](), Counter[str]()
    for verdict, layers, xml, ours, theirs in differing(
        random_models(options.count, options.seed), oracle
    ):
        if ours["unchecked"]:
            verdict = f"unchecked, {verdict}"
        else:
            layers_total.update(layers.values())
        total[verdict] += 1
        if verdict in BAD and total[verdict] <= options.most:
            print(
                verdict,
                len(xml),
                "| ours",
                ours.get("error"),
                "| OpenVINO",
                theirs.get("error", "")[-260:],
            )
            for path, each in layers.items():
                if each in BAD:
                    print(
                        "   ",
                        each,
                        path,
                        ours["layers"].get(path),
                        theirs["layers"][path],
                    )
            if options.save:
                with open(
                    f"{options.save}-{verdict}-{total[verdict]}.xml",
                    "w",
                    encoding="utf-8",
                ) as file:
                    file.write(xml)
    print(dict(total), dict(layers_total))


if __name__ == "__main__":
    main()
