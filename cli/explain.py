"""``ovgather explain``: the page of a rule or of an operation."""

from __future__ import annotations

import click

from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.report.explain.text import listing, render
from ovgather.text import did_you_mean
from ovgather.verbs.explain import find, topics


@click.command()
@click.argument("subjects", metavar="[CODE|OPERATION]...", nargs=-1)
@_options.color
def command(subjects: tuple[str, ...], color: str) -> int:
    """Print the page of a rule (OVG102) or of an operation (Gather-8, GatherElements, onnx:GatherElements-11).

    Without arguments, list all rules and operations.
    """
    paint = _files.wants_color(color, None)
    if not subjects:
        _files.write_text(listing(topics(), paint), None)
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
    _files.write_text(render(pages, paint), None)
    return 0
