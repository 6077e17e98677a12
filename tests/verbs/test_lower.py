"""One type of Gather as another inside a whole IR: OpenVINO gives the values of the old form."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy
import pytest
from nets import Net

import ovgather
from ovgather.cli.main import run
from ovgather.ops.sampling.random_layer import LayerChoice, choose_operations
from ovgather.runtimes import pool, wire
from ovgather.runtimes.wire import Text, from_wire, request
from ovgather.testing.random_model import RandomModel, random_model

GOOD = "samples_xml/demo/good.xml"
PAIRS = [
    ("GatherElements", "GatherND"),
    ("GatherElements", "Gather"),
    ("GatherND", "Gather"),
    ("GatherND", "GatherElements"),
    ("Gather", "GatherND"),
    ("Gather", "GatherElements"),
]
requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)


class Case(NamedTuple):
    type: str
    model: RandomModel
    text: bytes
    weights: bytes

    def request(self) -> wire.Frame:
        read = ovgather.read(self.text, self.weights)
        names = [layer.name for layer in read.graph.layers if layer.type == "Parameter"]
        kinds = [self.model.layers[0].data_type, self.model.layers[0].index_type]
        inputs = [
            (kinds[name.startswith("indices")], self.model.inputs[name])
            for name in names
        ]
        return request(Text(self.text, self.weights), [inputs], ["result"], "CPU")

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> Any:
        return (
            header["error"]
            if "error" in header
            else from_wire(header["outputs"][0], blobs[0])
        )


def cases(count: int) -> tuple[list[Case], set[str], set[tuple[str, str]]]:
    """Lowered random layers, why others are refused, and the pairs of types among the lowered."""
    made, refused, pairs = [], set(), set()
    for seed in range(count):
        old, new = PAIRS[seed % len(PAIRS)]
        choice = LayerChoice(
            choose_operations([old]),
            ("f32",),
            ("i64", "i32"),
            outside=False,
            empty=False,
            plain=True,
            max_rank=3,
        )
        model = random_model(
            Random(seed), choice, length=1, constant=seed % 4 == 3, dynamic=seed % 3 > 0
        )
        try:
            lowered = ovgather.lower(
                model.text, old, new, weights=model.weights, verify=False
            )
        except ovgather.InvalidModelError as error:
            refused.add(str(error).rpartition("): ")[2])
            continue
        made.append(Case(new, model, lowered.text, lowered.weights))
        pairs.add((old, new))
    return made, refused, pairs


@pytest.mark.slow
def test_random_layers_are_valid_in_the_other_form() -> None:
    made, refused, pairs = cases(300)
    for case in made:
        assert [
            each
            for each in ovgather.validate(case.text, case.weights)
            if each.severity == "error"
        ] == []
        read = ovgather.read(case.text, case.weights)
        assert [
            layer.type for layer in read.graph.layers if layer.type.startswith("Gather")
        ] == [case.type]
    assert len(made) > 150
    assert pairs == set(PAIRS)
    assert (
        "GatherElements takes single elements, and as many dims of indices as of data"
        in refused
    )
    assert (
        "its index tuples can be one index only where they and the lengths are constants"
        in refused
    )


@pytest.mark.slow
@requires_openvino
def test_openvino_gives_the_values_of_the_old_form() -> None:
    made, _, _ = cases(180)
    for case, got in zip(made, pool.run(made, timeout=120, device="CPU"), strict=True):
        # A batch of one reads foreign memory in the CPU plugin: a crash, or other values.
        has_batch = (
            b'type="Gather" version="opset8"><data batch_dims="1"/>' in case.text
        )
        if has_batch and case.model.expected.shape[0] == 1:
            continue
        assert isinstance(got, numpy.ndarray), (got, case.text)
        assert got.shape == case.model.expected.shape
        assert (got == case.model.expected).all(), case.text


@requires_openvino
@pytest.mark.parametrize("path", [GOOD, "samples_xml/demo/nested.xml"])
def test_a_whole_file_is_verified_and_valid(path: str) -> None:
    lowered = ovgather.lower(path, "GatherElements", "GatherND")
    assert ovgather.validate(lowered.text, lowered.weights) == []
    types = {
        layer.type for layer in ovgather.read(lowered.text, lowered.weights).layers()
    }
    assert "GatherElements" not in types
    back = ovgather.lower(
        lowered.text, "GatherND", "GatherElements", weights=lowered.weights
    )
    assert ovgather.validate(back.text, back.weights) == []


def test_what_differs_is_noted_or_refused() -> None:
    lowered = ovgather.lower(GOOD, "Gather", "GatherND", "word_embedding", verify=False)
    assert lowered.inputs == ('Gather-8 "word_embedding" (layer 3) as GatherND-8',)
    assert lowered.notes == (
        "an index outside, which gives zeros in Gather-8, reads what it should not in GatherND-8",
    )
    outside = Net()
    data, indices = (
        outside.const("f32", [3], [1, 2, 3]),
        outside.const("i64", [2], [0, 3]),
    )
    outside.add(
        "Result",
        "",
        outside.add(
            "Gather", "", data, indices, outside.const("i64", [], [0]), version="opset8"
        ),
    )
    for source, old, new, why in (
        (
            outside.model(),
            "Gather",
            "GatherND",
            "indices[1] is 3, outside [-3, 2]: data [3]",
        ),
        (
            GOOD,
            "GatherND",
            "Gather",
            "no GatherND can be written as Gather: it has none",
        ),
        (GOOD, "Gather", "Gather", "no Gather can be written as Gather: it has none"),
        (
            GOOD,
            "Gather",
            "TopK",
            "type 'TopK' is not one of Gather, GatherElements, GatherND",
        ),
        (
            outside.model(weights=False),
            "Gather",
            "GatherND",
            "its .bin is needed, for constants are added to it",
        ),
    ):
        with pytest.raises(ovgather.InvalidModelError) as caught:
            ovgather.lower(source, old, new)
        assert why in str(caught.value)


@requires_openvino
@pytest.mark.parametrize(
    ("codec", "declared"),
    [("utf-16", "UTF-16"), ("latin-1", "ISO-8859-1"), ("utf-8", "UTF-8")],
)
def test_a_file_keeps_its_encoding(codec: str, declared: str) -> None:
    text, weights = Path(GOOD).read_text(), Path(GOOD).with_suffix(".bin").read_bytes()
    text = re.sub(
        r"^(<\?xml[^>]*\?>)?", f'<?xml version="1.0" encoding="{declared}"?>', text
    )
    text = text.replace("sorted_tokens", "sortés")
    lowered = ovgather.lower(
        text.encode(codec), "GatherElements", "GatherND", weights=weights, verify=False
    )
    assert "sortés" in lowered.text.decode(codec)
    model = ovgather.read(lowered.text, lowered.weights)
    assert not model.problems
    assert "sortés" in {layer.name for layer in model.layers()}


def test_the_option_of_convert(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "lowered.xml"
    types = "GatherElements=Gather"
    assert (
        run(
            [
                "convert",
                GOOD,
                "--lower",
                types,
                "--layer",
                "sorted_tokens",
                "-o",
                str(output),
            ]
        )
        == 0
    )
    assert capsys.readouterr().out.splitlines() == [
        'GatherElements-6 "sorted_tokens" (layer 16) as Gather-8',
        f"written to {output} and {output.with_suffix('.bin')}",
        "  note: an index outside, which is an error in GatherElements-6, gives zeros in Gather-8",
        "  note: OpenVINO's CPU plugin can die of a Gather with batch_dims where the batch dims are 1",
    ]
    assert ovgather.validate(output) == []
    assert (
        run(["convert", GOOD, "--lower", "Gather", "-o", str(tmp_path / "x.xml")]) == 2
    )
    assert "--lower 'Gather': write TYPE=TYPE" in capsys.readouterr().err
