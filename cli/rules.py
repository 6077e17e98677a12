"""``ovgather rules``: the list of rules."""

import click

from ovgather.cli._shared import completion
from ovgather.cli._shared import options as _options
from ovgather.cli._shared.outputs import ReportOptions, reserve
from ovgather.verbs.explain import rules


@click.command()
@click.argument(
    "codes", metavar="[CODE]...", nargs=-1, shell_complete=completion.names("rules")
)
@_options.report("rules")
def command(codes: tuple[str, ...], report: ReportOptions) -> int:
    """List the rules of validate: code, severities, [*] where --fix may help, and title.

    CODE restricts the list. It may be a prefix: OVG2 means OVG200 to OVG299. explain prints the page of a rule.

    \b
    ovgather rules OVG2
    ovgather rules --format json
    """
    reserve((report.output,))
    report.show(rules(codes))
    return 0
