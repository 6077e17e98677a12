"""``ovgather explain``: the page of a rule, a hypothesis or an operation, or the meaning of what a runtime printed."""

import os
from difflib import get_close_matches

import click

from ovgather.cli._shared import completion
from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared.outputs import (
    FINDINGS,
    UNREADABLE,
    USAGE,
    ReportOptions,
    say,
    write_out,
)
from ovgather.report.explain import listing
from ovgather.targets.answers.match import answers
from ovgather.text import unpainted
from ovgather.verbs.explain import Topic, find, rules, topics


@click.command(
    short_help="Explain a rule, a hypothesis, an operation, or what a runtime printed."
)
@click.argument(
    "subjects",
    metavar="[CODE|OPERATION|FUNCTION|MESSAGE|-]... [FILE]",
    nargs=-1,
    shell_complete=completion.names("topics"),
)
@_options.weights
@_options.report("explain", to_file=False)
def command(
    subjects: tuple[str, ...], weights: str | None, report: ReportOptions
) -> int:
    """Print the page of a rule (OVG102), of a hypothesis (another_source), of an operation (Gather-8,
    onnx:GatherElements-11) or of a function of a framework (torch.gather); or explain a MESSAGE of OpenVINO or ONNX
    Runtime, or a whole log (- for standard input).

    With FILE after a message, the place in that file is shown. Without arguments, list all rules, hypotheses and
    operations; with --format json, all rules.

    Exit code 1 where a message is not known, 4 where FILE cannot be read.

    \b
    ovgather explain OVG203
    ovgather explain Gather-8
    ovgather explain "Incorrect weights in bin file!" model.xml
    """
    if not subjects and report.format == "json":
        report._replace(what="rules").show(rules())
        return 0
    if not subjects:
        text = listing(topics())
        write_out([text if report.is_painted else unpainted(text)], None)
        return 0
    *others, last = subjects
    is_path = last.lower().endswith((".xml", ".onnx")) or (
        os.path.isfile(last) and find(last) is None
    )
    file = None
    if others and is_path:
        file = last
    pages: list[Topic] = []
    messages: list[str] = []
    for subject in subjects if file is None else others:
        page = None
        if subject != "-":
            page = find(subject)
        if page is not None:
            pages.append(page)
        elif subject == "-" or len(subject.split()) > 1 or answers(subject):
            messages.append(
                _files.read_bytes("-").decode("utf-8", "replace")
                if subject == "-"
                else subject
            )
        else:
            say(
                f"no rule, hypothesis or operation is called {subject!r}{_meant(subject)} `ovgather explain` lists all"
            )
            return USAGE
    if pages:
        report.show(pages)
    if not messages:
        return 0
    from ovgather.verbs.explain_message import explain_message

    if file is not None:
        _files.find([file], weights, onnx=True)
    results = [explain_message(text, file, weights) for text in messages]
    report._replace(what="explain_message", format="text").show(results)
    if any(result.place is not None and result.place.fatal for result in results):
        return UNREADABLE
    if all(result.answers for result in results):
        return 0
    return FINDINGS


def _meant(subject: str) -> str:
    """The names that ``subject`` may stand for."""
    names = {
        name.lower(): name
        for topic, _ in topics()
        for name in (topic.partition("-")[0], topic)
    }
    nearest = [names[name] for name in get_close_matches(subject.lower(), names)]
    if nearest:
        return f"; did you mean {' or '.join(nearest)}?"
    return ";"
