"""What files are checked for: a release, a device, both or neither."""

from typing import NamedTuple

from ovgather.targets.profile import Device
from ovgather.targets.release import Release


class Purpose(NamedTuple):
    """The release of OpenVINO and the device that are to run a file; None: any."""

    target: Release | None = None
    device: Device | None = None


ANY = Purpose()
"""No release and no device in particular."""


def parse_purpose(target: str | None, device: str | None) -> Purpose:
    """The purpose that ``--target`` and ``--device`` name.

    Raises:
        ConfigurationError: there is no such release or device.

    >>> parse_purpose("2021.4", None).target, parse_purpose(None, None) == ANY
    (Release('2021.4'), True)
    """
    from ovgather.targets import devices, release

    return Purpose(
        release.parse(target) if target is not None else None,
        devices.device(device) if device is not None else None,
    )
