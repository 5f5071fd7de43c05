"""Diagnostics in the formats of other programs: GitHub's workflow commands, and SARIF 2.1.0 for code scanning."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..errors import Diagnostic
from ..host import current

GITHUB_LEVELS = {"error": "error", "warning": "warning", "hint": "notice"}
SARIF_LEVELS = {"error": "error", "warning": "warning", "hint": "note"}
NO_CODE = "config"  # the rule of a diagnostic without a code: readers of SARIF require one


def github(diagnostics: Iterable[Diagnostic]) -> str:
    """Return workflow commands, one a line: GitHub shows each at its place in a pull request."""
    lines = []
    for diagnostic in diagnostics:
        properties = ",".join(f"{name}={_property(value)}" for name, value in _github_properties(diagnostic).items())
        lines.append(f"::{GITHUB_LEVELS[diagnostic.severity]} {properties}::{_data(_text(diagnostic))}\n")
    return "".join(lines)


def sarif(diagnostics: Iterable[Diagnostic], version: str, meanings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return a SARIF log of one run; ``version`` is that of pyshellhooks, ``meanings`` describes codes.

    Columns count characters.
    """
    results, rules = [], dict[str, int]()
    for diagnostic in diagnostics:
        code = diagnostic.code or NO_CODE
        results.append(
            {
                "ruleId": code,
                "ruleIndex": rules.setdefault(code, len(rules)),
                "level": SARIF_LEVELS[diagnostic.severity],
                "message": {"text": _text(diagnostic)},
                "locations": [{"physicalLocation": _location(diagnostic)}],
            }
        )
    driver = {"name": "pyshellhooks", "version": version, "rules": [_rule(code, meanings or {}) for code in rules]}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _github_properties(diagnostic: Diagnostic) -> dict[str, str]:
    """Return the place and the title; a column needs a line, and an end needs a column."""
    properties = {"file": current().relative(diagnostic.path)}
    if diagnostic.line:
        properties["line"] = str(diagnostic.line)
        if diagnostic.column:
            properties["col"] = str(diagnostic.column)
            if diagnostic.end_column:
                properties["endColumn"] = str(diagnostic.end_column)
    if diagnostic.code:
        properties["title"] = diagnostic.code
    return properties


def _rule(code: str, meanings: Mapping[str, str]) -> dict[str, Any]:
    rule: dict[str, Any] = {"id": code}
    if code in meanings:
        rule["shortDescription"] = {"text": meanings[code]}
    return rule


def _location(diagnostic: Diagnostic) -> Mapping[str, Any]:
    """Return the location; a region, and its columns, need a line."""
    path = current().relative(diagnostic.path)
    # A relative URI is resolved against the root of the repository by code scanning.
    uri = Path(path).as_uri() if os.path.isabs(path) else quote(path)
    location: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if diagnostic.line:
        location["region"] = {"startLine": diagnostic.line}
        if diagnostic.column:
            location["region"]["startColumn"] = diagnostic.column
            if diagnostic.end_column > diagnostic.column:
                location["region"]["endColumn"] = diagnostic.end_column
    return location


def _text(diagnostic: Diagnostic) -> str:
    if not diagnostic.hint:
        return diagnostic.message
    return f"{diagnostic.message}\nhint: {diagnostic.hint}"


def _data(text: str) -> str:
    """Escape the characters that would end a workflow command's message, as actions/toolkit does."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
