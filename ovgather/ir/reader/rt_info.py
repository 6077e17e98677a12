"""The values in the ``<rt_info>`` of layers and ports, of which OpenVINO checks a little in IR v11."""

import re
from collections.abc import Callable

_NAMES = "fused_names primitives_priority old_api_map_order old_api_map_element_type decompression layout preprocessing"
KNOWN = frozenset([*_NAMES.split(), "memory_type", "precise"])
"""The attributes that OpenVINO reads if their version is 0; it ignores all others."""
_NUMBER = re.compile(r"\s*([0-9]+)", re.ASCII)
_LAYOUT_NAME = re.compile(r"[A-Za-z0-9_]*[A-Za-z0-9][A-Za-z0-9_]*", re.ASCII)
_BLANKS = " \t\n\r\f\v"


def _items(text: str) -> list[str]:
    """The items of a comma list; a comma at the end is accepted."""
    return text.removesuffix(",").split(",")


def is_order(text: str) -> bool:
    """Whether OpenVINO accepts ``text`` as a list of unsigned numbers; it reads the front of each."""
    numbers = [_NUMBER.match(item) for item in _items(text)] if text else []
    return all(number is not None and len(number[1]) <= 20 and int(number[1]) < 1 << 64 for number in numbers)


def is_element_type(text: str) -> bool:
    """Whether OpenVINO accepts ``text`` as an element type, in any case."""
    from ovgather.tensor.element_type import find_data

    return text.lower() == "undefined" or find_data(text.lower()) is not None


def is_names(text: str) -> bool:
    """Whether OpenVINO accepts ``text`` as a list of names: none of them is empty."""
    return not text or all(name.strip(_BLANKS) for name in _items(text))


VALUES: dict[str, Callable[[str], bool]] = {
    "old_api_map_order": is_order,
    "old_api_map_element_type": is_element_type,
    "fused_names": is_names,
}


def is_layout(text: str) -> bool:
    """Whether OpenVINO accepts ``text`` as a layout."""
    layout = text.strip(_BLANKS)
    if not text or layout == "**SCALAR**":
        return True
    if len(layout) >= 2 and layout[0] == "[" and layout[-1] == "]":
        names = [name.strip(_BLANKS) for name in layout[1:-1].split(",")]
        if len(names) > 1 and not names[-1]:
            names.pop()  # a comma at the end is accepted
    else:
        names = re.findall(r"\.\.\.|.", layout, re.DOTALL)
    letters = [name.upper() for name in names if name not in ("?", "...")]
    known = all(_LAYOUT_NAME.fullmatch(name) for name in letters) and len(set(letters)) == len(letters)
    return bool(names) and known and names.count("...") <= 1
