"""One run that is not equal a line: ``path layer variant runtime verdict cause: reason``, as grep likes it."""

from collections.abc import Iterable

from ovgather.crosscheck.report import FAILING, FileReport
from ovgather.text import paint, printable


def render(results: Iterable[FileReport], color: bool = False) -> str:
    """All runs but the equal ones; nothing when there are none."""
    lines = []
    for file in results:
        if file.error:
            lines.append(f"{printable(file.path)} {paint('error', 'error', color)}: {printable(file.error)}\n")
        for record in file.layers:
            if record.verdict == "equal":
                continue
            layer = "/".join([*record.layer.body, record.layer.name or record.layer.id])
            style = "error" if record.verdict in FAILING else "warning"
            verdict = paint(" ".join(filter(None, (record.verdict, record.cause))), style, color)
            place = f"{file.path} {layer} {record.variant} {record.against}:{record.device}"
            lines.append(f"{printable(place)} {verdict}: {printable(record.reason)}\n")
    return "".join(lines)
