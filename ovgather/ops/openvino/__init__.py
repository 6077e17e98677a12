"""The operations of OpenVINO, one file a version; a file in this folder is found by itself.

>>> find("Gather", "opset13").name, find("GatherElements", "opset5")
('Gather-8', None)
>>> sorted(FAMILY)
['Gather', 'GatherElements', 'GatherND']
"""

from ovgather.ops.operation import Operation, load

OPERATIONS = load(__name__, __path__)
"""Every operation version, by type and version."""
_BY_OPSET = {
    (operation.type, opset): operation
    for operation in OPERATIONS
    for opset in operation.opsets
}
FAMILY = frozenset(operation.type for operation in OPERATIONS)


def find(type: str, opset: str) -> Operation | None:
    """The version of ``type`` (case counts) that an opset holds; None if there is none."""
    return _BY_OPSET.get((type, opset))
