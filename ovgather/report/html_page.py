"""The frame of an HTML report: one file, nothing fetched, nothing run."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from xml.sax.saxutils import escape as _escape

from ovgather.report.drawing.style import sheet
from ovgather.text import printable

_RULES = (
    ("html", "background", "paper"),
    ("html", "color", "ink"),
    ("a", "color", "link"),
    (".skip:focus", "background", "paper"),
    ("a:focus-visible,summary:focus-visible,.scroll:focus-visible", "outline-color", "link"),
    ("th,td", "border-color", "line"),
    ("thead th", "background", "panel"),
    ("pre", "background", "panel"),
    ("article", "border-color", "line"),
    (".quiet,caption,figcaption", "color", "muted"),
    (".equal", "color", "good"),
    (".known,.skipped", "color", "known"),
    (".failing", "color", "bad"),
)
_SHAPES = """\
html{font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
body{margin:0 auto;padding:1rem;max-width:80rem}
h1,h2,h3,h4{line-height:1.25;margin:1.5em 0 .5em}
h1{margin-top:0}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;padding:.5rem}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline-width:3px;outline-style:solid;outline-offset:2px}
.scroll{overflow-x:auto;margin:.5rem 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{border-width:1px;border-style:solid;padding:.25rem .6rem;text-align:start;vertical-align:top;overflow-wrap:normal}
caption{text-align:start;padding:.25rem 0;white-space:nowrap}
td.number{text-align:end}
td.wide{min-width:18rem;overflow-wrap:anywhere}
pre{padding:.6rem;overflow-x:auto;white-space:pre-wrap;border-radius:4px}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}
article{border-width:0 0 0 4px;border-style:solid;padding-inline-start:1rem;margin:1.5rem 0}
article h3{margin-top:0}
figure{margin:1rem 0}
.scroll .gather{max-width:none}
.verdict{font-weight:bold}
summary{cursor:pointer;padding:.25rem 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}
dt{font-weight:bold}
dd{margin:0}
@media (max-width:30rem){dl{display:block}dd{margin:0 0 .5rem}}
@media print{.scroll{overflow:visible}}
"""


def escape(text: str) -> str:
    """``text`` for HTML, in content and in quoted attributes.

    >>> escape('<a href="x">\\x00')
    '&lt;a href=&quot;x&quot;&gt;\\\\x00'
    """
    return _escape(printable(text), {'"': "&quot;"})


def page(title: str, body: str) -> str:
    """A whole page; ``body`` is HTML. Its policy lets nothing in but its own style sheet."""
    style = sheet(_RULES, _SHAPES)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def table(caption: str, head: list[str], rows: list[list[str]]) -> str:
    """A table; the cells are HTML, the first of each row heads it. Wide ones scroll, also with the keyboard."""
    heads = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    lines = []
    for row in rows:
        cells = "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in row[1:])
        lines.append(f'<tr><th scope="row">{row[0]}</th>{cells}</tr>\n')
    return scroll(
        caption,
        f"<table>\n<caption>{escape(caption)}</caption>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{''.join(lines)}</tbody>\n</table>",
    )


def scroll(label: str, content: str) -> str:
    """A part that scrolls sideways where the window is narrow."""
    return f'<div class="scroll" role="group" tabindex="0" aria-label="{escape(label)}">{content}</div>\n'
