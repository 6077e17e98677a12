"""Comments in an IR that keep findings from being reported: what they hold for, and what is said of bad ones."""

from __future__ import annotations

import re

import pytest

from ovgather.validation.api import validate
from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic

LAYER = (
    '<layer id="{id}" name="g{id}" type="GatherElements" version="opset6">{inside}<data axis="0"/>'
    '<input><port id="0" precision="FP32"><dim>3</dim></port><port id="1" precision="I64"><dim>2</dim></port></input>'
    '<output><port id="2" precision="FP32"><dim>{dim}</dim></port></output></layer>'
)


def layer(id: int, inside: str = "", dim: int = 9) -> str:
    """A layer with one fault by itself, the declared dim (OVG203); and its second input is not fed (OVG303)."""
    return LAYER.format(id=id, inside=inside, dim=dim)


def graph(layers: str, edges: str = "") -> str:
    """The layers behind a Parameter that feeds the first input of each."""
    data = '<layer id="9000" name="data" type="Parameter" version="opset1"><data shape="3" element_type="f32"/>'
    data += '<output><port id="0" precision="FP32"><dim>3</dim></port></output></layer>'
    edge = '<edge from-layer="9000" from-port="0" to-layer="{}" to-port="0"/>'
    fed = "".join(
        map(
            edge.format,
            re.findall(r'<layer id="(\d+)" name="[^"]*" type="GatherElements"', layers),
        )
    )
    return f"<layers>{data}{layers}</layers>\n<edges>{fed}{edges}</edges>"


def net(*layers: str, edges: str = "", before: str = "") -> bytes:
    return f'{before}<net name="m" version="11">\n{graph("".join(layers), edges)}</net>'.encode()


def loop(id: int, body: str) -> str:
    return f'<layer id="{id}" name="loop" type="TensorIterator" version="opset1"><body>{graph(body)}</body></layer>'


def only(text: bytes, *prefixes: str) -> Checked:
    return check_file(text, keeps=lambda code: code.startswith(prefixes))


def comment(text: str) -> str:
    return f"<!-- ovgather: {text} -->"


def found(text: bytes, code: str) -> list[Diagnostic]:
    return [diagnostic for diagnostic in validate(text) if diagnostic.code == code]


def layers_with(text: bytes, code: str = "OVG203") -> list[str]:
    return [
        diagnostic.layer.id
        for diagnostic in found(text, code)
        if diagnostic.layer is not None
    ]


def words(text: bytes) -> list[str]:
    return [
        f"{diagnostic.severity}: {diagnostic.message}"
        for diagnostic in found(text, "OVG012")
    ]


HOLDS = comment("ignore OVG203 the converter writes it so")


class TestWhatTheyHoldFor:
    def test_nothing_is_suppressed_without_one(self) -> None:
        [both] = found(net(layer(1), layer(2)), "OVG203")  # one text, twice
        assert both.layer is not None
        assert both.layer.id == "1"
        assert [text.partition(":")[0] for text, *_ in both.related] == ['layer 2 "g2"']

    def test_inside_a_layer(self) -> None:
        assert layers_with(net(layer(1, inside=HOLDS), layer(2))) == ["2"]

    def test_directly_before_a_layer(self) -> None:
        assert layers_with(net(layer(1), HOLDS, layer(2))) == ["1"]

    @pytest.mark.parametrize(
        "between",
        ["\n\t\r\n", "<!-- another comment -->", "\n<!-- one -->\n<!-- two -->\n"],
    )
    def test_space_and_comments_may_stand_between(self, between: str) -> None:
        assert layers_with(net(layer(1), HOLDS, between, layer(2))) == ["1"]

    def test_several_comments_before_one_layer(self) -> None:
        text = net(HOLDS, comment("ignore OVG303 fed elsewhere"), layer(1), layer(2))
        assert layers_with(text) == ["2"]
        assert layers_with(text, "OVG303") == ["2"]

    def test_an_element_between_breaks_it(self) -> None:
        text = net(HOLDS, "<other/>", layer(1))
        assert layers_with(text) == ["1"]
        assert "neither in a layer nor before" in words(text)[0]

    def test_only_the_codes_that_are_named(self) -> None:
        text = net(layer(1, inside=HOLDS))
        assert layers_with(text, "OVG303") == ["1"]

    def test_prefixes_and_lists(self) -> None:
        text = net(layer(1, inside=comment("ignore OVG2, OVG303: both are known")))
        assert not layers_with(text)
        assert not layers_with(text, "OVG303")
        assert not words(text)

    def test_codes_may_stand_without_commas_and_in_small_letters(self) -> None:
        text = net(layer(1, inside=comment("ignore ovg203 OVG303 both are known")))
        assert not layers_with(text)
        assert not layers_with(text, "OVG303")

    def test_the_bodies_of_a_layer(self) -> None:
        text = net(HOLDS, loop(0, body=layer(1)), layer(2))
        assert layers_with(text) == ["2"]

    def test_a_layer_of_a_body(self) -> None:
        assert layers_with(net(loop(0, body=HOLDS + layer(1) + layer(2)))) == ["2"]
        assert layers_with(net(loop(0, body=layer(1, inside=HOLDS) + layer(2)))) == [
            "2"
        ]

    def test_after_the_layers_of_a_body_it_holds_for_the_layer_around(self) -> None:
        assert layers_with(net(loop(0, body=layer(1) + HOLDS), layer(2))) == ["2"]

    def test_an_edge(self) -> None:
        edge = '<edge from-layer="7" from-port="0" to-layer="8" to-port="0"/>'
        text = net(
            layer(1), edges=f"{edge}{comment('ignore OVG302 cut by hand')}\n{edge}"
        )
        assert (
            len(found(net(layer(1), edges=edge), "OVG302"))
            == len(found(text, "OVG302"))
            > 0
        )

    def test_the_whole_file_from_anywhere(self) -> None:
        file = comment("ignore-file OVG203 old dims")
        for text in (
            net(layer(1), layer(2), before=file),
            net(layer(1), layer(2)) + file.encode(),
            net(layer(1, inside=file), layer(2)),
        ):
            assert not layers_with(text)
            assert not words(text)

    def test_what_is_shown_at_an_edge_but_said_of_a_layer(self) -> None:
        edge = '<edge from-layer="2" from-port="2" to-layer="1" to-port="0"/>'
        twice = net(
            layer(1, inside=comment("ignore OVG303 chosen at run time")),
            layer(2),
            edges=edge + edge,
        )
        assert "1" not in layers_with(twice, "OVG303")

    def test_a_file_with_the_whole_text_in_one_line_and_letters_of_several_bytes(
        self,
    ) -> None:
        text = net(layer(1).replace("g1", "ж"), HOLDS, layer(2)).replace(b"\n", b"")
        assert layers_with(text) == ["1"]

    def test_text_that_had_to_be_mended(self) -> None:
        text = net(
            layer(1).replace("g1", "a & b"),
            HOLDS,
            layer(2),
            before="<!DOCTYPE net [<!ENTITY e 'x'>]>",
        )
        assert layers_with(text) == ["1"]

    def test_utf_16(self) -> None:
        text = net(layer(1), HOLDS, layer(2)).decode().encode("utf-16")
        assert layers_with(text) == ["1"]

    @pytest.mark.slow
    def test_large_files(self) -> None:
        layers = [layer(number, dim=2) for number in range(3000)]
        text = net(*layers, HOLDS, layer(3000), layer(3001))
        assert len(text) > 1 << 18
        assert layers_with(text) == ["3001"]


class TestWhatIsNoSuppression:
    @pytest.mark.parametrize(
        "text",
        [
            "<![CDATA[<!-- ovgather: ignore OVG203 reason -->]]>",
            "<!-- see: ovgather: ignore OVG203 reason -->",
            "<!-- OVGATHER: ignore OVG203 reason -->",
            '<rt_info><attribute name="x" version="0" value="ovgather: ignore OVG203 reason"/></rt_info>',
        ],
    )
    def test_other_text(self, text: str) -> None:
        assert layers_with(net(layer(1, inside=text))) == ["1"]
        assert not words(net(layer(1, inside=text)))


class TestWhatIsSaid:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (
                "ignore OVG203",
                "warning: the suppression gives no reason, so it has no effect",
            ),
            (
                "ignore OVG203 ...",
                "warning: the suppression gives no reason, so it has no effect",
            ),
            ("ignore", "warning: the suppression names no code"),
            (
                "ignore OVG2033 why",
                "warning: no rule has the code `OVG2033`; did you mean `OVG203`?",
            ),
            ("ignore because it is so", "warning: no rule has the code `because`"),
            (
                "ignor OVG203 why",
                "warning: `ovgather: ignor` is not a directive of ovgather; did you mean `ignore`?",
            ),
            (
                "ignore OVG501 why",
                "note: the suppression suppresses nothing: no OVG501 here",
            ),
            (
                "ignore-file OVG501 why",
                "note: the suppression suppresses nothing: no OVG501 in the file",
            ),
        ],
    )
    def test_wording(self, text: str, expected: str) -> None:
        assert words(net(layer(1, inside=comment(text)))) == [expected]

    def test_without_a_reason_it_does_not_hold(self) -> None:
        assert layers_with(net(layer(1, inside=comment("ignore OVG203")))) == ["1"]

    def test_an_unknown_code_leaves_the_others_standing(self) -> None:
        text = net(layer(1, inside=comment("ignore OVG2033, OVG203 known")))
        assert not layers_with(text)
        assert len(words(text)) == 1

    def test_the_place_is_the_code_in_the_comment(self) -> None:
        inside = comment("ignore OVG203, OVG501 ж and more")
        text = net(layer(1, inside=inside))
        [note] = found(text, "OVG012")
        line = text.decode().split("\n")[note.line - 1]
        assert line[note.column - 1 : note.end_column - 1] == "OVG501"

    def test_of_two_that_say_the_same_the_second_suppresses_nothing(self) -> None:
        [note] = found(net(layer(1, inside=HOLDS + HOLDS)), "OVG012")
        assert note.message == "the suppression suppresses nothing: no OVG203 here"

    def test_rules_that_were_not_asked_are_not_missed(self) -> None:
        text = net(
            layer(1, dim=2, inside=comment("ignore OVG2 the converter writes it so"))
        )
        assert [d.code for d in only(text, "OVG203", "OVG012").diagnostics] == []
        assert [d.code for d in only(text, "OVG2", "OVG012").diagnostics] == ["OVG012"]
        assert [d.code for d in only(text, "OVG2").diagnostics] == []


class TestWhatIsKept:
    def test_suppressed_findings_are_told_with_their_reason(self) -> None:
        checked = check_file(net(layer(1, inside=HOLDS)))
        [suppressed] = checked.suppressed
        assert suppressed.diagnostic.code == "OVG203"
        assert (suppressed.by, suppressed.reason) == (
            "comment",
            "the converter writes it so",
        )

    def test_they_can_be_switched_off(self) -> None:
        text = net(layer(1, inside=HOLDS))
        checked = check_file(text, suppressions=False)
        assert not checked.suppressed
        assert "OVG203" in {diagnostic.code for diagnostic in checked.diagnostics}

    def test_a_file_that_cannot_be_read_cannot_be_suppressed(self) -> None:
        checked = check_file(comment("ignore-file OVG0 why not").encode() + b"<html/>")
        assert checked.fatal
        assert checked.diagnostics


class TestSpeed:
    """Hostile files: all of these took minutes if something were looked up in the wrong way."""

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "text",
        [
            net(*(comment("ignore OVG203 why") for _ in range(10_000)), layer(1)),
            net(layer(1, inside=comment("ignore " + "OVG203, " * 50_000 + " why"))),
            net(*(HOLDS + layer(number) for number in range(2_000))),
            net(
                loop(
                    0,
                    body="".join(
                        HOLDS + "<x/>" + layer(number, dim=2) for number in range(2_000)
                    ),
                )
            ),
        ],
        ids=["comments", "codes", "layers", "body"],
    )
    def test_many(self, text: bytes) -> None:
        # A reader that took the square of the length would not end here.
        assert isinstance(validate(text), list)
