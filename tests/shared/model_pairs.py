"""Pairs of models: a BERT beside itself written another way, and beside itself with one change."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lxml import etree

DATA = Path(__file__).parents[1] / "data" / "bert"
Edit = Callable[["Draft"], None]


class Draft:
    """A model that is being edited: its tree, and the bytes of its weights."""

    def __init__(self) -> None:
        self.tree: Any = etree.fromstring((DATA / "bert.xml").read_bytes())
        self.weights = bytearray((DATA / "bert.bin").read_bytes())
        self.text: Callable[[bytes], bytes] = lambda text: text

    @property
    def layers(self) -> Any:
        return self.tree.find("layers")

    @property
    def edges(self) -> Any:
        return self.tree.find("edges")

    def of(self, type: str, number: int = 0) -> Any:
        return self.layers.findall(f"layer[@type='{type}']")[number]

    def data(self, type: str, number: int = 0) -> Any:
        return self.of(type, number).find("data")

    def into(self, layer: Any, port: int) -> Any:
        """The edge into a port of a layer."""
        return self.edges.find(
            f"edge[@to-layer='{layer.get('id')}'][@to-port='{port}']"
        )

    def feeding(self, layer: Any, port: int) -> Any:
        """The layer that feeds a port."""
        return self.layers.find(
            f"layer[@id='{self.into(layer, port).get('from-layer')}']"
        )

    def constant(self, stored: str, number: int = 0) -> Any:
        """The ``<data>`` of a Const of this type."""
        return self.layers.findall(
            f"layer[@type='Const']/data[@element_type='{stored}']"
        )[number]

    def span(self, data: Any) -> slice:
        start = int(data.get("offset"))
        return slice(start, start + int(data.get("size")))

    def append(self, layer: Any, after: Any) -> int:
        """Add a layer that reads output 1 of ``after`` and gives as much; its id."""
        number = 1 + max(int(each.get("id")) for each in self.layers)
        layer.set("id", str(number))
        self.layers.append(layer)
        return number

    def write(self, folder: Path, name: str = "other") -> str:
        path = folder / f"{name}.xml"
        path.write_bytes(
            self.text(etree.tostring(self.tree, xml_declaration=True, encoding="utf-8"))
        )
        path.with_suffix(".bin").write_bytes(self.weights)
        return str(path)


def _renumber(draft: Draft, number_of: Callable[[int], int]) -> None:
    for layer in draft.layers:
        layer.set("id", str(number_of(int(layer.get("id")))))
    for edge in draft.edges:
        for end in ("from-layer", "to-layer"):
            edge.set(end, str(number_of(int(edge.get(end)))))


def _rename(
    draft: Draft, name_of: Callable[[int, str], str], outputs: bool = True
) -> None:
    for number, layer in enumerate(draft.layers):
        layer.set("name", name_of(number, layer.get("name")))
    for port in draft.layers.iter("port") if outputs else ():
        if port.get("names"):
            port.set("names", f"renamed {port.get('names')}")


def _shuffle(draft: Draft, key: Callable[[Any], Any]) -> None:
    draft.layers[:] = sorted(draft.layers, key=key)


def _shuffled_edges(draft: Draft) -> None:
    edges = list(draft.edges)
    random.Random(1).shuffle(edges)
    draft.edges[:] = edges


def _shuffled(draft: Draft) -> None:
    places = list(range(len(draft.layers)))
    random.Random(1).shuffle(places)
    order = dict(zip((layer.get("id") for layer in draft.layers), places, strict=True))
    _shuffle(draft, lambda layer: order[layer.get("id")])


def _move_constants(draft: Draft, gap: int = 0, backwards: bool = True) -> None:
    """Write the constants anew, in another order, each with a copy of its bytes."""
    old, draft.weights = bytes(draft.weights), bytearray(b"\xaa" * gap)
    constants = list(draft.layers.iterfind("layer[@type='Const']/data"))
    for data in reversed(constants) if backwards else constants:
        values = old[draft.span(data)]
        data.set("offset", str(len(draft.weights)))
        draft.weights += values + b"\xaa" * gap


def _replaced(old: bytes, new: bytes) -> Edit:
    def edit(draft: Draft) -> None:
        draft.text = lambda text: text.replace(old, new)

    return edit


def _exchange_inputs(draft: Draft) -> None:
    layer = draft.of("Add")
    one, other = draft.into(layer, 0), draft.into(layer, 1)
    one.set("to-port", "1")
    other.set("to-port", "0")
    ports = list(layer.find("input"))
    dims = [[dim.text for dim in port.iter("dim")] for port in ports]
    for port, lengths in zip(ports, reversed(dims), strict=True):
        for dim in list(port):
            port.remove(dim)
        for length in lengths:
            etree.SubElement(port, "dim").text = length


def _add_defaults(draft: Draft) -> None:
    for layer in draft.layers.iterfind("layer[@type='Gather']"):
        layer.find("data").set("batch_dims", "0")
    for data in draft.layers.iterfind("layer[@type='Reshape']/data"):
        data.set("special_zero", data.get("special_zero").upper())


def _add_unused(draft: Draft) -> None:
    layer = etree.fromstring(etree.tostring(draft.of("Convert", 1)))
    layer.set("name", "nobody reads it")
    source = draft.into(draft.of("Convert", 1), 0)
    number = draft.append(layer, None)
    edge = etree.SubElement(draft.edges, "edge", dict(source.attrib))
    edge.set("to-layer", str(number))


def _double(draft: Draft) -> None:
    """Compute a value twice: one of its readers takes the copy."""
    original = draft.of("ShapeOf")
    layer = etree.fromstring(etree.tostring(original))
    layer.set("name", "a copy")
    source = dict(draft.into(original, 0).attrib)
    number = draft.append(layer, None)
    etree.SubElement(draft.edges, "edge", {**source, "to-layer": str(number)})
    draft.edges.find(f"edge[@from-layer='{original.get('id')}']").set(
        "from-layer", str(number)
    )


def _everything(draft: Draft) -> None:
    _move_constants(draft, 3)
    _renumber(draft, lambda number: 7 * number + 5)
    _rename(draft, lambda number, name: f"layer {number}")
    _shuffled(draft)
    _shuffled_edges(draft)
    _replaced(b"\n", b"\r\n")(draft)


def _drop_rt_info(draft: Draft) -> None:
    for info in [*draft.tree.iter("rt_info")]:
        info.getparent().remove(info)


def _exchanged_names(draft: Draft) -> None:
    """Two layers of a type have each other's names: names do not decide."""
    one, other = draft.of("MatMul", 0), draft.of("MatMul", 1)
    first, second = one.get("name"), other.get("name")
    one.set("name", second)
    other.set("name", first)


def _nothing(draft: Draft) -> None:
    pass


def _float_weights(draft: Draft) -> None:
    """A weight of f16 becomes one of f32, without its Convert: the values stay."""
    import numpy

    convert = next(
        layer
        for layer in draft.layers.iterfind("layer[@type='Convert']")
        if draft.feeding(layer, 0).get("type") == "Const"
        and layer.find("data").get("destination_type") == "f32"
    )
    data = draft.feeding(convert, 0).find("data")
    values = (
        numpy.frombuffer(bytes(draft.weights[draft.span(data)]), "f2")
        .astype("f4")
        .tobytes()
    )
    data.set("offset", str(len(draft.weights)))
    data.set("size", str(len(values)))
    data.set("element_type", "f32")
    draft.weights += values
    draft.feeding(convert, 0).find("output/port").set("precision", "FP32")
    for edge in draft.edges.findall(f"edge[@from-layer='{convert.get('id')}']"):
        source = draft.into(convert, 0)
        edge.set("from-layer", source.get("from-layer"))
        edge.set("from-port", source.get("from-port"))
    draft.edges.remove(draft.into(convert, 0))
    draft.layers.remove(convert)


SAME: dict[str, Edit] = {
    "itself": _nothing,
    "renumbered": lambda draft: _renumber(draft, lambda number: number + 1000),
    "renumbered backwards": lambda draft: _renumber(
        draft, lambda number: 5000 - number
    ),
    "renamed": lambda draft: _rename(draft, lambda number, name: f"op_{number}"),
    "renamed shifted": lambda draft: _rename(
        draft, lambda number, name: f"{name}_{number % 3}", outputs=False
    ),
    "exchanged names": _exchanged_names,
    "reordered": _shuffled,
    "reordered backwards": lambda draft: _shuffle(
        draft, lambda layer: -int(layer.get("id"))
    ),
    "edges reordered": _shuffled_edges,
    "CRLF": _replaced(b"\n", b"\r\n"),
    "no line ends": _replaced(b"\n", b""),
    "no rt_info": _drop_rt_info,
    "constants moved": _move_constants,
    "constants with gaps": lambda draft: _move_constants(draft, 64, backwards=False),
    "longer bin": lambda draft: draft.weights.extend(b"more"),
    "commutative inputs exchanged": _exchange_inputs,
    "defaults written": _add_defaults,
    "an unused layer": _add_unused,
    "computed twice": _double,
    "all of it": _everything,
    "a weight that is not compressed": _float_weights,
}
"""The same in meaning."""


def _set(type: str, name: str, value: str, number: int = 0) -> Edit:
    return lambda draft: draft.data(type, number).set(name, value)


def _other_byte(stored: str, number: int, at: int = 0) -> Edit:
    def edit(draft: Draft) -> None:
        _move_constants(draft, backwards=False)  # several may share their bytes
        draft.weights[draft.span(draft.constant(stored, number)).start + at] ^= 0x21

    return edit


def _other_axis(draft: Draft) -> None:
    _move_constants(draft, backwards=False)
    data = draft.feeding(draft.of("Gather"), 2).find("data")
    span = draft.span(data)
    draft.weights[span] = (1).to_bytes(span.stop - span.start, "little")


def _other_edge(draft: Draft) -> None:
    """The second projection takes what the first one takes, before another one."""
    target = draft.into(draft.of("MatMul", 5), 0)
    source = draft.into(draft.of("MatMul", 0), 0)
    target.set("from-layer", source.get("from-layer"))
    target.set("from-port", source.get("from-port"))


def _exchange(type: str, number: int = 0) -> Edit:
    def edit(draft: Draft) -> None:
        layer = draft.of(type, number)
        one, other = draft.into(layer, 0), draft.into(layer, 1)
        one.set("to-port", "1")
        other.set("to-port", "0")

    return edit


def _remove(type: str, number: int = 0) -> Edit:
    """A layer is left out: what read it reads what fed it."""

    def edit(draft: Draft) -> None:
        layer = draft.of(type, number)
        source = draft.into(layer, 0)
        for edge in draft.edges.findall(f"edge[@from-layer='{layer.get('id')}']"):
            edge.set("from-layer", source.get("from-layer"))
            edge.set("from-port", source.get("from-port"))
        for edge in draft.edges.findall(f"edge[@to-layer='{layer.get('id')}']"):
            draft.edges.remove(edge)
        draft.layers.remove(layer)

    return edit


def _insert(draft: Draft) -> None:
    """A ReLU in front of the first Gelu."""
    gelu = draft.of("Gelu")
    layer = etree.fromstring(etree.tostring(gelu))
    for key, value in (("type", "ReLU"), ("version", "opset1"), ("name", "inserted")):
        layer.set(key, value)
    for data in layer.findall("data"):
        layer.remove(data)
    number = draft.append(layer, None)
    edge = draft.into(gelu, 0)
    etree.SubElement(draft.edges, "edge", {**edge.attrib, "to-layer": str(number)})
    edge.set("from-layer", str(number))
    edge.set("from-port", "1")


def _other_type(draft: Draft) -> None:
    layer = draft.of("Gelu")
    layer.set("type", "Swish")
    layer.set("version", "opset4")


def _wider_constant(draft: Draft) -> None:
    """A Const of i32 becomes one of i64 with the same values."""
    data = draft.constant("i32")
    values = bytes(draft.weights[draft.span(data)])
    numbers = [
        int.from_bytes(values[at : at + 4], "little", signed=True)
        for at in range(0, len(values), 4)
    ]
    data.set("offset", str(len(draft.weights)))
    data.set("size", str(2 * len(values)))
    data.set("element_type", "i64")
    for number in numbers:
        draft.weights += number.to_bytes(8, "little", signed=True)


def _other_port(type: str, number: int = 0) -> Edit:
    """Other dims of an output, as declared."""

    def edit(draft: Draft) -> None:
        draft.of(type, number).find("output/port/dim").text = "77"

    return edit


DIFFERENT: dict[str, tuple[Edit, str, str]] = {
    "transpose_b": (_set("MatMul", "transpose_b", "false"), "attribute", "transpose_b"),
    "transpose_a": (
        _set("MatMul", "transpose_a", "true", 4),
        "attribute",
        "transpose_a",
    ),
    "one byte of a weight": (_other_byte("f16", 3, 8), "constant", ""),
    "the last byte of a weight": (_other_byte("f16", 7, -1 + 64), "constant", ""),
    "one index": (_other_byte("i64", 2), "constant", ""),
    "an axis that is a constant": (_other_axis, "constant", ""),
    "an axis that is an attribute": (_set("Concat", "axis", "-2"), "attribute", "axis"),
    "eps": (_set("MVN", "eps", "0.5"), "attribute", "eps"),
    "mode": (
        _set("Gelu", "approximation_mode", "TANH"),
        "attribute",
        "approximation_mode",
    ),
    "an edge": (_other_edge, "input", "input 0"),
    "exchanged inputs": (_exchange("MatMul", 3), "input", "input 0"),
    "a layer removed": (_remove("Gelu"), "removed", ""),
    "the last layer removed": (_remove("MVN", -1), "removed", ""),
    "a layer inserted": (_insert, "added", ""),
    "another operation": (_other_type, "added", ""),
    "another version": (
        lambda draft: draft.of("ShapeOf").set("version", "opset1"),
        "version",
        "version",
    ),
    "a Const of another type": (_wider_constant, "type", ""),
    "the shape of an input": (_set("Parameter", "shape", "1,?"), "shape", "output 0"),
    "dims of a port": (_other_port("MatMul", 2), "shape", "output 0"),
}
"""With one change: the edit, the kind of the change, and what it is of."""
