"""``convert --target``: what is rewritten, what is refused and why; that OpenVINO computes the same afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_models import constant, i64, layer, net, parameter, result

from ovgather.cli.main import run
from ovgather.errors import InvalidModelError
from ovgather.processes import is_installed
from ovgather.targets.release import parse
from ovgather.validation.api import validate
from ovgather.verbs.downgrade import downgrade

pytestmark = pytest.mark.skipif(
    not is_installed("openvino"), reason="openvino is not installed"
)


def gather(
    data: str = "5,4", attributes: str = 'batch_dims="0"', version: str = "opset8"
) -> str:
    """A Gather whose axis and three indices stand in the weights."""
    return net(
        parameter(0, data, "f32", f"FP32 {data.replace('?', '-1')}", "data"),
        constant(1, "3", "i64", 8, 24, "I64 3", "idx"),
        constant(2, "", "i64", 0, 8, "I64", "axis"),
        layer(
            3,
            "Gather",
            version,
            attributes,
            ("FP32 5,4", "I64 3", "I64"),
            ("FP32 3,4",),
            "lookup",
        ),
        result(4, "FP32 3,4"),
        edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0",
    )


def gather_nd(batch_dims: int, output: str) -> str:
    return net(
        parameter(0, "2,3,4", "f32", "FP32 2,3,4", "data"),
        constant(1, "2,3,1", "i64", 0, 48, "I64 2,3,1", "idx"),
        layer(
            2,
            "GatherND",
            "opset8",
            f'batch_dims="{batch_dims}"',
            ("FP32 2,3,4", "I64 2,3,1"),
            (f"FP32 {output}",),
        ),
        result(3, f"FP32 {output}"),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )


def written(folder: Path, text: str, weights: bytes) -> str:
    path = folder / "m.xml"
    path.write_text(text)
    path.with_suffix(".bin").write_bytes(weights)
    return str(path)


@pytest.mark.parametrize(
    ("text", "weights", "target", "changes"),
    [
        (gather(), i64(0, 0, 4, 2), "2022.1", ()),
        (
            gather(),
            i64(0, 0, 4, 2),
            "2021.4",
            ("IR version 11 as 10", 'Gather-8 "lookup" (layer 3) as Gather-7'),
        ),
        (
            gather(),
            i64(0, 0, 4, 2),
            "2020.1",
            ("IR version 11 as 10", 'Gather-8 "lookup" (layer 3) as Gather-1'),
        ),
        (
            gather(version="opset13"),
            i64(0, 0, 4, 2),
            "2022.1",
            ('Gather-8 "lookup" (layer 3) as Gather-8',),
        ),
        (
            gather_nd(1, "2,3,4"),
            i64(0, 1, 2, 0, 1, 2),
            "2021.2",
            ("IR version 11 as 10", 'GatherND-8 "gathernd" (layer 2) as GatherND-5'),
        ),
    ],
)
def test_what_is_rewritten(
    text: str, weights: bytes, target: str, changes: tuple[str, ...], tmp_path: Path
) -> None:
    older = downgrade(written(tmp_path, text, weights), parse(target))
    assert older.inputs == changes
    assert [str(each) for each in validate(older.text, weights, target=target)] == []


@pytest.mark.parametrize(
    ("text", "weights", "target", "why"),
    [
        (gather(), i64(0, 0, -1, 2), "2021.4", "a negative index is not defined in it"),
        (
            gather(),
            i64(0, 0, 5, 2),
            "2021.4",
            "an index out of range is not defined in it",
        ),
        (gather("?,4"), i64(0, 0, 4, 2), "2021.4", "has dynamic dims"),
        (
            gather("3,4", 'batch_dims="1"'),
            i64(1, 0, 1, 2),
            "2021.3",
            "it has no batch_dims, and here they are 1",
        ),
        (gather(), i64(0, 0, 4, 2), "2019R3", "it reads IR versions up to 7 only"),
        (
            gather_nd(2, "2,3"),
            i64(*[0] * 6),
            "2021.4",
            "it merges the 2 batch dims of the output",
        ),
        (gather_nd(1, "2,3,4"), i64(*[0] * 6), "2021.1", "2021.1 has no GatherND"),
        (
            gather().replace(
                'type="Result" version="opset1"', 'type="Result" version="opset8"'
            ),
            i64(0, 0, 4, 2),
            "2021.4",
            "only Gather layers are rewritten, and Result opset8 is read by OpenVINO 2022.1 and later",
        ),
    ],
)
def test_what_is_refused(
    text: str, weights: bytes, target: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidModelError) as error:
        downgrade(written(tmp_path, text, weights), parse(target))
    assert why in str(error.value)


def test_the_verb(tmp_path: Path, capfdbinary: Any) -> None:
    path, output = (
        written(tmp_path, gather(), i64(0, 0, 4, 2)),
        str(tmp_path / "old.xml"),
    )
    assert run(["convert", path, "--target", "2021.2", "-o", output]) == 0
    out = capfdbinary.readouterr().out.decode()
    assert out.splitlines() == [
        "IR version 11 as 10",
        'Gather-8 "lookup" (layer 3) as Gather-1',
        f"written to {output} and {tmp_path / 'old.bin'}",
    ]
    assert (tmp_path / "old.bin").read_bytes() == i64(0, 0, 4, 2)
    # It is there already.
    assert run(["convert", path, "--target", "2021.2", "-o", output]) == 2
    # Never the input.
    assert run(["convert", path, "--target", "2021.2", "-o", path, "--force"]) == 2
    assert Path(path).read_text() == gather()


@pytest.mark.parametrize("arguments", [["--layer", "3"], ["--target", "2021.9"]])
def test_wrong_usage(arguments: list[str], tmp_path: Path) -> None:
    path = written(tmp_path, gather(), i64(0, 0, 4, 2))
    assert (
        run(
            [
                "convert",
                path,
                "--target",
                "2021.2",
                "-o",
                str(tmp_path / "old.xml"),
                *arguments,
            ]
        )
        == 2
    )
