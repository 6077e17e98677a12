"""Where ONNX, IR and their runtimes differ on the Gather family: what ``ovgather explain portability`` prints."""

COLUMNS = ("ONNX", "IR", "ONNX Runtime", "onnx reference", "OpenVINO CPU")
MEASURED = "ONNX Runtime 1.31.1, onnx 1.23.2, OpenVINO 2026.4.1"
ROWS = {
    "Gather: index past the end": ("error", "zeros (Gather-1, -7: not defined)", "error", "error", "zeros"),
    "Gather: negative index": ("from the end (Gather-1: not said)", "from the end (Gather-1, -7: not defined)",
        "from the end", "from the end", "from the end (Gather-1, -7: zeros)"),
    "Gather: scalar indices": ("allowed", "allowed", "runs", "runs", "runs"),
    "Gather: batch_dims": ("no such attribute", "allowed (Gather-1: none)", "", "", "runs"),
    "Gather: axis": ("attribute, default 0", "input", "", "", "a constant only"),
    "GatherElements: index outside": ("error", "error", "error", "wraps round", "error"),
    "GatherElements: negative index": ("from the end", "from the end", "from the end", "from the end", "from the end"),
    "GatherElements: smaller off the axis": ("allowed", "not allowed", "runs", "error", "refuses the model"),
    "GatherElements: no axis": ("0", "required", "0", "0", "0"),
    "GatherND: index outside": ("error", "not defined", "error", "error", "memory that is not its own"),
    "GatherND: negative index": ("from the end", "from the end (GatherND-5: not said)", "from the end", "from the end",
        "from the end"),
    "GatherND: batch_dims 2": ("two dims (from GatherND-12 on)", "two dims (GatherND-5: one)", "two dims", "two dims",
        "two dims (GatherND-5: one)"),
    "GatherND: empty index tuples": ("not allowed", "allowed", "runs", "", "uninitialised memory"),
    "indices of int8, uint8, uint64, ...": ("int32, int64 (GatherND: int64)", "any (GatherElements: i32, i64)",
        "refuses the model", "", "runs"),
    "data of int64, uint64, double": ("allowed", "allowed", "exact", "exact", "narrowed to 32 bits"),
    "data of text": ("allowed", "allowed", "runs (Gather: the first of each slice only)", "runs", "runs Gather only"),
    "data of complex numbers": ("allowed", "no such type", "refuses the model", "runs", ""),
    "data below 8 bits": ("not allowed", "allowed", "", "", "i4 and u4 run, others do not"),
}  # fmt: skip
"""Cases, each with a cell a column, empty where no difference is known. The tests measure those of runtimes again."""


def text() -> str:
    """The table, each case with a line for each column that is not empty."""
    title = "Where ONNX and IR differ on Gather, GatherElements and GatherND, and what runtimes make of it"
    lines = [title, f"({MEASURED})."]
    width = max(map(len, COLUMNS))
    for case, cells in ROWS.items():
        lines += ["", case]
        lines += [f"    {name:<{width}}  {text}" for name, text in zip(COLUMNS, cells, strict=True) if text]
    more = "`ovgather validate --select OVG,OVG85` notes in a file what the other dialect does not have"
    return "\n".join([*lines, "", f"{more}, and `ovgather convert` makes the one of the other.", ""])
