"""Files that OpenVINO reads, and ways to spoil them: what ``compare.py`` and the tests beside it begin with."""

from __future__ import annotations

import gzip
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "shared"))

from mutations import spoil  # noqa: E402
from paths import ROOT  # noqa: E402
from ways import WAYS  # noqa: E402

_LARGE = 1000
"""How many layers make a document that the quick reader takes."""
_FOLDERS = {
    "bodies": (
        "tests/data/bodies/*.xml",
        "tests/data/schemas/[il]*.xml",
        "tests/data/schemas/tensor_iterator.xml",
        "samples_xml/demo/nested.xml",
        "samples_xml/demo/tensor_iterator.xml",
    ),
    "version 10": (
        "tests/data/models/samplenet-opset1.xml",
        "tests/data/schemas/*v10.xml",
    ),
    "family": (
        "samples_xml/specification/*.xml",
        "samples_xml/demo/good.xml",
        "tests/data/schemas/port_rt_info.xml",
    ),
    "good samples": ("samples_xml/rules/*/good*.xml",),
    "bad samples": ("samples_xml/rules/*/bad*.xml",),
}
_EXTENTS = re.compile(rb'offset="([0-9]+)"[^<>]* size="([0-9]+)"')
_GATHER = b"""
    <layer id="%d" name="ge_%d" type="GatherElements" version="opset6">
      <data axis="1"/>
      <input>
        <port id="0" precision="FP32"><dim>2</dim><dim>-1</dim><dim>4</dim></port>
        <port id="1" precision="I64"><dim>2</dim><dim>3</dim><dim>4</dim></port>
      </input>
      <output><port id="2" precision="FP32" names="y%d"><dim>2</dim><dim>3</dim><dim>4</dim></port></output>
    </layer>"""
_SHARES = {
    "bodies": 9,
    "version 10": 3,
    "family": 5,
    "good samples": 5,
    "bad samples": 2,
    "large": 0.3,
}


_PARAMETER = b"""
    <layer id="%d" name="p_%d" type="Parameter" version="opset1">
      <data shape="%s" element_type="%s"/>
      <output><port id="0" precision="%s"><dim>2</dim><dim>%d</dim><dim>4</dim></port></output>
    </layer>"""
_RESULT = b"""
    <layer id="%d" name="r_%d" type="Result" version="opset1">
      <input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim><dim>4</dim></port></input>
    </layer>"""
_EDGE = b'\n    <edge from-layer="%d" from-port="%d" to-layer="%d" to-port="%d"/>'


def many(count: int) -> bytes:
    """``count`` GatherElements layers of the same two inputs, each with a Result."""
    parameters = [
        (0, 0, b"2,?,4", b"f32", b"FP32", -1),
        (1, 1, b"2,3,4", b"i64", b"I64", 3),
    ]
    numbers = range(2, 2 + 2 * count, 2)
    layers = [_PARAMETER % each for each in parameters]
    layers += [
        _GATHER % (number, number, number) + _RESULT % (number + 1, number + 1)
        for number in numbers
    ]
    edges = [
        _EDGE % (0, 0, number, 0)
        + _EDGE % (1, 0, number, 1)
        + _EDGE % (number, 2, number + 1, 0)
        for number in numbers
    ]
    body = b"\n  <layers>%s\n  </layers>\n  <edges>%s\n  </edges>" % (
        b"".join(layers),
        b"".join(edges),
    )
    return b'<?xml version="1.0"?>\n<net name="many" version="11">%s\n</net>\n' % body


class Case(NamedTuple):
    """An IR: its text, its ``.bin`` (None: it has none) and what it was made of."""

    text: bytes
    weights: bytes | None
    origin: str


class Bases:
    """The files to begin with, by kind."""

    def __init__(self) -> None:
        self.kinds = {
            kind: list(_found(patterns)) for kind, patterns in _FOLDERS.items()
        }
        self.kinds["large"] = [Case(many(_LARGE), None, "many")]

    def all(self) -> list[Case]:
        """Each of them once."""
        return [case for cases in self.kinds.values() for case in cases]

    def pick(self, chance: random.Random) -> Case:
        """One of them; those with bodies more often than others."""
        kind = chance.choices(list(_SHARES), list(_SHARES.values()))[0]
        return chance.choice(self.kinds[kind])


def _found(patterns: tuple[str, ...]) -> Iterator[Case]:
    seen: set[bytes] = set()
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_bytes()
            if text and text not in seen:
                seen.add(text)
                yield Case(
                    text, _weights(path, text), path.relative_to(ROOT).as_posix()
                )


def _weights(path: Path, text: bytes) -> bytes | None:
    """The file's own ``.bin``; zeros in place of one that is not kept."""
    packed, plain = HERE / f"{path.stem}.bin.gz", path.with_suffix(".bin")
    if packed.is_file():
        return gzip.decompress(packed.read_bytes())
    if plain.is_file():
        return plain.read_bytes()
    ends = [int(match[1]) + int(match[2]) for match in _EXTENTS.finditer(text)]
    return bytes(max(ends)) if ends and path.parts[-2] == "data" else None


def spoilt(case: Case, chance: random.Random) -> Case:
    """``case`` spoilt in one to three ways: as a whole, in its parts, in its bytes, or in its ``.bin``."""
    way = chance.random()
    if way < 0.05 and case.weights:
        return case._replace(weights=_spoil_weights(case.weights, chance))
    if way < 0.4:
        return case._replace(text=spoil(case.text, chance))
    text = case.text
    for _ in range(chance.choice((1, 1, 1, 1, 2, 3))):
        text = chance.choice(WAYS)(text, chance)
    return case._replace(text=text)


def _spoil_weights(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    kinds = (
        data[:at],
        data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :],
        data[at:] + data[:at],
        data + bytes(chance.randrange(1, 100)),
        chance.randbytes(len(data)),
        b"",
    )
    return chance.choice(kinds)
