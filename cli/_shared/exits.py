"""Exit codes, the same for every verb and format, and messages beside the results."""

import click

from ovgather.text import printable

CLEAN, FINDINGS, USAGE, NO_FILE, UNREADABLE, MISSING, BUG, INTERRUPTED = 0, 1, 2, 3, 4, 5, 70, 130


def say(message: str) -> None:
    click.echo(printable(f"ovgather: {message}"), err=True)


def say_interrupted() -> int:
    """Say that results are missing; the exit code."""
    say("interrupted: this is what was known by then")
    return INTERRUPTED
