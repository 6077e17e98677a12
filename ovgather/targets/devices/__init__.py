"""The devices that a file may be meant for, one JSON file each, found by listing this folder.

A file has the fields of ``Device``: plain facts, each with its source and its basis, which is ``documented`` where it
is left out. No device has to be there.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from ovgather.errors import ConfigurationError
from ovgather.targets.profile import Device, Fact, Since
from ovgather.targets.release import parse

_FACTS = ("static_shapes", "static_rank", "negative_axis", "out_of_range", "one_index")


@cache
def devices() -> tuple[Device, ...]:
    """All devices, in the order of their files.

    >>> [device.name for device in devices()][:3]
    ['CPU', 'CUDA', 'DirectML']
    """
    paths = sorted(Path(__file__).parent.glob("*.json"))
    return tuple(_device(json.loads(path.read_text(encoding="utf-8"))) for path in paths)


def _device(fields: dict[str, Any]) -> Device:
    known: dict[str, Any] = {name: Fact(**fields[name]) for name in _FACTS if name in fields}
    known |= {name: tuple(fields[name]) for name in ("aliases", "runs") if name in fields}
    if "last" in fields:
        release, fact = fields["last"]
        known["last"] = parse(release), Fact(**fact)
    known["operations"] = tuple(
        (type, Since(parse(since) if since is not None and since[0].isdigit() else since, Fact(**fact)))
        for type, (since, fact) in fields.get("operations", {}).items()
    )
    return Device(fields["name"], fields["what"], **known)


def device(name: str, where: str = "--device") -> Device:
    """The device called ``name``, in any case, with or without a number (``GPU.1``).

    Raises:
        ConfigurationError: there is none of that name; the message begins with ``where``.

    >>> device("gpu.1").name, device("ncs2").name
    ('GPU', 'MYRIAD')
    """
    lower = name.strip().lower().partition(".")[0]
    for each in devices():
        if lower in (each.name.lower(), *each.aliases):
            return each
    names = ", ".join(each.name for each in devices())
    raise ConfigurationError(f"{where}: no device is called {name!r}; known are {names}")
