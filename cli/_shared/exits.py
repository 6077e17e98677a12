"""Exit codes, the same for every verb and format."""

import click

CLEAN, FINDINGS, USAGE, NO_FILE, UNREADABLE, MISSING, BUG, INTERRUPTED = 0, 1, 2, 3, 4, 5, 70, 130


def say_interrupted() -> int:
    """Say that results are missing; the exit code."""
    click.echo("ovgather: interrupted: this is what was known by then", err=True)
    return INTERRUPTED
