"""The reproducers of a run: one folder for each group that was made small, named after what fails."""

from __future__ import annotations

import os
import re

from ovgather.crosscheck.fuzz.campaign import Campaign, Group
from ovgather.crosscheck.reduce.folder import write
from ovgather.crosscheck.reduce.page import Origin


def write_all(campaign: Campaign, folder: str) -> tuple[list[str], str]:
    """Write a reproducer for each group; the folders, and in words the groups that have none.

    A reproducer runs OpenVINO, so failures of other runtimes have none.
    """
    written: list[str] = []
    left = []
    for group in campaign.found:
        if group.reduction is None or group.against != "openvino":
            left.append(f"{group.against} {group.operation} {group.signature}")
            continue
        path = os.path.join(folder, folder_name(group, {os.path.basename(name) for name in written}))
        seen = f"layer {group.numbers[0]} of `ovgather crosscheck --fuzz`, seed {campaign.options.seed}"
        write(group.reduction, path, Origin(campaign.options.device, seen))
        written.append(path)
    return written, ", ".join(left)


def folder_name(group: Group, taken: set[str]) -> str:
    """A name for the group's folder that is not in ``taken``."""
    words = [group.operation, group.signature.verdict, group.signature.cause]
    name = re.sub(r"[^a-z0-9]+", "-", "-".join(filter(None, words)).lower()).strip("-")
    number = 1
    while (found := f"{name}-{number}" if number > 1 else name) in taken:
        number += 1
    return found
