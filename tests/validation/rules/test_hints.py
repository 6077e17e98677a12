"""What is said to help where the rest of the file tells what was meant."""

from __future__ import annotations

import pytest
from small_models import gather_elements, layer, net, parameter, result

from ovgather.validation.api import validate
from ovgather.validation.diagnostic import Diagnostic

FED = "0:0-2:0 1:0-2:1 2:2-3:0"


def whole(middle: str, edges: str = FED, more: str = "") -> str:
    data = parameter(0, "3,7", "f32", "FP32 3,7", "data")
    indices = parameter(1, "3,9", "i64", "I64 3,9", "indices")
    return net(data, indices, middle, result(3, "FP32 3,9"), more, edges=edges)


def only(text: str, code: str) -> Diagnostic:
    (found,) = [found for found in validate(text.encode()) if found.code == code]
    return found


class TestUnfed:
    def test_an_output_that_no_edge_takes(self) -> None:
        found = only(whole(gather_elements(), "0:0-2:0 2:2-3:0"), "OVG303")
        assert found.message.endswith('and the output of layer 1 "indices" is unused')
        assert (
            found.help
            == 'add <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>'
        )

    def test_the_only_output_that_fits(self) -> None:
        again = result(4, "I64 3,9")
        found = only(
            whole(gather_elements(), "0:0-2:0 2:2-3:0 1:0-4:0", again), "OVG303"
        )
        assert found.message.endswith('layer 1 "indices" has the dims that it declares')
        assert (
            found.help
            == 'add <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>'
        )

    def test_two_that_fit(self) -> None:
        again = parameter(4, "3,9", "i64", "I64 3,9", "others")
        found = only(whole(gather_elements(), "0:0-2:0 2:2-3:0", again), "OVG303")
        first, second = 'from layer 1 "indices"', 'from layer 4 "others"'
        into = 'to input 1 of layer 2 "pick"'
        assert (
            found.help
            == f"either an edge leads {first} {into} or an edge leads {second} {into}"
        )
        assert found.fix() is None


class TestNoVersion:
    OTHERS = "".join(
        layer(number, "GatherElements", f"opset{version}")
        for number, version in ((5, 6), (6, 6), (7, 8))
    )

    def test_the_version_of_most(self) -> None:
        text = whole(
            gather_elements().replace(' version="opset6"', ""), more=self.OTHERS
        )
        assert (
            only(text, "OVG101").help
            == '2 of 3 other GatherElements layers have version="opset6"'
        )

    def test_no_others(self) -> None:
        assert (
            only(
                whole(gather_elements().replace(' version="opset6"', "")), "OVG101"
            ).help
            is None
        )


def test_a_closing_quote_that_is_missing() -> None:
    found = only(
        whole(
            gather_elements().replace('type="GatherElements"', 'type="GatherElements')
        ),
        "OVG002",
    )
    assert (
        found.message
        == "malformed XML: the value of `type` goes on to `GatherElements version=`: is its closing quote missing?"
    )


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ('type=GatherElements"', "the value of `type` has no quote before it"),
        ('type "GatherElements"', "`=` is missing between `type` and its value"),
    ],
)
def test_an_attribute_without_a_quote_or_a_sign(written: str, fault: str) -> None:
    text = gather_elements().replace('type="GatherElements"', written)
    assert only(whole(text), "OVG002").message == f"malformed XML: {fault}"


def test_a_blank_of_a_word_processor() -> None:
    found = only(
        whole(gather_elements().replace("<data axis", "<data\u00a0axis")), "OVG002"
    )
    assert (
        found.message
        == "malformed XML: the blank here is none of XML: U+00A0 NO-BREAK SPACE"
    )


def test_layers_that_are_called_layer() -> None:
    found = only('<net version="11"><layer><layer/></layer><edges/></net>', "OVG009")
    assert found.help == "did you mean <layers>?"
