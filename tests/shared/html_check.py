"""What a page must be like for everyone to read it: well-formed, self-contained, with its own script alone."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

VOID = {"meta", "br", "link", "hr", "img", "input"}


class Page(HTMLParser):
    """Parses a page; ``problems`` is empty when it is as it must be."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.problems: list[str] = []
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f"never closed: {self.open}")
        self.look(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        if len(set(names)) < len(names):
            self.problems.append(f"<{tag}> has an attribute twice: {names}")
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def look(self, text: str) -> None:
        ids = [attributes["id"] for _, attributes in self.tags if "id" in attributes]
        self.expect(len(ids) == len(set(ids)), "an id is there twice")
        for tag, attributes in self.tags:
            for name, value in attributes.items():
                self.expect(
                    not name.startswith("on") and name != "style", f"<{tag} {name}>"
                )
                if name in ("href", "src", "xlink:href", "action"):
                    self.expect(
                        value.startswith("#") and value[1:] in ids,
                        f"{name}={value!r} leads away",
                    )
                if name in ("aria-labelledby", "aria-describedby"):
                    self.expect(
                        set(value.split()) <= set(ids),
                        f"{name}={value!r} names nothing",
                    )
        names = [tag for tag, _ in self.tags]
        self.expect(
            not {"iframe", "object", "embed", "link", "form"} & set(names),
            "something that runs or loads",
        )
        self.expect(
            [each.get("type") for each in self.all("script")]
            == ["application/json", None],
            "other scripts",
        )
        self.expect(
            all(set(each) <= {"type", "id"} for each in self.all("script")),
            "a script from elsewhere",
        )
        loads = r"https?:|//\w|@import|url\((?!#)"
        self.expect(
            not re.search(loads, text.replace("http://www.w3.org/2000/svg", "")),
            "an address",
        )
        for tag in ("h1", "main", "header"):
            self.expect(names.count(tag) == 1, f"{names.count(tag)} <{tag}>")
        self.expect(self.all("html")[0].get("lang") == "en", "no language")
        levels = [int(name[1]) for name in names if re.fullmatch(r"h[1-6]", name)]
        self.expect(
            all(after <= before + 1 for before, after in pairwise(levels)),
            f"headings {levels}",
        )
        self.expect(
            names.count("table") == names.count("caption"), "a table without a caption"
        )
        self.expect(
            all("scope" in attributes for attributes in self.all("th")),
            "a <th> without a scope",
        )
        for _, part in self.tags:
            if part.get("class") == "scroll":
                named = (
                    part.get("role") == "group"
                    and part.get("aria-label")
                    and part.get("tabindex") == "0"
                )
                self.expect(
                    bool(named), "a part that scrolls, but not with the keyboard"
                )
        self.look_policy(text)

    def look_policy(self, text: str) -> None:
        policy = next(
            (each["content"] for each in self.all("meta") if each.get("http-equiv")), ""
        )
        style = text[text.index("<style>") + 7 : text.index("</style>")]
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        script = text[text.rindex("<script>") + 8 : text.rindex("</script>")]
        own = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        allowed = f"default-src 'none'; style-src 'sha256-{digest}'; script-src 'sha256-{own}'; base-uri 'none'"
        self.expect(policy.startswith(allowed), f"policy {policy!r}")
        self.expect(text.count("<style>") == 1, "a style sheet that the policy refuses")
        used = {
            name
            for _, attributes in self.tags
            for name in attributes.get("class", "").split()
        }
        for name in used:
            self.expect(
                re.search(rf"\.{re.escape(name)}\b", style) is not None,
                f"class {name} has no style",
            )

    def expect(self, condition: bool, problem: str) -> None:
        if not condition:
            self.problems.append(problem)


def records(text: str, view: int = 0) -> list[dict[str, Any]]:
    """The records of a page with the names of their parts: status, cells, cause, and parts by their headings."""
    shown = data(text)["views"][view]
    return [
        {
            "status": shown["statuses"][status][0],
            "kind": shown["statuses"][status][1],
            "cause": shown["causes"][cause] if cause >= 0 else None,
            "cells": dict(zip(shown["columns"], cells, strict=True)),
            "parts": {heading: (kind, *content) for kind, heading, *content in parts},
        }
        for status, cause, cells, parts in shown["records"]
    ]


def data(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        text.partition('id="data">')[2].partition("</script>")[0]
    )
    return found
