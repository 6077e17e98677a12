"""The devices that a file may be meant for, one file each, found by listing this folder.

A device file has ``DEVICE``: a ``Device`` of plain facts, each with its source and whether it is documented or was
measured. No device has to be there.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ovgather.errors import ConfigurationError
from ovgather.targets.profile import Device


@cache
def devices() -> tuple[Device, ...]:
    """All devices, in the order of their files.

    >>> [device.name for device in devices()][:3]
    ['CPU', 'CUDA', 'DirectML']
    """
    names = [entry.name for entry in iter_modules(__path__)]
    return tuple(import_module(f"{__name__}.{name}").DEVICE for name in names)


def device(name: str, where: str = "--device") -> Device:
    """The device called ``name``, in any case, with or without a number (``GPU.1``).

    Raises:
        ConfigurationError: there is none of that name; the message begins with ``where``.

    >>> device("gpu.1").name, device("ncs2").name
    ('GPU', 'MYRIAD')
    """
    wanted = name.strip().lower().partition(".")[0]
    for known in devices():
        if wanted in (known.name.lower(), *known.aliases):
            return known
    names = ", ".join(known.name for known in devices())
    raise ConfigurationError(f"{where}: no device is called {name!r}; known are {names}")
