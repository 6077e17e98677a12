"""The operations of ONNX, one file per version; a file put into this folder is found by itself.

What a model's opset holds is the newest version that is no newer than the opset.

>>> find("GatherElements", 18).name, find("GatherElements", 10), find("Gather", 12).name
('GatherElements-13', None, 'Gather-11')
>>> [operation.name for operation in OPERATIONS if operation.type == "GatherND"]
['GatherND-11', 'GatherND-12', 'GatherND-13']
"""

from ovgather.ops.operation import Operation, load

OPERATIONS = load(__name__, __path__)
"""Every operation version, by type and version."""


def find(type: str, opset: int | None = None) -> Operation | None:
    """The version of ``type`` that an opset of ``ai.onnx`` holds, if any; without an opset the newest."""
    versions = [operation for operation in OPERATIONS if operation.type == type]
    older = [
        operation
        for operation in versions
        if opset is None or operation.version <= opset
    ]
    if older:
        return older[-1]
    return None


def first_and_last_opset(operation: Operation) -> tuple[int, int | None]:
    """The opsets that hold this version; the last is None for the newest version."""
    later = [other.version for other in OPERATIONS if other.type == operation.type]
    after = [version for version in later if version > operation.version]
    return operation.version, min(after) - 1 if after else None
