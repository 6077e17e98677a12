"""axis left to its default (OVG106)

What: a GatherElements without ``axis``.

Why: the current specification requires it; earlier text gave it the default 0.

OpenVINO: takes 0.

Bad::

    <data />

Good::

    <data axis="0" />
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.diagnostics import Diagnostic
from ovgather.rules._file import File

CODE = "OVG106"
TITLE = "axis left to its default"


def check(file: File) -> Iterator[Diagnostic]:
    """Required attributes that are absent."""
    for view in file.gather_layers:
        spelt = {name.lower() for name in view.layer.data}
        for attribute in view.operation.attributes:
            # One that is there in another case is said by OVG102.
            if attribute.required and attribute.name not in spelt:
                span = file.layer_span(view.layer, "type")
                message = f"{view.operation.name} without {attribute.name}: the specification requires it"
                effect = f"takes the default, {attribute.name} {attribute.default}"
                yield file.report(CODE, "warning", message, span, layer=view.layer, openvino="accepts", effect=effect)
