"""``ovgather explain``: the page of a rule or of an operation."""

from __future__ import annotations

import click

from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.report.explain.text import listing
from ovgather.text import did_you_mean
from ovgather.verbs.explain import find, topics
from ovgather.verbs.rules import rules


@click.command()
@click.argument("subjects", metavar="[CODE|OPERATION]...", nargs=-1)
@_options.format_of("explain")
@_options.color
def command(subjects: tuple[str, ...], format: str, color: str) -> int:
    """Print the page of a rule (OVG102) or of an operation (Gather-8, GatherElements, onnx:GatherElements-11).

    Without arguments, list all rules and operations; with --format json, all rules.
    """
    if not subjects and format == "json":
        _files.show("rules", format, rules(), color, None)
        return 0
    if not subjects:
        _files.write_text(listing(topics(), _files.wants_color(color, None)), None)
        return 0
    pages = []
    for subject in subjects:
        page = find(subject)
        if page is None:
            names = [name for name, _ in topics()]
            nearest = did_you_mean(subject.upper(), names) or did_you_mean(subject, names)
            click.echo(f"ovgather: no rule or operation is called {subject!r}{nearest}\n", err=True)
            click.echo(listing(topics()), err=True, nl=False)
            return 2
        pages.append(page)
    _files.show("explain", format, pages, color, None)
    return 0
