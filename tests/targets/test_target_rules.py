"""OVG861 to OVG864: what they say, and that they say nothing where no release and no device is named."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from ir_text import net_text
from small_models import (
    constant,
    gather_8,
    gather_elements,
    i64,
    layer,
    net,
    parameter,
    result,
    whole,
)

from ovgather.errors import ConfigurationError
from ovgather.ir.read import read
from ovgather.layers.gather_layer import gather_layers
from ovgather.targets.device import devices, find_device
from ovgather.targets.release import parse
from ovgather.validation.api import validate
from ovgather.validation.rules.targets import target_device
from ovgather.validation.selection.configuration import load

ONNX = find_spec("onnx") is not None


def messages(text: str, weights: bytes | None = None, **purpose: str) -> list[str]:
    found = validate(text.encode(), weights, **purpose)  # type: ignore[arg-type]
    return [
        f"{each.code} {each.severity}: {each.message}"
        for each in found
        if each.code.startswith("OVG86")
    ]


def test_nothing_without_a_purpose() -> None:
    assert messages(gather_8(), i64(0)) == []


def test_an_early_release() -> None:
    assert messages(gather_8(), i64(0), target="2021.4.2") == [
        "OVG861 error: IR version 11 is read by OpenVINO 2022.1 and later, not by 2021.4",
        "OVG861 error: Gather opset8 is read by OpenVINO 2022.1 and later, not by 2021.4",
    ]
    assert messages(gather_8(), i64(0), target="2022.1") == []


def test_an_early_file_for_an_early_release() -> None:
    old = net(layer(0, "Input", "", "", (), ("FP32 1,3",)), version="7")
    assert [each.code for each in validate(old.encode())] == ["OVG004"]
    assert [each.code for each in validate(old.encode(), target="2020.4")] == []
    assert messages(old, target="2021.1") == [
        "OVG861 error: IR version 7 is read by OpenVINO 2020.4 and earlier, not by 2021.1"
    ]


def test_element_types() -> None:
    text = (
        gather_8()
        .replace('element_type="f32"', 'element_type="f4e2m1"')
        .replace("FP32", "F4E2M1")
    )
    found = messages(text, i64(0), target="2024.2")
    assert (
        "OVG861 error: element type f4e2m1 is read by OpenVINO 2024.3 and later, not by 2024.2"
        in found
    )
    assert messages(text, i64(0), target="2024.3") == []


def test_a_negative_axis_in_2020_1() -> None:
    text = gather_8(version="opset1").replace('version="11"', 'version="10"')
    assert messages(text, i64(0), target="2020.1") == []
    (found,) = messages(text, i64(-1), target="2020.1")
    assert found.startswith(
        "OVG861 error: axis -1 is right, but OpenVINO 2020.1 reads a negative axis as an unsigned"
    )
    assert messages(text, i64(-1), target="2020.2") == []


@pytest.mark.parametrize(("shape", "device", "says"), [
    ("?,3", "NPU", "takes no dim without an upper bound"),
    ("2..,3", "npu", "takes no dim without an upper bound"),
    ("...", "npu", "takes no dim without an upper bound"),
    ("1..8,3", "MYRIAD", "takes static shapes only"),
    ("...", "GPU.0", "takes no dynamic rank"),
    ("...", "CPU", "takes no dynamic rank"),
])  # fmt: skip
def test_shapes_of_devices(shape: str, device: str, says: str) -> None:
    text = net(
        parameter(0, shape, "f32", "FP32 -1,3", "x"),
        result(1, "FP32 -1,3"),
        edges="0:0-1:0",
    )
    assert [found for found in messages(text, device=device) if says in found]


def test_a_device_takes_dynamic_dims() -> None:
    text = net(
        parameter(0, "?,3", "f32", "FP32 -1,3", "x"),
        result(1, "FP32 -1,3"),
        edges="0:0-1:0",
    )
    assert messages(text, device="GPU") == []


def test_bounded_dims_on_the_npu() -> None:
    text = net(
        parameter(0, "1..8,3", "f32", "FP32 -1,3", "x"),
        result(1, "FP32 -1,3"),
        edges="0:0-1:0",
    )
    assert messages(text, device="NPU") == []


@pytest.mark.parametrize(
    ("device", "shape", "sizes"),
    [("NPU", "?,2..,7", "1,1,7"), ("MYRIAD", "1..8,?,7", "8,1,7")],
)
def test_what_the_help_says_is_not_reported_again(
    device: str, shape: str, sizes: str
) -> None:
    text = net(
        parameter(0, shape, "f32", "FP32 -1,-1,7", "x"),
        result(1, "FP32 -1,-1,7"),
        edges="0:0-1:0",
    )
    (found,) = [
        each
        for each in validate(text.encode(), device=device)
        if "input 'x'" in each.message
    ]
    assert f"--input-shape 'x=[{sizes}]' --write static.xml" in str(found.help)


def test_a_negative_index_of_gather_nd_on_the_gpu() -> None:
    def model(index: int) -> str:
        layers = (
            parameter(0, "4,3", "f32", "FP32 4,3", "x"),
            constant(1, "2,1", "i64", 0, 16, "I64 2,1", "rows"),
            layer(
                2,
                "GatherND",
                "opset8",
                "",
                ("FP32 4,3", "I64 2,1"),
                ("FP32 2,3",),
                "pick",
            ),
            result(3, "FP32 2,3"),
        )
        return net(*layers, edges="0:0-2:0 1:0-2:1 2:2-3:0")

    def found(index: int, device: str) -> list[str]:
        return [
            each
            for each in messages(model(index), i64(1, index), device=device)
            if "OVG862 warning" in each
        ]

    assert found(2, "GPU") == found(-1, "CPU") == []
    (message,) = found(-1, "GPU")
    assert message == (
        "OVG862 warning: the constant indices hold -1: OpenVINO's GPU plugin counts no index of GatherND from the end"
    )


def test_a_device_that_ended() -> None:
    assert messages(whole(gather_elements()), device="MYRIAD", target="2022.3") == []
    assert messages(whole(gather_elements()), device="NCS2", target="2023.0") == [
        "OVG862 error: OpenVINO's MYRIAD plugin (Neural Compute Stick 2) is in OpenVINO up to 2022.3, not in 2023.0"
    ]


def test_a_negative_axis_on_a_device() -> None:
    text = whole(gather_elements(attributes='axis="-1"'))
    found = [
        each
        for each in validate(text.encode(), device="MYRIAD", target="2022.3")
        if each.code == "OVG862"
    ]
    assert [(each.message, each.help) for each in found] == [
        (
            "axis is -1: OpenVINO's MYRIAD plugin (Neural Compute Stick 2) takes no negative axis",
            'write axis="1"',
        )
    ]


def test_operations_of_a_device() -> None:
    text = whole(gather_elements()).replace('version="11"', 'version="10"')
    found = messages(text, device="GPU", target="2021.4")
    assert (
        found[0]
        == "OVG862 error: OpenVINO's GPU plugin runs GatherElements from OpenVINO 2022.1 on, not in 2021.4"
    )
    assert found[1].startswith(
        "OVG862 note: an index out of range gives on OpenVINO's GPU plugin: zeros for Gather"
    )
    assert [each.split(":")[0] for each in messages(text, device="GPU")] == [
        "OVG862 note"
    ]


@pytest.mark.skipif(not ONNX, reason="onnx is not installed")
@pytest.mark.parametrize(("device", "severities"), [
    ("CUDA", ["note"]), ("DirectML", ["note"]), ("opencv", ["error", "note"]), ("NPU", []), ("onnxruntime", ["note"]),
])  # fmt: skip
def test_devices_that_run_onnx(device: str, severities: list[str]) -> None:
    from onnx_models import one_node

    data = one_node("Gather", [4, 3], [2]).SerializeToString()
    assert [
        each.severity for each in validate(data, device=device) if each.code == "OVG864"
    ] == severities


@pytest.mark.skipif(not ONNX, reason="onnx is not installed")
def test_releases_that_do_not_convert_onnx() -> None:
    from onnx_models import one_node

    data = one_node("GatherElements", [4, 3], [4, 3]).SerializeToString()
    assert [
        each.message
        for each in validate(data, target="2021.2")
        if each.code == "OVG863"
    ] == ["GatherElements is in OpenVINO from 2021.3 on (opset6), not in 2021.2"]
    assert not [
        each for each in validate(data, target="2021.3") if each.code == "OVG863"
    ]


@pytest.mark.parametrize(("target", "says"), [
    ("2024.6", "seen on 2024.6 too"), ("2022.3", "not measured on 2022.3"),
])  # fmt: skip
def test_hazards_on_the_target(target: str, says: str) -> None:
    text = whole(
        gather_elements("3,7", "3,2", output="3,2"), "3,7", "3,2", "3,2"
    ).replace("f32", "f64")
    found = [
        each
        for each in validate(text.replace("FP32", "FP64").encode(), target=target)
        if each.code == "OVG706"
    ]
    assert found
    assert all(each.effect.endswith(says) for each in found)


def test_the_configuration(tmp_path: Path) -> None:
    file = tmp_path / "ovgather.toml"
    file.write_text('target = "2021.4"\ndevice = "npu"\n')
    found = load(str(file))
    assert (found.target, found.device) == ("2021.4", "NPU")
    file.write_text('target = "2021.9"\n')
    with pytest.raises(
        ConfigurationError, match=r"target: OpenVINO 2021.9 is not known"
    ):
        load(str(file))


def test_defects_of_the_gpu_by_release() -> None:
    text = gather_8(
        data="2,3,4,5,6", indices="2", out="2,3,4,5,6", attributes='batch_dims="0"'
    )
    message = "OVG862 warning: OpenVINO's GPU plugin up to OpenVINO 2024.4: the order of indices is"
    for target, known in (("2023.0", 1), ("2024.4", 1), ("2024.5", 0), ("2026.4", 0)):
        found = messages(text, i64(0), device="GPU", target=target)
        assert sum(each.startswith(message) for each in found) == known, (target, found)
    assert not [
        each for each in messages(text, i64(0), device="GPU") if "warning" in each
    ]
    assert not [
        each for each in messages(text, i64(0), target="2024.4") if "warning" in each
    ]
    (found,) = [
        each
        for each in validate(text.encode(), i64(0), device="GPU", target="2024.4")
        if each.severity == "warning" and each.code == "OVG862"
    ]
    assert (
        found.effect
        == "documented: pull request openvino#26894, proposed on 2024-10-03"
    )
    assert (
        found.help == "use a release after 2024.4 that has the fix, or another device"
    )


CROPPED = {
    "axis": 0,
    "data_rank": 2,
    "is_dynamic": False,
    "drops_dim": True,
    "has_constant_indices": True,
}


@pytest.mark.parametrize(
    ("type", "facts", "known"),
    [
        ("GatherND", {"indices_rank": 5, "batch_dims": 0}, [" openvino#27041"]),
        ("GatherND", {"indices_rank": 5, "batch_dims": 1}, []),
        ("GatherND", {}, []),
        ("GatherElements", {"has_negative_index": True}, [" openvino#30856"]),
        ("Gather", {"drops_dim": True, "feeds_elementwise": True}, [" openvino#34897"]),
        ("Gather", {"drops_dim": True, "feeds_elementwise": False}, []),
        (
            "Gather",
            {"data_rank": 6, "has_batch_dims": True},
            [" openvino#26894", " openvino#30054"],
        ),
        (
            "Gather",
            CROPPED,
            ["s openvino#37369 and openvino#37470, which corrects the first"],
        ),
        ("Gather", {**CROPPED, "axis": 1}, []),
        ("Gather", {**CROPPED, "is_dynamic": True}, []),
    ],
)
def test_which_layers_have_a_defect(
    type: str, facts: dict[str, object], known: list[str]
) -> None:
    found = [each for each in find_device("GPU").defects if each.concerns(type, facts)]
    assert [each.source.removeprefix("pull request") for each in found] == known


def test_every_condition_is_a_fact_of_a_layer() -> None:
    (gather,) = gather_layers(read(gather_8().encode(), i64(0)))
    facts = target_device._facts(gather)
    for device in devices():
        for defect in device.defects:
            assert defect.when.keys() <= facts.keys()
            assert parse(str(defect.last)) == defect.last
            assert str(defect.last.year) <= defect.opened


def test_a_version_that_no_known_release_of_a_device_runs() -> None:
    one = '<layer id="0" name="g" type="GatherND" version="{}"/>'
    text = net_text(one)
    for version, says in (
        (
            "opset5",
            ["OpenVINO's NPU plugin runs GatherND-5 in no release that is known"],
        ),
        ("opset8", []),
    ):
        found = validate(text.format(version).encode(), device="NPU", select="OVG862")
        assert [each.message for each in found] == says
