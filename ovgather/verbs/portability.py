"""Where ONNX, IR and their runtimes differ on the Gather family: what ``ovgather explain portability`` prints."""

from typing import NamedTuple


class Row(NamedTuple):
    """A case, and its meaning in the two specifications and in the runtimes. Empty: no difference is known."""

    case: str
    onnx: str
    ir: str
    onnxruntime: str
    onnx_reference: str
    openvino: str


COLUMNS = ("ONNX", "IR", "ONNX Runtime", "onnx reference", "OpenVINO CPU")
MEASURED = "ONNX Runtime 1.31.1, onnx 1.23.2, OpenVINO 2026.4.1"
ROWS = (
    Row("Gather: index past the end", "error", "zeros (Gather-1, -7: not defined)", "error", "error", "zeros"),
    Row("Gather: negative index", "from the end (Gather-1: not said)", "from the end (Gather-1, -7: not defined)",
        "from the end", "from the end", "from the end (Gather-1, -7: zeros)"),
    Row("Gather: scalar indices", "allowed", "allowed", "runs", "runs", "runs"),
    Row("Gather: batch_dims", "no such attribute", "allowed (Gather-1: none)", "", "", "runs"),
    Row("Gather: axis", "attribute, default 0", "input", "", "", "a constant only"),
    Row("GatherElements: index outside", "error", "error", "error", "wraps round", "error"),
    Row("GatherElements: negative index", "from the end", "from the end", "from the end", "from the end",
        "from the end"),
    Row("GatherElements: smaller off the axis", "allowed", "not allowed", "runs", "error", "refuses the model"),
    Row("GatherElements: no axis", "0", "required", "0", "0", "0"),
    Row("GatherND: index outside", "error", "not defined", "error", "error", "memory that is not its own"),
    Row("GatherND: negative index", "from the end", "from the end (GatherND-5: not said)", "from the end",
        "from the end", "from the end"),
    Row("GatherND: batch_dims 2", "two dims (from GatherND-12 on)", "two dims (GatherND-5: one)", "two dims",
        "two dims", "two dims (GatherND-5: one)"),
    Row("GatherND: empty index tuples", "not allowed", "allowed", "runs", "", "uninitialised memory"),
    Row("indices of int8, uint8, uint64, ...", "int32, int64 (GatherND: int64)", "any (GatherElements: i32, i64)",
        "refuses the model", "", "runs"),
    Row("data of int64, uint64, double", "allowed", "allowed", "exact", "exact", "narrowed to 32 bits"),
    Row("data of text", "allowed", "allowed", "runs (Gather: the first of each slice only)", "runs",
        "runs Gather only"),
    Row("data of complex numbers", "allowed", "no such type", "refuses the model", "runs", ""),
    Row("data below 8 bits", "not allowed", "allowed", "", "", "i4 and u4 run, others do not"),
)  # fmt: skip
"""The columns of runtimes were measured, and the tests measure them again."""


def text() -> str:
    """The table, each case with a line for each column that is not empty."""
    title = "Where ONNX and IR differ on Gather, GatherElements and GatherND, and what runtimes make of it"
    lines = [title, f"({MEASURED})."]
    width = max(map(len, COLUMNS))
    for row in ROWS:
        lines += ["", row.case]
        lines += [f"    {name:<{width}}  {text}" for name, text in zip(COLUMNS, row[1:], strict=True) if text]
    more = "`ovgather validate --select OVG,OVG85` notes in a file what the other dialect does not have"
    return "\n".join([*lines, "", f"{more}, and `ovgather convert` makes the one of the other.", ""])
