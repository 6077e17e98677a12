"""What a shell completes. Names are read from a file beside it: rules and variants take too long to import."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

Completion = Callable[["click.Context", "click.Parameter", str], list["CompletionItem"]]
FILE = f"{os.path.splitext(__file__)[0]}.json"
"""Names with what they are: made by ``tools/generate_completion.py``."""


def files(
    context: click.Context, parameter: click.Parameter, beginning: str
) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(beginning, type="file")]


def names(kind: str, between: str = ",") -> Completion:
    """Completes names of ``kind``, also the last one of several with ``between`` between them."""

    def complete(
        context: click.Context, parameter: click.Parameter, beginning: str
    ) -> list[CompletionItem]:
        import json

        before, sign, last = beginning.rpartition(between)
        with open(FILE, encoding="utf-8") as file:
            known: dict[str, str] = json.load(file)[kind]
        return _items(known, last, before + sign)

    return complete


def layers(
    context: click.Context, parameter: click.Parameter, beginning: str
) -> list[CompletionItem]:
    """The Gather layers of the model on the command line."""
    from ovgather.layers.formats import gathers

    references = [gather.reference for gather in _of_model(context, gathers)]
    return _items(
        {
            "/".join((*each.body, each.name or f"#{each.id}")): each.type
            for each in references
        },
        beginning,
    )


def inputs(
    context: click.Context, parameter: click.Parameter, beginning: str
) -> list[CompletionItem]:
    """The inputs of the model on the command line, before ``=``."""
    from ovgather.layers.inputs import declared_inputs

    return _items(
        {f"{names[0]}=": shape for names, shape in _of_model(context, declared_inputs)},
        beginning,
    )


def arrays(
    context: click.Context, parameter: click.Parameter, beginning: str
) -> list[CompletionItem]:
    """The inputs of a Gather layer, each with a file."""
    if "=" in beginning:
        return files(context, parameter, beginning.partition("=")[2])
    return _items(dict.fromkeys(("data=", "indices="), "FILE.npy"), beginning)


def _of_model(context: click.Context, facts: Callable[[Any], Any]) -> list[Any]:
    """Those ``facts`` of the model on the command line; none where it cannot be read."""
    from ovgather.errors import OvgatherError
    from ovgather.layers.formats import read

    path = context.params.get("path") or next(
        iter(context.params.get("paths") or context.args), None
    )
    try:
        if path:
            return list(facts(read(path)))
        return []
    except OvgatherError:
        return []


def _items(
    known: dict[str, str], beginning: str, before: str = ""
) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    lower = beginning.lower()
    return [
        CompletionItem(before + name, help=about)
        for name, about in known.items()
        if name.lower().startswith(lower)
    ]
