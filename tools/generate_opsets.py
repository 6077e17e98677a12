"""Write docs/opsets.md, which release reads what, out of ovgather/targets: ``python tools/generate_opsets.py``."""

from __future__ import annotations

import os

from ovgather.targets.device import Device, devices
from ovgather.targets.owners import OWNERS
from ovgather.targets.release import Reading, quirks, readings

TARGET = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "opsets.md"
)
_HEAD = """\
<!-- Made by tools/generate_opsets.py (`make docs`) out of ovgather/targets: change that. -->

# Which release of OpenVINO reads what

`ovgather inspect FILE` says which releases read a file. `ovgather validate --target 2021.4` reports what one release
does not read. They go by these tables.
"""
_TABLE = "\n| {0} | Read by OpenVINO | Source |\n| --- | --- | --- |\n"


def text() -> str:
    """What the file should hold."""
    parts = [_HEAD]
    parts += ["\n## IR versions\n", _readings("IR version", readings("ir_versions"))]
    parts += [
        "\n2022.1 and later write IR version 11 only (intel.com, support article 000091835).\n"
    ]
    parts += ["\n## Operation sets\n", _readings("Operation set", readings("opsets"))]
    parts += [
        "\n## Element types\n",
        _readings("Element type", readings("element_types")),
    ]
    parts += [
        "\nEvery other element type is read by 2023.3, the first release that was measured, and later ones.\n"
    ]
    parts += [
        "\n## Mistakes of single releases\n\n| Operations | OpenVINO | What it does | Source |\n"
    ]
    parts += ["| --- | --- | --- | --- |\n"]
    parts += [
        f"| {', '.join(quirk.operations)} | {quirk.since} to {quirk.until} | {quirk.text} | {quirk.source} |\n"
        for quirk in quirks()
    ]
    parts += [
        "\n## Layers of no operation set\n\n| Belongs to | How to load it | Types | Source |\n"
    ]
    parts += ["| --- | --- | --- | --- |\n"]
    parts += [
        f"| {owner.name} | {owner.load} | {', '.join(sorted(owner.types.split())) or 'all others'} | {owner.source} |\n"
        for owner in OWNERS
    ]
    parts += [
        "\n## Devices\n\n`ovgather validate --device NAME` goes by these facts; no device has to be there.\n"
    ]
    parts += [_device(device) for device in devices()]
    return "".join(parts)


def _readings(title: str, data: tuple[Reading, ...]) -> str:
    rows = (f"| {datum.name} | {datum.span} | {datum.source} |\n" for datum in data)
    return _TABLE.format(title) + "".join(rows)


def _device(device: Device) -> str:
    aliases = f" (also {', '.join(device.aliases)})" if device.aliases else ""
    return f"\n**{device.name}**: {device.what}{aliases}.\n\n" + "".join(
        f"- {line}\n" for line in device.lines()
    )


def main() -> None:
    """Write the file."""
    with open(TARGET, "w", encoding="utf-8", newline="\n") as file:
        file.write(text())


if __name__ == "__main__":
    main()
