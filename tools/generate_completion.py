"""Write cli/_shared/completion.json, the names that a shell completes: ``python tools/generate_completion.py``."""

from __future__ import annotations

import json
from pathlib import Path

from ovgather.cli._shared.completion import FILE
from ovgather.comparison.alone import variants
from ovgather.runtimes.adapters import names
from ovgather.targets.answers.functions import functions
from ovgather.targets.device import devices
from ovgather.targets.release import releases
from ovgather.validation.rules import every
from ovgather.verbs.explain import topics


def text() -> str:
    """What the file should hold."""
    groups = {
        "default": "the usual ones",
        "all": "all of them",
        "none": "the layer as it is, alone",
    }
    known = {
        "rules": {rule.RULE.code: rule.RULE.title for rule in every()},
        "topics": dict(topics())
        | {function.names[0]: function.operation for function in functions()},
        "devices": {device.name: device.what for device in devices()},
        "releases": {
            str(release): "release of OpenVINO" for release in reversed(releases())
        },
        "variants": groups
        | dict.fromkeys(variants.names(["all"], static=False), "variant"),
        "runtimes": dict.fromkeys(names(), "runtime"),
    }
    return json.dumps(known, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the file."""
    Path(FILE).write_text(text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
