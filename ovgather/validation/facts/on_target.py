"""Whether a hazard was seen on the target release."""

import re
from functools import cache

from ovgather.targets.release import Release, find
from ovgather.validation.releases import FIRST, LAST, SEEN

_RANGE = re.compile(r"(20\d\d\.\d)[.\d]*(?: to (20\d\d\.\d)[.\d]*)?")


@cache
def on_target(code: str, target: Release) -> str:
    """What is known of the hazards that rule ``code`` tells of on ``target``; empty where it tells of none.

    >>> on_target("OVG702", Release(2024, 0)), on_target("OVG702", Release(2021, 4)), on_target("X", Release(2024, 0))
    ('seen on 2024.0 too', 'not measured on 2021.4', '')
    >>> on_target("OVG704", Release(2023, 3))
    'not seen on 2023.3'
    """
    hazards = [hazard for hazard in SEEN.values() if hazard.rule == code]
    if not hazards:
        return ""
    first, last = find(FIRST), find(LAST)
    assert first is not None
    assert last is not None
    if not first <= target <= last:
        return f"not measured on {target}"
    seen = [hazard.what for hazard in hazards if _includes(hazard.on, target)]
    if len(seen) == len(hazards):
        return f"seen on {target} too"
    return f"seen on {target}: {'; '.join(seen)}" if seen else f"not seen on {target}"


def _includes(ranges: str, target: Release) -> bool:
    spans = ((find(match[1]), find(match[2] or match[1])) for match in _RANGE.finditer(ranges))
    return any(first is not None and last is not None and first <= target <= last for first, last in spans)
