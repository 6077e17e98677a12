"""REPORT.md: what to paste into an issue of OpenVINO, under the headings that its form asks for."""

import platform
import re

import numpy

from ovgather.comparison.in_model.run import LOST
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.reduce.search import Reduction, is_defined
from ovgather.comparison.verdict.compare import spread
from ovgather.errors import OvgatherError
from ovgather.runtimes.adapters.openvino import properties
from ovgather.runtimes.available import processor
from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import named
from ovgather.text import count, printable

_DOCUMENTATION = (
    "https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets"
)
_GATHER = (
    "The resulting tensor of type *T* that consists of elements from `data` tensor gathered by `indices`. The shape of "
    "the output tensor is `data.shape[:axis] + indices.shape[batch_dims:] + data.shape[axis + 1:]`"
)
_TUPLES = "By this tuple with indices the operation gathers a slice or an element from `data` tensor and "
_SENTENCES = {
    "Gather-1": "The resulting tensor that consists of elements from the first input tensor gathered by indices from "
    "the second input tensor. Shape of the tensor is `[input1.shape[:axis], input2.shape, input1.shape[axis + 1:]]`",
    "Gather-7": _GATHER,
    "Gather-8": _GATHER,
    "GatherElements-6": "GatherElements takes elements from the `data` tensor at positions specified in the `indices` "
    "tensor.",
    "GatherND-5": f"{_TUPLES}insert it into the output at position `i_0, ..., i_{{K-2}}`",
    "GatherND-8": f"{_TUPLES}inserts it into the output at the position `i_0, ..., i_{{K-2}}`",
}
_ZEROS = (
    "If index value exceed allowed range output data for corresponding index will be "
    "filled with zeros (Example 7)."
)
_STATE = "This value will be returned by *ReadValue* operation on next infer if variable was not reset."
_SHOWN = 64
_FAILURES = {
    "crash": "ends the process",
    "timeout": "does not answer",
    "error": "refuses a valid layer",
    "different": "gives a wrong output",
    "known": "departs from the specification",
}


def spec_page(trial: Trial) -> str:
    """The address of the operation's page, ``.../gather-nd-8.html``, in OpenVINO's documentation."""
    return f"{_DOCUMENTATION}/operation-specs/movement/{_snake(trial.operation.name, '-')}.html"


def _snake(name: str, hyphen: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", hyphen, name).lower()


def title(reduction: Reduction, device: str) -> str:
    operation = reduction.trial.operation
    sign = reduction.signature
    cause = ""
    if sign.cause:
        cause = f" ({sign.cause})"
    return f"[{device}] {operation.name} {_FAILURES.get(sign.verdict, sign.verdict)}{cause}"


def page(reduction: Reduction, options: CrosscheckOptions, seen: str, log: str) -> str:
    """The report as Markdown; ``seen``: in which layer, ``log`` is what the script printed."""
    trial = reduction.trial
    part = reduction.part
    settings = {**options.config, **options.plugins}
    tolerance = options.tolerance
    device = ", ".join(
        [options.device, *(f"{key}={value}" for key, value in settings.items())]
    )
    outcome = reduction.outcome
    notes = tuple(note for note in outcome.notes if note != str(trial))
    reason = outcome._replace(notes=notes).reason
    # As the script printed it.
    version = re.search(r"^OpenVINO (.+)$", log, re.MULTILINE)
    if seen:
        seen = f"First seen in {seen}."
    if part is None:
        what = f"{trial}."
    else:
        what = f"{trial}, among {count(part.layers, 'layer')}: alone it is right."
    steps = ""
    if reduction.probes:
        steps = f"Made as small as it is by `ovgather reduce`, with {reduction.probes} runs."
    bounds = ""
    if tolerance:
        bounds = (
            f"Found with a tolerance ({tolerance}), within which the script compares."
        )
    problem = ""
    if reduction.problem:
        problem = f"Not made smaller: {reduction.problem}."
    parts = [
        f"# {title(reduction, options.device)}",
        f"### OpenVINO Version\n\n{version[1] if version else 'not known'}",
        f"### Operating System\n\n{platform.platform()}, {processor()}, Python {platform.python_version()}",
        f"### Device used for inference\n\n{device}",
        f"### Issue description\n\n{what}\n\n{_values(trial)}\n\n{_failure(reduction)}",
        f"The specification ({_spec_page(reduction)}):\n\n> {_sentence(reduction)}",
        reason and f"{reason[0].upper()}{reason[1:]}.",
        f"### Step-by-step reproduction\n\n{_python(reduction, options)}\n\n"
        "```\npip install openvino numpy\npython reproduce.py\n```\n\n"
        "The script loads `model.xml`, feeds it with `inputs.npz` and compares the output with `expected.npz`"
        f"{', bit by bit' if tolerance is None else ''}. OpenVINO runs in a child process. The model:\n\n"
        f"```xml\n{reduction.model.text.decode(errors='replace').strip()}\n```",
        f"### Relevant log output\n\n```\n{log}\n```",
        " ".join(filter(None, (seen, steps, bounds, problem))),
    ]
    text = "\n\n".join(filter(None, parts)) + "\n"
    return "\n".join(map(printable, text.split("\n")))


def _spec_page(reduction: Reduction) -> str:
    if reduction.signature.cause == LOST:
        return f"{_DOCUMENTATION}/operation-specs/infrastructure/assign-6.html"
    return spec_page(reduction.trial)


def _sentence(reduction: Reduction) -> str:
    """What the specification says of the case that fails: of the first wrong element, where there is one."""
    if reduction.signature.cause == LOST:
        return _STATE
    trial = reduction.trial
    first = reduction.outcome.first
    sentence = _SENTENCES[trial.operation.name]
    evidence = trial.evidence()
    outside = evidence.out_of_range
    if trial.operation.out_of_range != "zeros" or not outside.any():
        return sentence
    want = trial.want()
    if reduction.part is None and first is not None and len(first.at) == want.ndim:
        outside = spread(evidence, outside, want)[first.at]
    if outside.any():
        return _ZEROS
    return sentence


def _failure(reduction: Reduction) -> str:
    often = "in the model"
    if reduction.runs:
        often = f"in {reduction.failures} of {reduction.runs} runs"
    verdict = reduction.signature.verdict
    outcome = reduction.outcome
    first = reduction.outcome.first
    if verdict in ("crash", "timeout", "error"):
        return f"It {_FAILURES[verdict]}, {often}."
    if first is None:
        return f"The output is wrong, {often}."
    place = f"{outcome.mismatches} of {outcome.elements} elements differ, {often}."
    return f"{place} At {list(first.at)}: got {first.got}, want {first.want}."


def _values(trial: Trial) -> str:
    want = "not defined by the specification"
    try:
        output = _listed(trial.want())
        if is_defined(trial):
            want = f"`{output}`"
    except OvgatherError as error:
        want += f" ({error})"
    return f"- data: `{_listed(trial.data)}`\n- indices: `{_listed(trial.indices)}`\n- the output should be: {want}"


def _listed(array: Array) -> str:
    if array.size > _SHOWN:
        return f"{array.size} values of {array.dtype.name}, see the file"
    if array.dtype.isbuiltin != 1 and array.dtype.kind != "O":
        array = array.astype("f4")
    if array.size:
        return f"{array.tolist()}"
    return f"nothing, shape {list(array.shape)}"


def _python(reduction: Reduction, options: CrosscheckOptions) -> str:
    """The layer in ten lines of Python, but not where NumPy lacks a type, or more must happen than one inference."""
    trial = reduction.trial
    constants = reduction.trial.placement.constants
    arrays = {"data": trial.data, "indices": trial.indices}
    is_unsteady = bool(reduction.repeated) or reduction.failures < reduction.runs
    if (
        reduction.part is not None
        or is_unsteady
        or options.plugins
        or trial.placement.way
        or not all(map(_is_plain, arrays.values()))
    ):
        return "In the folder of this file:"
    feeds = []
    values = {}
    for name, array in arrays.items():
        dtype = array.dtype.str[1:]
        if array.size:
            text = f"np.array({array.tolist()}, {dtype!r})"
        else:
            text = f"np.zeros({list(array.shape)}, {dtype!r})"
        if name in constants:
            feeds.append(f"{name} = op.constant({text})")
        else:
            values[name] = text
            feeds.append(
                f"{name} = op.parameter({trial.declared(name, array)}, np.{array.dtype})"
            )
    arguments = ["data", "indices"]
    if trial.operation.takes_axis:
        dtype = named(trial.placement.axis_type).dtype.str[1:]
        arguments.append(
            f"op.constant(np.full({[1] * trial.placement.axis_rank}, {trial.axis}, {dtype!r}))"
        )
    elif trial.axis is not None:
        arguments.append(str(trial.axis))
    arguments += [str(trial.batch_dims)] * bool(trial.batch_dims)
    compiled = (
        f"ov.compile_model(model, {options.device!r}, {properties(options.config)})"
    )
    lines = [
        "import numpy as np, openvino as ov",
        f"from openvino import {trial.version} as op\n",
        *feeds,
        f"gather = op.{_snake(trial.operation.type, '_')}({', '.join(arguments)})",
        f"model = ov.Model([gather], [{', '.join(values)}])",
        f"print({compiled}([{', '.join(values.values())}])[0])",
    ]
    return "```python\n" + "\n".join(lines) + "\n```\n\nOr, in the folder of this file:"


def _is_plain(array: Array) -> bool:
    """Whether Python writes the array to the bit, and not too long."""
    is_number = array.dtype.isbuiltin == 1 and array.dtype.kind in "biuf"
    return is_number and array.size <= _SHOWN and bool(numpy.isfinite(array).all())
