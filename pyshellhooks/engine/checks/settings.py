"""A project's settings of ``check``: ``[tool.pyshellhooks]`` in its ``pyproject.toml``.

``ignore`` lists codes whose warnings and hints are not reported. Errors always are: an error turns a guard off.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from ...errors import Diagnostic
from ...hooks.suggest import did_you_mean
from ...jsontext.document import Document
from .codes import CODES, HINTS

FILE = "pyproject.toml"
TABLE = "tool.pyshellhooks"
KEYS = ("ignore",)


def unknown_code(code: str) -> tuple[str, str]:
    """Return the message and the hint for an unknown code."""
    return f'unknown code "{code}"', did_you_mean(code, CODES) or f"expected one of: {', '.join(CODES)}"


def settings_of(path: str) -> tuple[frozenset[str], list[Diagnostic]]:
    """Return the codes that the project of a file ignores, and diagnostics on its settings.

    The settings are those of the nearest ``pyproject.toml`` with the table, in the file's directory or above it, inside
    its repository.
    """
    for directory in _above(os.path.dirname(os.path.abspath(path))):
        file = os.path.join(directory, FILE).replace(os.sep, "/")
        if not os.path.isfile(file):  # also skips a FIFO, on which a read may block forever
            continue
        try:
            with open(file, encoding="utf-8") as opened:
                text = opened.read()
        except (OSError, ValueError):
            continue
        if "pyshellhooks" in text and (found := _read(text, file)) is not None:
            return found
    return frozenset(), []


def _above(directory: str) -> Iterator[str]:
    """Yield a directory and its parents, up to the root of the repository."""
    while True:
        yield directory
        above = os.path.dirname(directory)
        if above == directory or os.path.lexists(os.path.join(directory, ".git")):
            return
        directory = above


def _read(text: str, file: str) -> tuple[frozenset[str], list[Diagnostic]] | None:
    """Return the ignored codes and diagnostics of a ``pyproject.toml``; None if it does not have the table."""
    import tomllib

    try:
        table = tomllib.loads(text).get("tool", {}).get("pyshellhooks")
    except (ValueError, RecursionError) as error:
        return frozenset(), [
            Diagnostic(file, 0, 0, f"invalid TOML: {error}", HINTS["config-syntax"], code="config-syntax")
        ]
    except AttributeError:  # "tool" is not a table
        return None
    if table is None:
        return None
    document = Document(text, file)

    def wrong(word: str, message: str, hint: str, code: str) -> Diagnostic:
        return document.diagnostic(_place(text, word), message, hint, code=code)

    if not isinstance(table, Mapping):
        return frozenset(), [wrong("pyshellhooks", f"{TABLE} must be a table", f"write [{TABLE}]", "wrong-type")]
    odd = [
        wrong(key, f'{TABLE}: unknown key "{key}"', did_you_mean(key, KEYS) or f"expected one of: {', '.join(KEYS)}", "unknown-key")
        for key in table
        if key not in KEYS
    ]  # fmt: skip
    given = table.get("ignore", [])
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        hint = 'write a list of codes: ignore = ["unknown-key"]'
        return frozenset(), [*odd, wrong("ignore", f"{TABLE}: ignore must be a list of strings", hint, "wrong-type")]
    odd += [wrong(one, *unknown_code(one), code="config-invalid") for one in given if one not in CODES]
    return frozenset(given), odd


def _place(text: str, word: str) -> int:
    """Return the offset of a word, searched from the table's header on if the text has one."""
    head = max(text.find(f"[{TABLE}]"), 0)
    for quoted in (f'"{word}"', f"'{word}'", word):
        at = text.find(quoted, head)
        if at >= 0:
            return at
    return head
