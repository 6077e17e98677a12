"""What a runtime's message means, for people."""

from collections.abc import Iterable, Iterator

from ovgather.report.validate.concise import lines as concise
from ovgather.targets.answers.match import Answer
from ovgather.text import count, paint, printable
from ovgather.validation.checked import Checked
from ovgather.verbs.explain_message import Explained, Place

_MOST_ANSWERS = 4
_LONG = 200


def lines(results: Iterable[Explained]) -> Iterator[str]:
    """Each message with its meaning, remedy and next command; the answer that tells most comes first."""
    for number, result in enumerate(results):
        path = result.place.path if result.place is not None else ""
        parts = [
            _answer(answer, path) for answer in result.answers[:_MOST_ANSWERS]
        ] or [_none(result)]
        if result.place is not None:
            parts += [_place(result.place)]
        for place, part in enumerate(parts):
            yield from [""] * bool(number or place)
            yield from part


def _none(result: Explained) -> Iterator[str]:
    yield paint(_short(result.text), "bold")
    yield "  This message is not known."
    if result.nearest:
        yield f"  nearest  {printable(result.nearest)}"
    yield "  next     ovgather validate model.xml finds what is wrong in a file; --with-openvino asks OpenVINO"


def _answer(answer: Answer, path: str) -> Iterator[str]:
    pattern = answer.pattern
    yield paint(_short(answer.text), "bold")
    since = ""
    if pattern.since:
        since = f" ({pattern.since})"
    yield f"  from     {answer.source.who}{since}"
    yield f"  means    {printable(answer.meaning)}"
    for number, what in answer.numbers:
        yield f"  number   {number} is {what}"
    yield f"  remedy   {printable(answer.remedy)}"
    for place, command in enumerate(pattern.commands):
        model = "model.onnx" if "model.onnx" in command else "model.xml"
        words = command.format_map(_Values(answer.values)).replace(model, path or model)
        yield f"  {'next' if place == 0 else '':<8} {printable(words)}"
    if pattern.rules:
        yield f"  rules    {', '.join(pattern.rules)} (ovgather explain {pattern.rules[0]})"
    yield f"  source   {pattern.source}"


class _Values(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return name.upper()


def _place(place: Place) -> Iterator[str]:
    yield paint(f"In {printable(place.path)}:", "bold")
    for fact in place.facts:
        yield f"  {printable(fact)}"
    if place.findings and place.is_guess:
        yield "  the message names none of these; a runtime stops at the first:"
    checked = Checked(place.path, None, 0, 0, list(place.findings), False, [])
    yield from (f"  {line}" for line in concise([checked]))
    if not place.findings and not place.facts:
        yield "  no rule finds its cause in the file: look at the values that are given to it"
    if place.others:
        yield f"  {count(place.others, 'other finding')}: ovgather validate {printable(place.path)}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return printable(line if len(line) <= _LONG else f"{line[: _LONG - 3]}...")
