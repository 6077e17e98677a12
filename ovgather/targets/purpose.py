"""What files are checked for: a release, a device, both or neither."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ovgather.targets.device import Device
    from ovgather.targets.release import Release


class Purpose(NamedTuple):
    """The release of OpenVINO and the device that are to run a file; None: any."""

    target: Release | None = None
    device: Device | None = None


ANY = Purpose()


def parse_purpose(target: str | None, device: str | None) -> Purpose:
    """The purpose that ``--target`` and ``--device`` name; ConfigurationError: there is no such release or device.

    >>> parse_purpose("2021.4", None).target, parse_purpose(None, None) == ANY
    (Release('2021.4'), True)
    """
    release = None
    if target is not None:
        from ovgather.targets.release import parse

        release = parse(target)
    if device is None:
        return Purpose(release)
    from ovgather.targets.device import find_device

    return Purpose(release, find_device(device))
