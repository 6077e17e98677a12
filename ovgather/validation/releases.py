"""The releases of OpenVINO that its hazards were seen on. Made by tools/generate_releases.py: see docs/releases.md."""

from typing import NamedTuple


class Seen(NamedTuple):
    """A hazard: the rule that tells of it, what it is, the releases it was seen on, and what the others do."""

    rule: str
    what: str
    on: str
    otherwise: str = ""


FIRST, LAST = "2023.3", "2026.4.1"  # the first and the last release that was measured

# fmt: off
SEEN = {
    "number-words": Seen("OVG103", "`+1`, or a word, for a number", "2026.2.1 to 2026.4.1", "2023.3 to 2026.1: runs"),
    "batch-dims-below": Seen("OVG105", "below 0 even when counted from the end", "2024.0 to 2026.4.1",
        "2023.3: refused in read"),
    "weights-words": Seen("OVG110", "`offset` that is no number", "2024.5 to 2026.4.1", "2023.3 to 2024.4: runs"),
    "weights-type": Seen("OVG110", "`F32` as the element type", "2025.0 to 2026.4.1", "2023.3 to 2024.6: runs"),
    "negative-dim": Seen("OVG210", "a negative dim, which becomes 0", "2026.3.1 to 2026.4.1",
        "2023.3 to 2026.2.1: refused in read"),
    "tensor-names": Seen("OVG213", "`names` that end with a backslash", "2023.3 to 2025.0", "2025.1 to 2026.4.1: runs"),
    "part-size": Seen("OVG306", "`part_size` 0 of a TensorIterator", "2023.3 to 2026.4.1"),
    "stride": Seen("OVG306", "`stride` 0 of a Loop", "2023.3 to 2026.4.1"),
    "state-unkept": Seen("OVG307", "a ReadValue without Assign", "2023.3 to 2026.4.1"),
    "size-wraps": Seen("OVG403", "a Const whose size wraps round 64 bits", "2026.3.1 to 2026.4.1",
        "2023.3 to 2026.2.1: refused in compile"),
    "strings-short": Seen("OVG404", "packed strings, fewer than the shape says", "2024.0 to 2026.4.1",
        "2023.3: refused in read"),
    "strings-past": Seen("OVG404", "packed strings, an offset past the end", "2023.3 and 2024.1 to 2026.1",
        "2024.0, 2026.2.1 to 2026.4.1: refused in read"),
    "elements-outside": Seen("OVG501", "GatherElements, an index outside", "2023.3 to 2025.2",
        "2025.3 to 2026.4.1: refused in infer"),
    "elements-negative": Seen("OVG501", "GatherElements, a negative index", "2023.3 to 2025.2",
        "2025.3 to 2026.4.1: right"),
    "tuple-negative": Seen("OVG501", "GatherND, a negative index", "2023.3 to 2025.2", "2025.3 to 2026.4.1: right"),
    "tuple-outside": Seen("OVG501", "GatherND, an index outside", "2023.3 to 2026.4.1"),
    "old-negative": Seen("OVG501", "Gather-1 and Gather-7, a negative index", "2023.3 to 2026.4.1"),
    "empty-axis": Seen("OVG502", "an axis of length 0", "2023.3 to 2026.4.1"),
    "batch-of-one": Seen("OVG701", "batch_dims over a batch of one", "2023.3 to 2026.4.1"),
    "batch-of-one-constants": Seen(
        "OVG701", "the same, data and indices constant", "2023.3 to 2024.0 and 2024.4 to 2026.4.1",
        "2024.1 to 2024.3: right"),
    "empty-dim": Seen("OVG702", "static, a dim of length 0", "2023.3 to 2026.4.1"),
    "empty-constant": Seen("OVG702", "dynamic, a Const with a dim of length 0", "2023.3 to 2026.4.1"),
    "axis-of-gather-1": Seen("OVG703", "Gather-1, an axis that is computed", "2024.3 to 2026.4.1",
        "2023.3 to 2024.2: refused in compile"),
    "axis-computed": Seen("OVG703", "Gather-7 and Gather-8, an axis that is computed", "2023.3 to 2026.4.1"),
    "short-row": Seen("OVG704", "few integers, an index outside", "2024.0 to 2026.4.1", "2023.3: right"),
    "short-row-far": Seen("OVG704", "few integers, an index far outside", "2024.0 to 2026.4.1", "2023.3: runs"),
    "type-u2": Seen(
        "OVG705", "data of type u2", "2024.1 to 2024.2 and 2024.4 to 2024.6 and 2025.1 and 2025.4.1 to 2026.4.1",
        "2023.3 to 2024.0: refused in read; 2024.3, 2025.0, 2025.2 to 2025.3: refused in infer"),
    "type-nf4": Seen("OVG705", "data of type nf4", "2024.1 to 2026.4.1", "2023.3 to 2024.0: refused in infer"),
    "type-f4e2m1": Seen("OVG705", "data of type f4e2m1", "2024.3 to 2026.4.1", "2023.3 to 2024.2: refused in read"),
    "type-u1": Seen("OVG705", "data of type u1", "2023.3 to 2026.4.1"),
    "type-u3": Seen("OVG705", "data of type u3", "2023.3 to 2026.4.1"),
    "type-u6": Seen("OVG705", "data of type u6", "2023.3 to 2026.4.1"),
    "type-dynamic": Seen("OVG705", "data of type dynamic", "2023.3 to 2026.4.1"),
    "type-string": Seen("OVG705", "strings, GatherElements and GatherND", "2023.3 to 2026.4.1"),
    "f64": Seen("OVG706", "f64", "2023.3 to 2026.4.1"),
    "i64": Seen("OVG706", "i64 and u64 beyond 32 bits", "2023.3 to 2026.4.1"),
    "constant-u32": Seen("OVG706", "u32 beyond i32, as a Const", "2023.3 to 2026.4.1"),
    "broadcast": Seen("OVG707", "Broadcast of opset1 and opset2 without inputs", "2023.3 to 2026.4.1"),
    "maxpool": Seen("OVG707", "MaxPool of opset1 to opset7 without input", "2023.3 to 2026.4.1"),
    "state": Seen("OVG707", "ReadValue and Assign without variable_id", "2023.3 to 2026.4.1"),
    "rank": Seen("OVG708", "more than 32 dims, or a dynamic rank", "2023.3 to 2026.4.1"),
    "unsqueezed": Seen("OVG713", "a Gather of constants behind an Unsqueeze", "2023.3 to 2026.4.1"),
    "joined": Seen("OVG714", "Gathers with `batch_dims` in a Concat", "2023.3 to 2026.4.1"),
}
"""Each hazard that a rule tells of, by its name."""

OPSETS = {"opset14": "2024.0", "opset15": "2024.5", "opset16": "2026.0"}
"""The opsets that some of the releases do not read, with the first that does."""
# fmt: on
