"""What: the file has a ``<!DOCTYPE>``, or uses an entity that one declares.
Why: an entity stands for other text, possibly from another file. Neither ovgather nor OpenVINO expands entities or
fetches files: the characters stay as written.
OpenVINO: reads ``&x;`` as three characters. This is harmless in a name and rejected where a number is required. A
reference to an external entity is an error here; a document type alone, or an internal entity, is a note.
Bad::
    <!DOCTYPE net [<!ENTITY x SYSTEM "file:///etc/hostname">]>
Good::
    <?xml version="1.0"?>
"""

import re

from ovgather.validation.context import File, Findings, Rule

RULE = Rule(
    "OVG006",
    "document type or entity",
    "error note",
    "rejects accepts",
    needs="problems model.source.edits",
)
_EFFECT = "reads the letters as they stand"
_IGNORES = "ignores it too"
_DOCTYPE = b"<!DOCTYPE"
_IN_A_NAME = re.compile(rb"""\snames?\s*=\s*(?:"[^"<>]*|'[^'<>]*)$""")


def check(file: File) -> Findings:
    source = file.model.source
    for problem in file.problems.get("doctype", ()):
        start = max(0, source.data.rfind(_DOCTYPE, 0, problem.offset + 1))
        message = "a document type is ignored: nothing in it is used"
        span = (start, start + len(_DOCTYPE))
        yield file.report(
            RULE, message, span, None, "accepts", _IGNORES, severity="note"
        )
    for edit in source.edits:
        if edit.kind == "doctype":
            message = "a document type is ignored: no entity in it is expanded"
            width = len(_DOCTYPE)
            verdict = "accepts"
            effect = _IGNORES
        elif edit.kind in ("entity", "external-entity"):
            message = f"entity {edit.what} is not expanded; its meaning is unknown here"
            if edit.kind == "external-entity":
                message = f"entity {edit.what} names something outside the file: it is never fetched"
            in_name = _IN_A_NAME.search(
                source.original, max(0, edit.start - 1000), edit.start
            )
            verdict = "accepts" if in_name else "rejects"
            effect = _EFFECT
            width = len(edit.what.encode())
        else:
            continue
        span = (edit.start, edit.start + width)
        severity = "error" if edit.kind == "external-entity" else "note"
        yield file.report(
            RULE, message, span, None, verdict, effect, severity=severity, original=True
        )
