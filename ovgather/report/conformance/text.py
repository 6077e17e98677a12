"""The conformance of a device for people: pass rates, and what is new, fixed and expected."""

from collections.abc import Iterable, Iterator

from ovgather.crosscheck.conformance.campaign import Conformance
from ovgather.text import paint, printable

_SHOWN = 20


def lines(results: Iterable[Conformance], color: bool = False) -> Iterator[str]:
    """The one conformance."""
    (conformance,) = results
    for title in ("Operation", "Type"):
        yield f"{title:<20} {'passes':>14}   of these known deviations"
        for name, passing, known, total in conformance.rates(title.lower()):
            rate = f"{100 * passing / total:.1f} %" if passing < total else "all"
            yield f"  {name:<18} {f'{passing} of {total}':>14}   {rate:<8}{known or '':>6}".rstrip()
    for words, style, names in (
        ("new failures", "error", [f"{each.name}: {each.verdict} {each.cause}".rstrip() for each in conformance.new]),
        ("fixed: listed as failures, and pass", "good", conformance.fixed),
    ):
        if names:
            yield paint(f"{len(names)} {words}", style, color)
            yield from (f"  {printable(name)}" for name in names[:_SHOWN])
            if len(names) > _SHOWN:
                yield f"  and {len(names) - _SHOWN} more: --report lists all"
    yield summary(conformance)


def summary(conformance: Conformance) -> str:
    """The numbers of cases, in a line."""
    results, new, still = conformance.results, len(conformance.new), len(conformance.still)
    skipped = sum(each.verdict == "skipped" for each in results)
    unknown = conformance.total - len(results)
    parts = [f"{len(results) - new - still - skipped} pass", f"{new} new failures"]
    others = {"expected failures": still, "fixed": len(conformance.fixed), "skipped": skipped, "not run": unknown}
    parts += [f"{number} {words}" for words, number in others.items() if number]
    return f"{conformance.device}, {conformance.total} cases: {', '.join(parts)}"
