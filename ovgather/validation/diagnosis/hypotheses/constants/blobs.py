"""What: a Const has ``<blobs>``, as IR before version 10 wrote it.
Why: they have its offset and size, and its port has the shape and the element type.
Bad::
    <layer type="Const" ...> ... <blobs><custom offset="8" size="4"/></blobs></layer>
Good::
    <layer type="Const" ...><data element_type="f32" shape="1" offset="8" size="4"/> ... </layer>
"""

import re
from collections.abc import Iterator

from ovgather.ir.edit.layer_text import dims_text, end_of
from ovgather.ir.positions import element_at
from ovgather.tensor import element_type
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 13
_MOST = 400
_MANY = "{count} Consts have <blobs>, as IR before version 10 wrote them"
_NUMBERS = re.compile(rb"""\b(offset|size)\s*=\s*["'](\d{1,19})["']""")


def propose(case: Case) -> Iterator[Hypothesis]:
    for problem in case.file.problems.get("unknown-element", ())[:_MOST]:
        layer = problem.layer
        if layer is None or layer.type != "Const" or len(layer.outputs) != 1:
            continue
        blobs, port = element_at(case.source, problem.offset), layer.outputs[0]
        span = blobs.start, end_of(blobs)
        kind = element_type.from_port(port.precision or "")
        numbers = dict(_NUMBERS.findall(case.source.data, *span))
        if (
            kind is None
            or len(numbers) < 2
            or blobs.attributes
            or "offset" in layer.data
        ):
            continue
        offset, size = numbers[b"offset"].decode(), numbers[b"size"].decode()
        text = f'<data element_type="{kind.name}" shape="{dims_text(port.dims)}"'
        text += f' offset="{offset}" size="{size}"/>'
        what = f"<data> has the offset and the size of <{problem.subject}>"
        yield case.repair(
            f"{called(layer)} has <{problem.subject}>, as IR before version 10, and no <data>",
            layer,
            case.file.span_at(problem.offset),
            [(span, text)],
            what,
            1.0,
            many=_MANY,
            help=f"write {text}",
            safe=True,
        )
