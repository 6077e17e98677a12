"""Findings as SARIF 2.1.0, for code scanning and viewers: the rules with their pages, the files, the findings.

What a comment or a baseline suppresses is left out: GitHub opens an alert even for results that say so.
"""

from collections.abc import Callable, Iterable, Iterator

from ovgather.report.finding import marked, texts
from ovgather.report.json_text import JsonObject, Members
from ovgather.report.places import uri
from ovgather.text import printable, well_formed
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic, Related, Remedy, Replacement
from ovgather.validation.rule_page import Page, page
from ovgather.validation.rules import every

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_FINGERPRINT = "ovgatherFinding/v1"


def document(
    results: Iterable[Checked], ended: Callable[[], list[str]] = list
) -> Members:
    """All files as one run of the tool. What is known only in the end is last, such as why they ``ended`` early."""
    from ovgather import __version__

    pages = [page(rule) for rule in every()]
    numbers = {known.code: number for number, known in enumerate(pages)}
    places: dict[str, int] = {}
    verdicts: dict[str, JsonObject] = {}
    notes: list[JsonObject] = []

    def findings() -> Iterator[JsonObject]:
        for checked in results:
            place = uri(checked.path)
            artifact = {
                **_location(place),
                "index": places.setdefault(place, len(places)),
            }
            verdict = checked.verdict
            verdicts[place] = {
                "openvino": verdict.openvino,
                "unchecked": dict(verdict.unchecked),
            }
            if checked.fatal:
                notes.append(
                    _notification(
                        "; ".join(each.message for each in checked.diagnostics),
                        artifact,
                    )
                )
            for finding, mark in marked(checked):
                number = numbers.get(finding.code, -1)
                yield {
                    "ruleId": finding.code,
                    "ruleIndex": number,
                    **_result(finding, mark, artifact),
                }
        notes.extend(map(_notification, ended()))

    def artifacts() -> Iterator[JsonObject]:
        for place, index in places.items():
            location = {**_location(place), "index": index}
            yield {
                "location": location,
                "roles": ["analysisTarget"],
                "properties": verdicts[place],
            }

    run = Members(
        tool={
            "driver": {
                "name": "ovgather",
                "version": __version__,
                "rules": [_rule(known) for known in pages],
            }
        },
        originalUriBaseIds={
            _ROOT: {"description": {"text": "The folder that ovgather was started in."}}
        },
        columnKind="unicodeCodePoints",
        results=findings(),
        artifacts=artifacts,
        invocations=lambda: [
            {"executionSuccessful": not notes, "toolExecutionNotifications": notes}
        ],
    )
    return Members({"$schema": _SCHEMA, "version": "2.1.0", "runs": iter([run])})


def _rule(page: Page) -> JsonObject:
    return {
        "id": page.code,
        "name": page.name,
        "shortDescription": {"text": page.title},
        "fullDescription": {"text": page.what},
        "help": {"text": page.text, "markdown": page.markdown},
        "defaultConfiguration": {"level": page.severities[0]},
        "properties": {"tags": ["openvino"]},
    }


def _notification(text: str, *places: JsonObject) -> JsonObject:
    locations = [{"physicalLocation": {"artifactLocation": place}} for place in places]
    return {
        "level": "error",
        "message": {"text": _literal(printable(text))},
        "locations": locations,
    }


def _location(place: str) -> JsonObject:
    if place.startswith("file:"):
        return {"uri": place}
    return {"uri": place, "uriBaseId": _ROOT}


def _result(finding: Diagnostic, mark: str, artifact: JsonObject) -> JsonObject:
    if finding.line:
        region = {"region": _region(finding)}
    else:
        region = {}
    location: JsonObject = {
        "physicalLocation": {"artifactLocation": artifact, **region}
    }
    if (layer := finding.layer) is not None:
        name = layer.name or layer.id or layer.type
        path = well_formed("/".join([*layer.body, name]))
        location["logicalLocations"] = [
            {"name": well_formed(name), "fullyQualifiedName": path, "kind": "element"}
        ]
    others = [
        {
            "id": number,
            "physicalLocation": {
                "artifactLocation": artifact,
                "region": _region(related),
            },
            "message": {"text": _literal(printable(related.message))},
        }
        for number, related in enumerate(finding.related)
    ]
    remedy = finding.remedy
    lines = texts(finding, without=("in",), related=False)
    properties = {
        "openvino": finding.openvino,
        "effect": finding.effect or None,
        "help": finding.help,
    }
    return {
        "level": finding.severity,
        "message": {"text": _literal("\n".join(lines))},
        "locations": [location],
        **({"relatedLocations": others} if others else {}),
        "partialFingerprints": {_FINGERPRINT: mark},
        **(
            {"fixes": [_fix(remedy, artifact)]}
            if remedy is not None and remedy.replacements
            else {}
        ),
        "properties": {
            name: well_formed(text)
            for name, text in properties.items()
            if text is not None
        },
    }


def _fix(remedy: Remedy, artifact: JsonObject) -> JsonObject:
    replacements = [
        {
            "deletedRegion": _region(edit),
            "insertedContent": {"text": well_formed(edit.text)},
        }
        for edit in remedy.replacements
    ]
    risk = "" if remedy.safe else " (may change what the model computes)"
    return {
        "description": {"text": well_formed(f"{remedy.what}{risk}")},
        "artifactChanges": [
            {"artifactLocation": artifact, "replacements": replacements}
        ],
    }


def _region(span: Diagnostic | Related | Replacement) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _literal(text: str) -> str:
    # Braces stand for arguments, and `[text](place)` is a link: neither may come out of a file.
    return text.replace("{", "{{").replace("}", "}}").replace("](", "] (")
