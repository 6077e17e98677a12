"""Severities that the user sets: ``OVG205 = "error"``, by code or prefix of codes."""

from collections.abc import Iterable, Iterator, Mapping

from ovgather.errors import ConfigurationError
from ovgather.validation.checked import Counted
from ovgather.validation.diagnostic import SEVERITIES, Diagnostic
from ovgather.validation.selection.codes import known_codes, parse_codes

Severities = Mapping[str, str]
"""The severity of all findings of a code."""


def parse_severities(levels: Iterable[tuple[str, str]], where: str) -> dict[str, str]:
    """The severity of each code that one of ``levels``, a code or prefix and a severity, names; the longest decides.

    Raises:
        ConfigurationError: no rule has the code, or there is no such severity.

    >>> parse_severities([("OVG205", "error"), ("OVG20", "note")], "--severity")["OVG205"]
    'error'
    """
    prefixes: dict[str, str] = {}
    for text, severity in levels:
        codes = parse_codes([text], where)
        if severity not in SEVERITIES:
            from ovgather.text import did_you_mean

            close = did_you_mean(severity, SEVERITIES)
            raise ConfigurationError(
                f"{where}: {text}: expected one of {', '.join(SEVERITIES)}, got `{severity}`{close}"
            )
        prefixes.update(dict.fromkeys(codes, severity))
    known = known_codes() if prefixes else []
    return {code: prefixes[prefix] for prefix in sorted(prefixes, key=len) for code in known if code.startswith(prefix)}


def parse_options(texts: Iterable[str], where: str) -> dict[str, str]:
    """The same of ``OVG205=error`` and lists of it.

    >>> parse_options(["OVG205=error, OVG305=note"], "--severity")
    {'OVG205': 'error', 'OVG305': 'note'}
    """
    levels = []
    for each in (each for text in texts for each in text.split(",")):
        code, equals, severity = each.partition("=")
        if not equals:
            raise ConfigurationError(f"{where}: expected CODE=SEVERITY, such as OVG205=error, got `{each.strip()}`")
        levels.append((code.strip(), severity.strip()))
    return parse_severities(levels, where)


def with_severities(findings: Iterable[Diagnostic | Counted], severities: Severities) -> Iterator[Diagnostic | Counted]:
    """``findings``, with the severities that the user sets."""
    for finding in findings:
        severity = severities.get(finding.code, finding.severity)
        if isinstance(finding, Counted):
            yield finding._replace(severity=severity)
        else:
            finding.severity = severity
            yield finding
