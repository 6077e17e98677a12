"""Cases whose values come by way of other layers: ShapeOf and Convert before, Convert to i64 behind.

What is known of the elements is compared with the shape that OpenVINO's Broadcast makes of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from xml.etree import ElementTree

from declared_oracle import Case, Operand, Oracle, compare, write

from ovgather.forward.run import Forward
from ovgather.ir.read import read
from ovgather.tensor.interval import Items, to_dimension
from ovgather.tensor.shape import of_dims


def write_chain(case: Case, shapes_of: Mapping[int, str]) -> tuple[str, bytes]:
    """The IR of a case of which the inputs in ``shapes_of`` are the shapes of Parameters, of these element types.

    Output 0 becomes i64 and the target shape of a Broadcast.
    """
    xml, weights = write(case._replace(probe=True))
    net = ElementTree.fromstring(xml)
    layers, edges = net.find("layers"), net.find("edges")
    assert layers is not None
    assert edges is not None
    count = len(case.inputs)
    free = 1000
    for number, kind in shapes_of.items():
        _add_layer(layers, free, "ShapeOf", 3, {"output_type": "i64"})
        _add_layer(layers, free + 1, "Convert", 1, {"destination_type": kind})
        _add_edge(edges, (number, 0), (free, 0))
        _add_edge(edges, (free, 1), (free + 1, 0))
        for edge in edges.findall(f"edge[@from-layer='{number}'][@to-layer='{count}']"):
            edge.set("from-layer", str(free + 1))
            edge.set("from-port", "1")
        free += 2
    _add_layer(layers, free, "Convert", 1, {"destination_type": "i64"})
    for edge in edges.findall(f"edge[@to-layer='{count + 2}'][@to-port='1']"):
        edge.set("from-layer", str(free))
        edge.set("from-port", "1")
    _add_edge(edges, (count, count), (free, 0))
    return ElementTree.tostring(net, encoding="unicode"), weights


def _add_layer(
    layers: ElementTree.Element, id: int, type: str, opset: int, data: Mapping[str, str]
) -> None:
    layer = ElementTree.SubElement(
        layers,
        "layer",
        {"id": str(id), "name": f"chain{id}", "type": type, "version": f"opset{opset}"},
    )
    ElementTree.SubElement(layer, "data", dict(data))
    for direction, port in (("input", "0"), ("output", "1")):
        side = ElementTree.SubElement(layer, direction)
        ElementTree.SubElement(side, "port", {"id": port, "precision": "FP32"})


def _add_edge(
    edges: ElementTree.Element, start: tuple[int, int], end: tuple[int, int]
) -> None:
    names = ("from-layer", "from-port", "to-layer", "to-port")
    numbers = (*start, *end)
    ElementTree.SubElement(
        edges,
        "edge",
        {name: str(number) for name, number in zip(names, numbers, strict=True)},
    )


def shape_text(rng: random.Random, length: int) -> str:
    """The text of the shape of a Parameter whose lengths are mostly not known."""
    return ",".join(
        rng.choice(["?", "2..7", "3", "4", "5..", "1..9", "1", "6"])
        for _ in range(length)
    )


def operand(
    rng: random.Random,
    kind: str,
    length: int,
    choices: Iterable[float],
    known: float = 0.6,
) -> tuple[Operand, str | None]:
    """A Const of one dim, or a Parameter whose shape, of element type ``kind``, is the input."""
    if rng.random() < known:
        return Operand(
            str(length), kind, [rng.choice([*choices]) for _ in range(length)]
        ), None
    return Operand(shape_text(rng, length), "f32"), kind


Chain = tuple[Case, Mapping[int, str]]
NEGATIVE = "can't be lower than zero"


def check_chains(
    random_chain: Callable[[random.Random], Chain], count: int, seed: int = 1
) -> list[str]:
    """The chains of ``count`` random ones in which the declarations and OpenVINO contradict each other, in words.

    Bounds that are wider than OpenVINO's do not count: OpenVINO computes both ends of any function, so that
    ``(1..9 - 3)`` squared is ``4..36``, which leaves 0 out.
    """
    rng, oracle = random.Random(seed), Oracle()
    verdicts = chain_verdicts(random_chain, count, rng, oracle)
    return [f"{verdict}: {text}" for verdict, text in verdicts if verdict == "wrong"]


def chain_verdicts(
    random_chain: Callable[[random.Random], Chain],
    count: int,
    rng: random.Random,
    oracle: Oracle,
) -> list[tuple[str, str]]:
    """Of each random chain the verdict, and what both sides say."""
    verdicts = []
    for _ in range(count):
        case, shapes_of = random_chain(rng)
        theirs = oracle.ask(*write_chain(case, shapes_of))
        items, is_refused = _chain_answer(case, shapes_of)
        verdicts.append(
            (
                _verdict(items, is_refused, theirs),
                f"{case} {shapes_of}\n  ours {items}\n  OpenVINO {theirs}",
            )
        )
    return verdicts


def _verdict(items: Items | None, is_refused: bool, theirs: dict[str, Any]) -> str:
    if theirs.get("stage") == "crash":
        return "crash"
    if "error" in theirs:
        if NEGATIVE not in theirs["error"]:
            return "wrong"
        return "refused" if is_refused else "missed"
    if is_refused:
        return "wrong"
    shape = theirs["outputs"][1]
    if items is None:
        return (
            "wider"
            if any(
                dim.isdigit() or ".." in dim for dim in shape[0].strip("[]").split(",")
            )
            else "equal"
        )
    ours = of_dims(tuple([to_dimension(item) for item in items]))
    return compare({"outputs": [[str(ours), "u8"]]}, {"outputs": [shape]})


def _chain_answer(
    case: Case, shapes_of: Mapping[int, str]
) -> tuple[Items | None, bool]:
    """What is known of the elements of output 0, and whether a Broadcast refuses them as its target."""
    xml, weights = write_chain(case, shapes_of)
    model = read(xml.encode(), weights)
    forward = Forward(model)
    assert {refusal.layer.name for refusal in forward.blockers} <= {"probe"}
    last = [layer for layer in model.graph.layers if layer.name.startswith("chain")][-1]
    return forward.outputs[last.offset][0].value, bool(forward.blockers)


def chain_items(case: Case, shapes_of: Mapping[int, str] | None = None) -> Items | None:
    """What is known of the elements of output 0."""
    return _chain_answer(case, shapes_of or {})[0]


def chain_target(case: Case, shapes_of: Mapping[int, str] | None = None) -> str:
    """The shape that the elements of output 0 make."""
    items = chain_items(case, shapes_of)
    if items is None:
        return "unknown"
    return str(of_dims(tuple([to_dimension(item) for item in items])))
