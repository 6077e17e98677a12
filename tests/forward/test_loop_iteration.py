"""A Loop whose body has the current iteration behind a Parameter into which a constant flows, beside OpenVINO."""

from __future__ import annotations

import struct
from itertools import permutations
from pathlib import Path

import pytest
from ir_text import edge_text, graph_text, layer_text, net_text, port_text

from ovgather.forward.run import Forward
from ovgather.ir.read import read

WEIGHTS = struct.pack("<q?7x2f", 3, True, 1, 2)
TYPES = {"count": ("i64", ""), "addend": ("f32", "2"), "total": ("f32", "2")}
IDS = {name: id for id, name in enumerate(TYPES)}
RESULT, CONDITION = 8, 9
PORT_MAP = f"""<port_map>
<input external_port_id="-1" internal_layer_id="{IDS["count"]}" purpose="current_iteration"/>
<input external_port_id="2" internal_layer_id="{IDS["addend"]}"/>
<input external_port_id="3" internal_layer_id="{IDS["total"]}"/>
<output external_port_id="-1" internal_layer_id="{CONDITION}" purpose="execution_condition"/>
<output external_port_id="4" internal_layer_id="{RESULT}"/>
</port_map><back_edges><edge from-layer="{RESULT}" to-layer="{IDS["total"]}"/></back_edges>"""


def layer(id: int, type: str, data: str = "", inputs: int = 0, outputs: int = 1) -> str:
    ports = [port_text(place, "FP32") for place in range(inputs)]
    given = [port_text(9, "FP32")] * outputs
    return layer_text(id, type, "opset1", data, ports, given, name=f"l{id}")


def parameter(id: int, type: str, shape: str) -> str:
    return layer(id, "Parameter", f'element_type="{type}" shape="{shape}"')


def const(id: int, type: str, shape: str, offset: int, size: int) -> str:
    place = f'offset="{offset}" size="{size}"'
    return layer(id, "Const", f'element_type="{type}" shape="{shape}" {place}')


def edges(*ends: tuple[int, int, int]) -> list[str]:
    return [edge_text((source, 9), (target, place)) for source, target, place in ends]


def loop(order: tuple[str, ...], source: str = "constant", shape: str = "2") -> bytes:
    """A Loop that adds an addend and the number of the round; ``order`` is that of the Parameters of its body."""
    inner = [parameter(IDS[name], *TYPES[name]) for name in order]
    inner += [
        const(3, "boolean", "", 8, 1),
        layer(4, "Convert", 'destination_type="f32"', 1),
        layer(5, "Add", "", 2),
        layer(6, "Add", "", 2),
        layer(RESULT, "Result", "", 1, 0),
        layer(CONDITION, "Result", "", 1, 0),
    ]
    flow = edges(
        (IDS["count"], 4, 0),
        (IDS["total"], 5, 0),
        (IDS["addend"], 5, 1),
        (5, 6, 0),
        (4, 6, 1),
        (6, RESULT, 0),
        (3, CONDITION, 0),
    )
    body = f"<body>{graph_text(inner, flow)}</body>"
    addend = const(2, "f32", "2", 16, 8)
    if source != "constant":
        addend = parameter(2, "f32", "2")
    ports = [port_text(place, "FP32") for place in range(4)]
    layers = [
        const(0, "i64", "", 0, 8),
        const(1, "boolean", "", 8, 1),
        addend,
        parameter(3, "f32", shape),
        layer_text(
            4,
            "Loop",
            "opset5",
            "",
            ports,
            [port_text(9, "FP32")],
            name="loop",
            inside=PORT_MAP + body,
        ),
        layer(5, "Result", "", 1, 0),
    ]
    around = edges((0, 4, 0), (1, 4, 1), (2, 4, 2), (3, 4, 3), (4, 5, 0))
    return net_text(layers, around).encode()


MODELS = [
    (order, source, shape)
    for order in permutations(TYPES)
    for source in ("constant", "input")
    for shape in ("2", "?")
]


FED = [
    loop(*model).replace(b'"-1" internal_layer_id="0"', b'"0" internal_layer_id="0"')
    for model in MODELS
]
"""The trip count flows into the Parameter of the current iteration."""


def counting(type: str, shape: str = "2") -> bytes:
    """A Loop that counts its rounds in a Parameter of ``type``."""
    before, found, body = loop(tuple(TYPES), "input", shape).partition(b"<body>")
    declared = b'element_type="i64" shape=""'
    return (
        before
        + found
        + body.replace(declared, declared.replace(b"i64", type.encode()), 1)
    )


COUNTED = [counting(type) for type in ("i64", "i32", "u16", "f32", "u8", "boolean")]
COUNTED.append(counting("f32", "?"))


def stage(text: bytes) -> str:
    return "".join([each.error.stage for each in Forward(read(text, WEIGHTS)).refusals])


@pytest.mark.parametrize("source", ["constant", "input"])
@pytest.mark.parametrize("order", [*permutations(TYPES)])
def test_stage(order: tuple[str, ...], source: str) -> None:
    is_late = order.index("addend") < order.index("count")
    expected = "compile" if is_late and source == "constant" else ""
    assert stage(loop(order, source)) == expected


def test_types_of_the_current_iteration() -> None:
    assert [stage(text) for text in COUNTED] == ["", "", "", *["compile"] * 3, ""]


@pytest.mark.runtime
@pytest.mark.slow
def test_openvino_says_the_same(tmp_path: Path) -> None:
    pytest.importorskip("openvino", reason="openvino is not installed")
    # Here, since a module that has it starts a runtime in all of its tests.
    from openvino_verdicts import verdicts

    texts = [*[loop(*model) for model in MODELS], *FED, *COUNTED]
    paths = [tmp_path / f"{number}.xml" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text)
        path.with_suffix(".bin").write_bytes(WEIGHTS)
    answers = verdicts([*map(str, paths)], last="compile")
    assert [stage(text) for text in texts] == [
        answers[str(path)].stage for path in paths
    ]
