"""What is one mistake in several places, and what are two mistakes of which one hides the other."""

from __future__ import annotations

from contradictions import findings
from small_models import layer, net, parameter, result

F32 = "FP32 2,3"
IMAGE, LAST = "FP32 1,3,4,5", "FP32 1,4,5,3"
WIDE = "FP32 1,6,4,5"
POOL = (
    'kernel="3,3" strides="1,1" pads_begin="0,0" pads_end="0,0"'
    ' rounding_type="floor" auto_pad="explicit"'
)


def said(text: str) -> list[tuple[str, str]]:
    return [
        (each.hypothesis, each.message)
        for each in findings(text)
        if each.severity != "note"
    ]


def chain(*layers: str, edges: str) -> str:
    """A Parameter of an image, ``layers``, and a Result with the id 9."""
    return net(
        parameter(0, "1,3,4,5", "f32", IMAGE, "x"),
        *layers,
        result(9, IMAGE),
        edges=edges,
    )


def relu(number: int, taken: str = IMAGE, given: str = IMAGE, name: str = "") -> str:
    return layer(number, "ReLU", "opset1", "", (taken,), (given,), name or f"r{number}")


def test_the_ports_of_a_layer_in_another_layout() -> None:
    layers = relu(1), relu(2, LAST, LAST), relu(3)
    text = chain(*layers, edges="0:0-1:0 1:1-2:0 2:1-3:0 3:1-9:0")
    message = 'the ports of layer 2 "r2" do not fit the layers around it'
    [finding] = [each for each in findings(text) if each.severity != "note"]
    assert (finding.hypothesis, finding.message) == ("port", message)
    words = "correct them: output port 0 is [1,3,4,5]; input port 0 is [1,3,4,5]"
    assert finding.help == words
    assert finding.fix_kind == "safe"


def test_a_dim_that_is_wrong_at_both_ends_of_an_edge() -> None:
    wrong = "FP32 1,3,4,6"
    layers = relu(1), relu(2, IMAGE, wrong), relu(3, wrong, IMAGE)
    text = chain(*layers, edges="0:0-1:0 1:1-2:0 2:1-3:0 3:1-9:0")
    [finding] = [each for each in findings(text) if each.severity != "note"]
    message = "output 0 is declared [1,3,4,6], but the layer computes [1,3,4,5]"
    assert (finding.hypothesis, finding.message) == ("port", message)
    assert not finding.fixable  # what is before it may be wrong


def test_an_input_that_the_operation_does_not_take() -> None:
    layers = [
        parameter(0, "2,3", "f32", F32, "x"),
        parameter(1, "2,3", "f32", F32, "y"),
        layer(2, "Add", "opset1", "", (F32, F32, F32), (F32,), "sum"),
        result(3, F32),
    ]
    text = net(*layers, edges="0:0-2:0 1:0-2:1 0:0-2:2 2:3-3:0")
    message = 'input 2 of layer 2 "sum" is one too many: Add-1 takes 2'
    assert ("extra_edge", message) in said(text)


def test_layers_that_a_merge_pasted_again() -> None:
    layers = relu(1), relu(2), relu(11, name="r1"), relu(12, name="r2")
    text = chain(*layers, edges="0:0-1:0 1:1-2:0 2:1-9:0")
    assert said(text) == [("pasted_layer", "2 layers are defined twice")]


def without_version(axis: int) -> str:
    both = layer(2, "Concat", "opset1", f'axis="{axis}"', (F32, F32), ("FP32 2,6",))
    return net(
        parameter(0, "2,3", "f32", F32, "x"),
        parameter(1, "2,3", "f32", F32, "y"),
        both.replace('version="opset1"', ""),
        result(3, "FP32 2,6"),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )


def test_a_missing_version_is_found() -> None:
    [finding] = findings(without_version(1))
    assert (finding.hypothesis, finding.message) == (
        "version",
        "<layer> has no version",
    )
    fix = finding.fix()
    assert fix is not None
    assert fix.what == "version is opset1"


def test_a_mistake_that_hides_another_one() -> None:
    messages = [message for _, message in said(without_version(0))]
    assert messages == [
        "<layer> has no version",
        "axis is 0, but the declared output [2,6] needs 1",
    ]


def test_what_openvino_refuses_is_repaired_before_ports_are_judged() -> None:
    """Without the edge nothing tells which of two ports is wrong: one of two repairs would stay."""
    layers = relu(1), relu(2, IMAGE, "FP32 1,3,4,7"), relu(3)
    text = chain(*layers, edges="0:0-1:0 1:0-2:0 2:1-3:0 3:1-9:0")
    assert [message for _, message in said(text)] == [
        "output 0 is declared [1,3,4,7], but the layer computes [1,3,4,5]",
        'layer 1 "r1" has no output port 0',
    ]


def test_a_dim_that_the_id_of_its_layer_hides() -> None:
    """The right id shows the wrong dim; a layer that is missing, and one too many, would hide it."""
    layers = relu(1), relu(7, "FP32 1,3,4,9"), relu(3)
    text = chain(*layers, edges="0:0-1:0 1:1-2:0 2:1-3:0 3:1-9:0")
    assert [name for name, _ in said(text)] == ["one_id", "port"]


def test_an_input_that_is_gone_with_its_port() -> None:
    layers = [
        parameter(0, "2,3", "f32", F32, "x"),
        parameter(1, "2,3", "f32", F32, "y"),
        layer(2, "Add", "opset1", "", (F32,), (F32,), "sum"),
        result(3, F32),
    ]
    message = 'layer 2 "sum" lacks an input: the output of layer 1 "y" is unused, '
    message += "and with it the declared output is right"
    text = net(*layers, edges="0:0-2:0 2:1-3:0")
    assert said(text) == [("missing_input", message)]


def test_no_fix_where_the_model_may_be_right() -> None:
    """OpenVINO takes the file: the edge may be wrong, or the port that no other one agrees with."""
    other = "FP32 5,5"
    layers = [
        parameter(0, "2,3", "f32", F32, "x"),
        parameter(1, "5,5", "f32", other, "y"),
        layer(2, "ReLU", "opset1", "", (F32,), (F32,), "r"),
        result(3, other),
        result(4, other),
        result(5, F32),
    ]
    text = net(*layers, edges="0:0-2:0 2:1-3:0 1:0-4:0 2:1-5:0")
    [finding] = [each for each in findings(text) if each.severity != "note"]
    assert (finding.hypothesis, finding.openvino) == ("another_source", "accepts")
    assert not finding.fixable


def test_a_batch_that_was_changed_in_half_of_the_places() -> None:
    eight = "FP32 8,3,4,5"
    layers = [
        relu(2, eight, eight),
        relu(3, eight, eight),
        relu(4),
        layer(5, "Concat", "opset1", 'axis="1"', (IMAGE, IMAGE), (WIDE,), "both"),
    ]
    text = net(
        parameter(0, "8,3,4,5", "f32", eight, "x"),
        parameter(1, "1,3,4,5", "f32", IMAGE, "y"),
        *layers,
        result(9, WIDE),
        edges="0:0-2:0 2:1-3:0 3:1-4:0 4:1-5:0 1:0-5:1 5:2-9:0",
    )
    message = 'layer 0 "x" and 5 dims of ports say 8, but the ports behind them 1'
    assert said(text) == [("replaced", message)]


def test_attributes_of_layers_of_different_types_are_swapped() -> None:
    half, own = "FP16 1,3,4,5", 'destination_type="f16"'
    layers = [
        layer(1, "Convert", "opset1", 'axis="1"', (IMAGE,), (half,), "half"),
        layer(2, "Concat", "opset1", own, (IMAGE, IMAGE), (WIDE,), "both"),
    ]
    text = net(
        parameter(0, "1,3,4,5", "f32", IMAGE, "x"),
        *layers,
        result(3, half),
        result(4, WIDE),
        edges="0:0-1:0 0:0-2:0 0:0-2:1 1:1-3:0 2:2-4:0",
    )
    message = 'the attributes of layer 1 "half" and layer 2 "both" are swapped'
    assert said(text) == [("exchanged_data", message)]


def test_a_layer_far_from_a_deleted_one_is_no_part_of_it() -> None:
    """Nothing uses the output of ``lonely``; the layer between ``r1`` and the last one is missing."""
    many = [relu(number) for number in range(10, 30)]
    chained = " ".join(f"{number}:1-{number + 1}:0" for number in range(10, 29))
    text = net(
        parameter(0, "1,3,4,5", "f32", IMAGE, "x"),
        relu(8, name="lonely"),
        *many,
        relu(31, LAST, LAST, name="last"),
        result(9, LAST),
        edges=f"0:0-8:0 0:0-10:0 {chained} 29:1-31:0 31:1-9:0",
    )
    names = [name for name, _ in said(text)]
    assert len(names) == 2
    assert "joined_layer" in names


def test_what_is_behind_a_layer_of_which_nothing_is_known_is_judged() -> None:
    """The unknown layer gives what its port declares: it does not explain the precision that is wrong behind it."""
    small = "FP32 1,3,2,2"
    layers = [
        layer(1, "MaxPool", "opset1", POOL, (IMAGE,), (small,), "pool"),
        relu(2, small, small),
        relu(3, small, "FP16 1,3,2,2"),
    ]
    text = net(
        parameter(0, "1,3,4,5", "f32", IMAGE, "x"),
        *layers,
        relu(4, small, small),
        result(9, small),
        edges="0:0-1:0 1:1-2:0 2:1-3:0 3:1-4:0 4:1-9:0",
    )
    assert len(said(text)) == 2
