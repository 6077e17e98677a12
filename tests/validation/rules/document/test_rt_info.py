"""The wording of OVG601, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, whole, with_rt_info

ENTRY = "error, rejects: the entry `MO_version` of <meta_data> has no `value`"


def with_meta_data(meta_data: str, more: str = "", version: str = "11") -> str:
    text = whole(gather_elements()).replace('version="11"', f'version="{version}"')
    return text.replace("</net>", f"<meta_data>{meta_data}</meta_data>{more}</net>")


CASES = [
    *[
        (with_meta_data('<MO_version values="1"/>', version=version), None, [ENTRY])
        for version in ("10", "11")
    ],
    (with_meta_data("<cli_parameters><a/></cli_parameters><b value=''/>"), None, []),
    (with_meta_data("<MO_version/>", "<rt_info/>"), None, []),
    (
        with_meta_data("<a value=''/>", "<meta_data><a/></meta_data>"),
        None,
        [],
    ),
    *[
        (
            with_rt_info((name, "0", "")),
            None,
            [
                f"error, rejects: OpenVINO knows the runtime attribute `{name}`, but cannot read it"
            ],
        )
        for name in ("nms_selected_indices", "strides_propagation")
    ],
    (with_rt_info(("nms_selected_indices", "1", "")), None, []),
    (
        whole(gather_elements()).replace(
            "</net>", f"<rt_info>{'<a>' * 101}{'</a>' * 101}</rt_info></net>"
        ),
        None,
        ["warning, accepts: runtime information nested deeper than 100"],
    ),
    (
        with_rt_info(("fused_names", "0", ""), ("fused_names", "0", "")),
        None,
        ["error, rejects: runtime attribute `fused_names` is given twice"],
    ),
    (with_rt_info(("fused_names", "0", ""), ("fused_names", "1", "")), None, []),
    (with_rt_info(("own_name", "0", ""), ("own_name", "0", "")), None, []),
    (
        with_rt_info(("layout", "0", 'layout="[N,C"')),
        None,
        ["error, rejects: '[N,C' is not a layout, such as NCHW or [N,C,...,width]"],
    ),
    (with_rt_info(("layout", "0", 'layout="[N,C]"')), None, []),
    *[
        (
            with_rt_info((name, "0", f'value="{value}"')),
            None,
            [f"error, rejects: the `{name}` {value!r} is not {what}"],
        )
        for name, what, values in (
            (
                "old_api_map_order",
                "a list of numbers, such as 0,2,3,1",
                ("x,y", "1,,2", "-1", "18446744073709551616"),
            ),
            (
                "old_api_map_element_type",
                "an element type, such as f32",
                ("bogus", "FP32", ""),
            ),
            (
                "fused_names",
                "a list of names: one of them is empty",
                ("a,,b", ",a", " "),
            ),
        )
        for value in values
    ],
    *[
        (with_rt_info((name, version, f'value="{value}"')), None, [])
        for name, version, value in (
            ("old_api_map_order", "0", ""),
            ("old_api_map_order", "0", "0, 1x,"),
            ("old_api_map_order", "1", "x,y"),
            ("old_api_map_element_type", "0", "F16"),
            ("old_api_map_element_type", "0", "undefined"),
            ("fused_names", "0", "a,b,"),
        )
    ],
    (
        with_rt_info(("layout", "0", 'layout="[N,C"'), version="10"),
        None,
        ["warning, accepts: '[N,C' is not a layout, such as NCHW or [N,C,...,width]"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG601", text, weights) == messages
