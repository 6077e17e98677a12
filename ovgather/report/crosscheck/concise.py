"""One run that is not equal a line: ``path layer variant runtime verdict cause: reason``, as grep likes it."""

from collections.abc import Iterable, Iterator

from ovgather.comparison.report import FAILING, NO_LAYER, FileReport
from ovgather.text import paint, printable


def lines(results: Iterable[FileReport]) -> Iterator[str]:
    """All runs but the equal ones; nothing when there are none."""
    for file in results:
        if file.error:
            yield f"{printable(file.path)} {paint('error', 'error')}: {printable(file.error)}"
        elif not file.layers:
            yield f"{printable(file.path)} {paint('skipped', 'warning')}: {NO_LAYER}"
        for layer, variant, against, device, outcome in file.layers:
            if outcome.verdict != "equal":
                name = "/".join([*layer.body, layer.name or layer.id])
                style = "error" if outcome.verdict in FAILING else "warning"
                verdict = paint(f"{outcome.verdict} {outcome.cause}".rstrip(), style)
                place = printable(f"{file.path} {name} {variant} {against}:{device}")
                yield f"{place} {verdict}: {printable(outcome.reason)}"
