"""Work grows with the size of a file, not with its square, whatever there is most of in it.

Work is counted in calls, since clocks differ from run to run; ``python tests/validation/test_scale.py 100000`` tells
the time for so many of each.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import time
from collections.abc import Callable
from itertools import islice

import pytest

import ovgather
from ovgather.ir.graph import Layer
from ovgather.report import render
from ovgather.validation.check import check_file
from ovgather.validation.facts.edges import upstream
from ovgather.verbs.infer import infer

SMALL, TIMES = 100, 4
MOST = 1.5 * TIMES
"""Of linear work comes ``TIMES``, of square work its square; at the start some work is rather done one by one."""

ELEMENTS = """<layer id="{0}" name="g{0}" type="GatherElements" version="opset6"><data axis="{axis}"/>
<input><port id="0" precision="FP32"><dim>3</dim></port><port id="1" precision="I32"><dim>3</dim></port></input>
<output><port id="2" precision="FP32"><dim>{out}</dim></port></output></layer>"""
CONVERT = """<layer id="{0}" name="a" type="Convert" version="opset1"><data destination_type="i64"/>
<input><port id="0"/></input><output><port id="1" precision="I64"/></output></layer>"""
CONST = """<layer id="{0}" name="c{0}" type="Const" version="opset1">
<data element_type="f3" shape="3,x" offset="{0}" size="-4" value="q"/>
<output><port id="0" precision="FP3"><dim>x</dim></port></output></layer>"""
AXIS = """<layer id="{0}" name="g{0}" type="Gather" version="opset8"><input>
<port id="0" precision="FP32"><dim>3</dim></port><port id="1" precision="I32"><dim>3</dim></port>
<port id="2" precision="I64"/></input><output><port id="3" precision="FP32"><dim>3</dim></port></output></layer>"""
MANY = """<layer id="{0}" name="m" type="Einsum" version="opset7"><input>{ports}<port id="0"/></input>
<output><port id="1" precision="I64"/></output></layer>"""
ONE = """<layer id="{0}" name="c{0}" type="Const" version="opset1">
<data element_type="i64" shape="" offset="0" size="8"/><output><port id="0" precision="I64"/></output></layer>"""
LOOP = '<layer id="0" name="{name}" type="Loop" version="opset5"><body><layers>'
PORT = '<port id="{0}" precision="{kind}"><dim>{dim}</dim></port>'
INTO = '<edge from-layer="{0}" from-port="0" to-layer="{1}" to-port="{2}"/>'
EDGE = '<edge from-layer="{0}" from-port="1" to-layer="{1}" to-port="0"/>'


def net(layers: str, edges: str = "") -> str:
    return f'<net name="m" version="11">\n<layers>\n{layers}\n</layers>\n<edges>{edges}</edges>\n</net>'


def many(text: str, count: int, between: str = "", **values: str) -> str:
    return between.join(text.format(number, **values) for number in range(count))


def elements(
    count: int, old: str = "", new: str = "", axis: str = "0", out: str = "3"
) -> str:
    text = ELEMENTS.replace(old, new) if old else ELEMENTS
    return net(many(text, count, "\n", axis=axis, out=out))


def concat(inside: str) -> str:
    return net(
        f'<layer id="0" name="a" type="Concat" version="opset1"><data axis="0"/>{inside}</layer>'
    )


def gather(
    count: int,
    data: str,
    indices: str,
    out: str,
    kind: str = "GatherElements",
    version: str = "opset6",
) -> str:
    dims = [f"<dim>{dim}</dim>" * count for dim in (data, indices, out)]
    ports = f'<port id="0" precision="FP32">{dims[0]}</port><port id="1" precision="I64">{dims[1]}</port>'
    inside = f'<input>{ports}</input><output><port id="2" precision="FP32">{dims[2]}</port></output>'
    return net(
        f'<layer id="0" name="a" type="{kind}" version="{version}"><data axis="0"/>{inside}</layer>'
    )


def attributes(count: int) -> str:
    return elements(1, "axis=", many('a{0}="1" ', count).replace("{", "{{") + "axis=")


def chain(count: int, width: int) -> tuple[str, str]:
    """Layers, the last of which has the id 0, each of so many inputs: the one before it and Consts of its own."""
    layers, edges, ports = "", "", many('<port id="{0}"/>', width)
    ids = range(0, count * width, width)
    for number in ids:
        layers += MANY.format(number, ports=ports.replace('id="', 'id="1'))
        layers += "".join(ONE.format(number + other) for other in range(1, width))
        edges += EDGE.format(number + width, number) if number != ids[-1] else ""
        edges += "".join(
            INTO.format(number + other, number, f"1{other}")
            for other in range(1, width)
        )
    return layers, edges


def computed_axes(count: int) -> str:
    layers, edges = chain(count, 4)
    gathers = range(4 * count, 5 * count)
    layers += "".join(AXIS.format(number) for number in gathers)
    return net(
        layers,
        edges
        + "".join(
            INTO.replace('"0"', '"1"', 1).format(0, number, 2) for number in gathers
        ),
    )


def in_bodies(text: str) -> str:
    text = text.replace("<layers>", "<layers>" + LOOP.format(name="n" * 50) * 60, 1)
    return text.replace("</layers>", "</layers>" + "</body></layer></layers>" * 60, 1)


def results_of_a_body(count: int) -> str:
    """IR v10 compares the names of all outputs of the model: here of one layer, with a long body."""
    ports, body = many('<port id="{0}" names="n{0}"/>', count), many(CONVERT, count)
    loop = f'<layer id="0" name="l" type="Loop" version="opset5"><output>{ports}</output><body><layers>{body}'
    ends = '<layer id="1{0}" name="r{0}" type="Result" version="opset1"><input><port id="0"/></input></layer>'
    edges = many(
        '<edge from-layer="0" from-port="{0}" to-layer="1{0}" to-port="0"/>', count
    )
    text = net(f"{loop}</layers></body></layer>{many(ends, count)}", edges)
    return text.replace('version="11"', 'version="10"')


CASES: dict[str, Callable[[int], str]] = {
    "a chain of layers": lambda n: net(
        many(CONVERT, n), "".join(EDGE.format(k, k + 1) for k in range(n))
    ),
    "findings": lambda n: elements(n, axis="5", out="9"),
    "findings in one line": lambda n: elements(n, axis="5", out="9").replace("\n", " "),
    "findings in one line, no ASCII": lambda n: elements(
        n, 'name="g', 'name="ğ', "5", "9"
    ).replace("\n", " "),
    "wrong edges": lambda n: net("", many(EDGE.replace("{1}", "x"), n, "\n")),
    "wrong constants": lambda n: net(many(CONST, n, "\n")),
    "edges into one port": lambda n: net(
        CONVERT.format(1), many(EDGE.replace("{1}", "1"), n)
    ),
    "unknown attributes": attributes,
    "unknown elements": lambda n: net(many("<foo{0}/>", n)),
    "ports of one layer": lambda n: concat(
        f"<input>{many(PORT, n, kind='FP32', dim='3')}</input>"
    ),
    "wrong ports of one layer": lambda n: concat(
        f"<output>{many(PORT, n, kind='foo', dim='x')}</output>"
    ),
    "ports of one id": lambda n: concat(
        f"<input>{PORT.format(0, kind='FP32', dim='3') * n}</input>"
    ),
    "layers of one id": lambda n: elements(n, 'id="{0}"', 'id="0"'),
    "repeated inputs": lambda n: concat("<input/>" * n),
    "ports within a port": lambda n: concat(
        f'<input><port id="0"><rt_info>{"<port/>" * n}</rt_info></port></input>'
    ),
    "dims that differ": lambda n: gather(n, "3", "4", "4"),
    "declared dims that differ": lambda n: gather(n, "3", "3", "4"),
    "dims and no axis": lambda n: gather(n, "3", "3", "4", "Gather", "opset8"),
    "bare ampersands": lambda n: elements(n, 'name="', 'name="a&b'),
    "control characters": lambda n: elements(n, 'name="', 'name="\x01'),
    "layers without quotes": lambda n: elements(n, '"{axis}"', "{axis}"),
    "entities": lambda n: (
        '<!DOCTYPE net [<!ENTITY e "1">]>' + elements(n, 'name="', 'name="&e;')
    ),
    "printed layer": lambda n: (
        '<... type="Gather">' + "<!-- axis = 0 --><data axis=1 />" * n + "</layer>"
    ),
    "types that are none": lambda n: elements(n, "GatherElements", "T{0}"),
    "a long path of bodies": lambda n: in_bodies(elements(n)),
    "axes that one chain computes": computed_axes,
    "results of a long body": results_of_a_body,
    "inputs of other dims": lambda n: net(
        many(
            CONVERT.replace('"0"/>', '"0"><dim>{0}</dim></port>').replace(
                '"I64"/>', '"I64"><dim>1{0}</dim></port>'
            ),
            n,
        ),
        "".join(EDGE.format(k, k + 1) for k in range(n - 1)),
    ),
}


def work(text: bytes) -> None:
    checked = check_file(text, bytes(100))
    assert [finding.fix() for finding in checked.diagnostics] or not checked.diagnostics
    render("validate", "text", [checked])
    render("validate", "json", [checked])
    render("infer", "text", [infer(text, weights=bytes(100))], why=True)


def calls(text: bytes) -> int:
    profile = cProfile.Profile()
    profile.runcall(work, text)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def seconds(text: bytes) -> float:
    started = time.process_time()
    work(text)
    return time.process_time() - started


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_work_is_linear(name: str) -> None:
    small, large = (CASES[name](count).encode() for count in (SMALL, TIMES * SMALL))
    work(CASES[name](9).encode())  # what is done once is done by now
    assert calls(large) < MOST * calls(small)


def test_who_stops_early_reads_the_inputs_of_few_layers() -> None:
    first = ovgather.read(net(*chain(60, 50)).encode()).find("0")
    passed: list[Layer] = []
    assert (
        len([*islice(upstream(first, lambda layer: passed.append(layer) is None), 500)])
        == 500
    )
    assert len([layer for layer in passed if layer.inputs]) < 500 / 50 + 2


def test_declared_size_is_not_believed() -> None:
    text = """<layer id="0" name="c" type="Const" version="opset1">
        <data element_type="f32" shape="50000000" offset="{}" size="200000000"/>
        <output><port id="0" precision="FP32"><dim>50000000</dim></port></output></layer>"""
    for offset in (0, (1 << 63) - 1, (1 << 63) - 200_000_000):
        found = ovgather.validate(net(text.format(offset)).encode(), bytes(4))
        assert "OVG402" in {item.code for item in found}


if __name__ == "__main__":
    for case, make in CASES.items():
        text = make(int(sys.argv[1])).encode()
        print(f"{case:32} {len(text) / 1e6:6.1f} MB {seconds(text):7.1f} s", flush=True)
