"""Packed elements against OpenVINO's own constants, and back."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import ml_dtypes
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ovgather
from ovgather.tensor.element_type import ALL, ElementType, find
from ovgather.tensor.packing import bytes_of, pack, unpack
from ovgather.verbs.run import prepare

FIXED = [item for item in ALL if item.kind not in ("string", "dynamic")]
PACKED = [item for item in FIXED if item.bits < 8]

ASK = """
import json, sys
import numpy
from openvino import Shape, Tensor, Type, op
answers = []
for name, count, data in json.load(sys.stdin):
    kind = getattr(Type, name)
    tensor = Tensor(numpy.array(data, "u1"), Shape([count]), kind)
    sizes = [Tensor(kind, Shape([some])).byte_size for some in range(count + 1)]
    answers.append([sizes, op.Constant(tensor).get_value_strings()])
print(json.dumps(answers))
"""
NF4 = "-1 -0.6961928 -0.52507305 -0.39491749 -0.28444138 -0.18477343 -0.091050036 0"
NF4 += " 0.079580299 0.1609302 0.2461123 0.33791524 0.44070983 0.562617 0.72295684 1"


def as_openvino_says(item: ElementType, array: numpy.ndarray) -> list[float]:
    if item.name == "nf4":
        values = [float(text) for text in NF4.split()]
        return [values[code] for code in array.tolist()]
    return [float(value) for value in array]


@pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")
def test_openvino_reads_the_same() -> None:
    generator = numpy.random.default_rng(4)
    asked = []
    for item in PACKED:
        count = 24 if item.name == "nf4" else 37
        asked.append(
            [
                item.name,
                count,
                generator.integers(0, 256, bytes_of(item, count)).tolist(),
            ]
        )
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for item, (_, count, data), (sizes, texts) in zip(
        PACKED, asked, json.loads(done.stdout), strict=True
    ):
        assert sizes == [bytes_of(item, some) for some in range(count + 1)], item
        ours = as_openvino_says(item, unpack(item, [count], bytes(data)))
        theirs = [float(text) for text in texts]
        if item.name == "nf4":
            # It prints the codes of this one.
            theirs = as_openvino_says(item, numpy.array([int(text) for text in texts]))
        assert ours == theirs, item
        assert numpy.signbit(ours).tolist() == numpy.signbit(theirs).tolist(), item


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(FIXED),
    st.lists(st.integers(0, 5), max_size=3),
    st.integers(0, 2**32),
)
def test_back_and_forth(item: ElementType, shape: list[int], seed: int) -> None:
    count = int(numpy.prod(shape))
    data = (
        numpy.random.default_rng(seed)
        .integers(0, 256, bytes_of(item, count) + 1, "u1")
        .tobytes()
    )
    array = unpack(item, shape, data)
    assert (array.dtype, array.shape) == (item.dtype, tuple(shape))
    packed = pack(item, array)
    assert len(packed) == bytes_of(item, count)
    again = unpack(item, shape, packed)
    assert again.tobytes() == array.tobytes()
    if item.bits * count % 8 == 0 and len(packed) * 8 == item.bits * count:
        assert packed == data[:-1]
    # What is not contiguous is packed in the order of its elements.
    assert pack(item, numpy.asfortranarray(array)) == packed


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    import ovgather.tensor.packing as packing

    data = numpy.random.default_rng(3).integers(0, 256, 30, "u1").tobytes()
    for item in PACKED:
        count = 30 * 8 // item.bits
        whole = unpack(item, [count], data)
        with monkeypatch.context() as patch:
            patch.setattr(packing, "_BLOCK", 3)
            assert unpack(item, [count], data).tobytes() == whole.tobytes()
            assert pack(item, whole) == data


def test_codes_of_the_signed_and_the_real() -> None:
    assert unpack(find("i4"), [2], b"\x8f").tolist() == [-1, -8]
    assert unpack(find("f4e2m1"), [2], b"\x91").astype("f4").tolist() == [0.5, -0.5]
    assert unpack(find("nf4"), [2], b"\xf0").tolist() == [0, 15]
    assert pack(find("i4"), numpy.array([-1, -8], ml_dtypes.int4)) == b"\x8f"


def test_whole_bytes_are_a_view() -> None:
    data = numpy.arange(8, dtype="i4")
    assert (
        unpack(find("u2"), [0, 3], b"").shape
        == unpack(find("f16"), [0, 3], b"").shape
        == (0, 3)
    )
    assert numpy.shares_memory(unpack(find("i32"), [2, 4], memoryview(data)), data)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: unpack(find("u3"), [9], bytes(5)),
            "9 elements of u3 take 6 bytes, there are 5",
        ),
        (
            lambda: unpack(find("f32"), [1], bytes(3)),
            "1 elements of f32 take 4 bytes, there are 3",
        ),
        (
            lambda: unpack(find("string"), [1 << 40], bytes(8)),
            "0 packed strings, where 1099511627776 are needed",
        ),
        (
            lambda: unpack(find("dynamic"), [1], bytes(3)),
            "element type dynamic has no dtype",
        ),
        (
            lambda: pack(find("dynamic"), numpy.zeros(1)),
            "element type dynamic has no dtype",
        ),
        (
            lambda: pack(find("u4"), numpy.zeros(1, "u1")),
            "an array of u4 is uint4, not uint8",
        ),
    ],
)
def test_errors(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


@pytest.mark.parametrize("item", PACKED, ids=str)
def test_gathering_from_packed_constants(item: ElementType) -> None:
    packed = pack(item, unpack(item, [12], b"\x1b\xe4\x93\x6c" * 3))
    values = unpack(item, [12], packed)
    size, code = len(packed), item.name
    net = f"""<net name="n" version="11"><layers>
<layer id="0" name="d" type="Const" version="opset1"><data element_type="{code}" shape="12" offset="0" size="{size}"/>
<output><port id="0" precision="{item.port}"><dim>12</dim></port></output></layer>
<layer id="1" name="i" type="Const" version="opset1"><data element_type="i64" shape="3" offset="{size}" size="24"/>
<output><port id="0" precision="I64"><dim>3</dim></port></output></layer>
<layer id="2" name="g" type="GatherElements" version="opset6"><data axis="0"/>
<input><port id="0" precision="{item.port}"><dim>12</dim></port><port id="1" precision="I64"><dim>3</dim></port></input>
<output><port id="2" precision="{item.port}"><dim>3</dim></port></output></layer>
<layer id="3" name="r" type="Result" version="opset1"><input><port id="0" precision="{item.port}"><dim>3</dim></port>
</input></layer></layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
</edges></net>"""
    model = ovgather.read(net.encode(), packed + numpy.array([11, 0, -2]).tobytes())
    output = prepare(model).run().evidence.got
    assert output.dtype == item.dtype
    assert output.tobytes() == values[[11, 0, 10]].tobytes()
