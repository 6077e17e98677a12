"""What: the ``.bin`` is not the one of this file, was copied as text, or its end was lost.
Why: the constants that it holds contradict the file, and with other bytes, or none, nothing does.
Bad::
    model.xml beside the .bin of another model
Good::
    model.xml beside its own .bin
"""

import os
from collections.abc import Iterator

from ovgather.files.remote import is_remote
from ovgather.ir.constants import Weights
from ovgather.text import count
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import Hypothesis
from ovgather.validation.diagnosis.trial import weight

ORDER = 6
_LARGEST = 1 << 26
_BLOCK = 1 << 20
_LEAST_ZEROS = 64
_MOST_ELEMENTS = 16
_PART = 5
"""One in so many numbers is wrong, or more, where they are those of another file."""


def propose(case: Case) -> Iterator[Hypothesis]:
    weights = case.file.model.weights
    if weights is None or case.file.model.snippet:
        return
    name = os.path.basename(weights.path or "") or "the .bin"
    needed = case.file.weights_needed
    if needed < weights.size <= _LARGEST and not is_remote(weights.path or ""):
        data = bytes(weights.read(0, weights.size) or b"")
        text = data.replace(b"\r\n", b"\n")
        if len(text) == needed:
            more = count(weights.size - needed, "byte")
            message = (
                f"{name} was copied as text: each byte 10 became 13 and 10, {more} more"
            )
            help = "copy it again, in binary mode"
            yield Hypothesis(
                message,
                None,
                (0, 1),
                price=1.0,
                weights=Weights(text, weights.path),
                help=help,
            )
    if 2 * _bytes_beyond(case, weights.size) < needed - weights.size:
        return  # no Const takes what would be missing: an offset or a size is wrong
    if weights.size != needed or _are_many_wrong(case):
        message = _message(weights, name, needed)
        help = "put the .bin that was written with this file beside it"
        yield Hypothesis(
            message,
            None,
            (0, 1),
            price=2.5,
            reach=max(1, len(case.findings) // 3),
            weights=Weights(path=weights.path),
            help=help,
            drops_weights=True,
            needs_refusal=weights.size == needed,  # odd values alone may be meant
            least=_least(case, weights.size != needed),
        )


def _are_many_wrong(case: Case) -> bool:
    """Whether findings concern readers of a good part of the numbers: those of another file are wrong everywhere."""
    numbers = [
        layer
        for layer, constant in case.constants
        if constant.element_type.is_integral and constant.elements <= _MOST_ELEMENTS
    ]
    subjects = {*case.subjects}
    wrong = [
        layer
        for layer in numbers
        if any(reader in subjects for reader, _ in layer.consumers(0))
    ]
    return len(wrong) > 1 and _PART * len(wrong) >= len(numbers)


def _bytes_beyond(case: Case, size: int) -> int:
    """How many bytes from ``size`` on the Consts take."""
    constants = case.file.declared.values()
    return sum(
        [
            max(0, constant.offset + constant.size - max(constant.offset, size))
            for constant in constants
        ]
    )


def _least(case: Case, has_other_size: bool) -> float:
    """What dropping the ``.bin`` has to explain: more than one finding, and most of all, where the size is right."""
    if has_other_size:
        return 0.0
    return max(1.0, 0.6 * weight(case.findings))


def _message(weights: Weights, name: str, needed: int) -> str:
    """What was probably done to the ``.bin``."""
    if weights.size < needed:
        missing = needed - weights.size
        words = f"it has {count(weights.size, 'byte')}, but the constants need {needed}"
        verb = "is" if missing == 1 else "are"
        return f"{name} is truncated: {words}: {missing} {verb} missing"
    if zeros := _zeros(weights):
        return f"the last {zeros} of {weights.size} bytes of {name} are zeros: it was probably not copied to its end"
    message = f"{name} is probably that of another model or export: the constants in it do not match this file"
    if weights.size != needed:
        message += f", and it has {weights.size} bytes where they need {needed}"
    return message


def _zeros(weights: Weights) -> int:
    """How many zeros the end of a ``.bin`` has, if that is a good part of it; 0: none."""
    end = weights.size
    while end > 0 and not is_remote(weights.path or ""):
        begin = max(0, end - _BLOCK)
        block = bytes(weights.read(begin, end - begin) or b"").rstrip(b"\0")
        end = begin + len(block)
        if block:
            break
    length = weights.size - end
    if end and length >= max(_LEAST_ZEROS, weights.size // 16):
        return length
    return 0
