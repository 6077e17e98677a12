"""REPORT.md of a reproducer: what to paste into an issue of OpenVINO, under the headings that its form asks for."""

import platform
import re
from typing import NamedTuple

from ovgather.crosscheck.reduce.search import Reduction, is_defined
from ovgather.errors import OvgatherError
from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array
from ovgather.text import count

_PAGES = (
    "https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/movement/{}.html"
)
_SHOWN = 64
_FAILURES = {
    "crash": "ends the process",
    "timeout": "does not answer",
    "error": "refuses a valid layer",
    "different": "gives a wrong output",
    "known": "departs from the specification",
}


class Origin(NamedTuple):
    """Where a failure comes from: the device, in words which layer it was first seen in, and what did not work out."""

    device: str
    seen: str = ""
    problem: str = ""


def spec_page(trial: Trial) -> str:
    """The address of the operation's page, ``.../gather-nd-8.html``, in OpenVINO's documentation."""
    return _PAGES.format(re.sub(r"(?<=[a-z])(?=[A-Z])", "-", trial.operation.name).lower())


def title(reduction: Reduction, device: str) -> str:
    """The failure in a line."""
    operation, sign = reduction.trial.operation, reduction.signature
    cause = f" ({sign.cause})" if sign.cause else ""
    return f"{operation.name} on {device} {_FAILURES.get(sign.verdict, sign.verdict)}{cause}"


def page(reduction: Reduction, origin: Origin, log: str) -> str:
    """The report as Markdown; ``log`` is what the script printed."""
    trial, part = reduction.trial, reduction.part
    model = trial.model() if part is None else part.model
    reason = reduction.outcome.reason.replace(f"; {trial}", "")
    version = re.search(r"^OpenVINO (.+)$", log, re.MULTILINE)  # as the script printed it
    seen = f"First seen in {origin.seen}." if origin.seen else ""
    what = f"{trial}." if part is None else f"{trial}, among {count(part.layers, 'layer')}: alone it is right."
    steps = f"Made as small as it is by `ovgather reduce`, with {reduction.probes} runs." if reduction.probes else ""
    problem = f"Not made smaller: {origin.problem}." if origin.problem else ""
    parts = [
        f"# {title(reduction, origin.device)}",
        f"### OpenVINO Version\n\n{version[1] if version else 'not known'}",
        f"### Operating System\n\n{platform.platform()}, {_processor()}, Python {platform.python_version()}",
        f"### Device used for inference\n\n{origin.device}",
        f"### Issue description\n\n{what}\n\n{_values(trial)}\n\n{_failure(reduction)}",
        f"The specification: {spec_page(trial)}",
        reason and f"{reason[0].upper()}{reason[1:]}.",
        "### Step-by-step reproduction\n\n"
        "In the folder of this file:\n\n```\npip install openvino numpy\npython reproduce.py\n```\n\n"
        "The script loads `model.xml`, feeds it with `inputs.npz` and compares the output with `expected.npz`, bit by "
        "bit. OpenVINO runs in a child process. The model:\n\n"
        f"```xml\n{model.text.decode(errors='replace').strip()}\n```",
        f"### Relevant log output\n\n```\n{log}\n```",
        " ".join(filter(None, (seen, steps, problem))),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _failure(reduction: Reduction) -> str:
    often = f"{reduction.failures} of {reduction.runs} runs" if reduction.runs else "the model"
    sign = reduction.signature
    if sign.verdict in ("crash", "timeout", "error"):
        return f"It {_FAILURES[sign.verdict]}, in {often}."
    first = reduction.outcome.first
    if first is None:
        return f"The output is wrong, in {often}."
    place = f"{reduction.outcome.mismatches} of {reduction.outcome.elements} elements differ, in {often}."
    return f"{place} At {list(first.at)}: got {first.got}, want {first.want}."


def _values(trial: Trial) -> str:
    want = "not defined by the specification"
    try:
        output = trial.want()
    except OvgatherError as error:
        want += f" ({error})"
    else:
        want = f"`{_listed(output)}`" if is_defined(trial) else want
    return f"- data: `{_listed(trial.data)}`\n- indices: `{_listed(trial.indices)}`\n- the output should be: {want}"


def _listed(array: Array) -> str:
    if array.size > _SHOWN:
        return f"{array.size} values of {array.dtype.name}, see the file"
    if array.dtype.isbuiltin != 1 and array.dtype.kind != "O":
        array = array.astype("f4")
    return f"{array.tolist()}" if array.size else f"nothing, shape {list(array.shape)}"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            match = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.MULTILINE)
    except OSError:
        match = None
    return match[1] if match else platform.processor() or platform.machine()
