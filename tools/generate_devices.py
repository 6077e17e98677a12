"""Write docs/devices.md, what is known of devices by release: ``python tools/generate_devices.py``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from textwrap import wrap

from ovgather.targets.device import Device, devices

FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs"
)
_PULLS = "https://github.com/openvinotoolkit/openvino/pull"
TARGET = os.path.join(FOLDER, "devices.md")
_HEAD = """\
<!-- Made by tools/generate_devices.py (`make docs`) from ovgather/targets/devices: change these files. -->

# Devices

What is known of the devices that `ovgather validate --device NAME` takes. Each fact has its source. What is not listed
is not known.

A defect has the last release from before its fix was proposed: this release and those before it cannot have the fix.
Since which release the fix is there, and since which one the defect, is not known. `ovgather validate --device NAME
--target RELEASE` warns of a layer that has the defect. A defect without conditions is listed only: its fix does not say
which layers have it.

The releases of a defect rest on two dates: the day of the pull request and the days of the releases. No GPU and no NPU
was measured, so a layer of such a release may have the defect.
"""


def text() -> str:
    """What the file should hold."""
    return "\n".join(
        [_HEAD, *(line for device in devices() for line in _section(device))]
    )


def _section(device: Device) -> Iterator[str]:
    yield f"## {device.name}\n"
    what = device.what[0].upper() + device.what[1:]
    yield f"{what}. Other names: {', '.join(device.aliases) or 'none'}.\n"
    for fact in device.lines():
        yield from wrap(
            f"- {fact}", 120, subsequent_indent="  ", break_long_words=False
        )
    if device.lines():
        yield ""
    if device.defects:
        yield "| Operation | Defect | Releases | Warned of | Source |"
        yield "| --- | --- | --- | --- | --- |"
    for defect in device.defects:
        numbers = re.findall(r"#(\d+)", defect.source)
        links = [f"[#{number}]({_PULLS}/{number})" for number in numbers]
        link = f"{', '.join(links)}, {defect.opened}"
        warned = "no"
        if defect.when:
            warned = "yes"
        yield f"| {defect.type} | {defect.text} | up to {defect.last} | {warned} | {link} |"
    if device.defects:
        yield ""


def main() -> None:
    """Write the file."""
    with open(TARGET, "w", encoding="utf-8", newline="\n") as file:
        file.write(text())


if __name__ == "__main__":
    main()
