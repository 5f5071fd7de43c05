"""The pages of the utilities: an index, and one page for each, from the declarations, the cases and the known differences."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any

from pyshellhooks.builtins._index import INDEX as BUILTINS
from pyshellhooks.command.flags import Flag
from pyshellhooks.command.registry import Registry
from pyshellhooks.command.utility import Utility
from pyshellhooks.interp.builtin import Builtin
from pyshellhooks.utilities._index import INDEX

from . import ROOT

CASES = ROOT / "conformance" / "cases"
_HEAD = """\
# Utilities

These commands run in-process. Each has a page with its options and with what differs from the original. An option that is not
on a utility's page is an error that names it.

| utility | summary | source of behaviour |
|---|---|---|
"""
_BUILTINS = """
## Builtins

The shell itself has these commands. Where a utility has the same name, the builtin runs.

| builtin | arguments | summary |
|---|---|---|
"""
_EXAMPLES = 4  # on a page
_WIDTH = 100  # characters of an example's command


def file_of(name: str) -> str:
    """Return the file name of a utility's page. A bracket in it would need quotes everywhere."""
    return "left-bracket.md" if name == "[" else f"{name}.md"


def spelled(flag: Flag) -> str:
    """Return an option in all its spellings, with its value."""
    names = [*(f"-{name}" for name in flag.short), *(f"--{name}" for name in flag.long)]
    if flag.value and flag.optional:
        names[-1] += f"[={flag.value}]" if flag.long else f"[{flag.value}]"
    elif flag.value:
        names[-1] += f"={flag.value}" if flag.long else f" {flag.value}"
    return f"`{', '.join(names)}`"


def cell(text: str) -> str:
    """Return a text as a cell of a table."""
    parts = re.split(r"(`[^`]*`)", text.replace("\n", " "))
    for at in range(0, len(parts), 2):
        parts[at] = parts[at].replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
    for at in range(1, len(parts), 2):
        if "|" in parts[at]:  # GitHub and Python-Markdown disagree about a bar in code
            parts[at] = f"<code>{parts[at][1:-1].replace('<', '&lt;').replace('|', '&#124;')}</code>"
    return "".join(parts)


def source_of(docstring: str) -> str:
    """Return whose behaviour a module says that it follows: what stands in the parentheses of its first paragraph."""
    first = " ".join(docstring.partition("\n\n")[0].split())
    found = re.findall(r"\(((?:[^()]|\([^()]*\))*)\)", first)
    named = [
        text for text in found if re.search(r"POSIX|GNU|gawk|bash|manual|util-linux|Debian|ncurses|Perl|xxd", text)
    ]
    return named[0] if named else first.partition(": ")[2].rstrip(".") or first


def _docstring(index: str) -> str:
    """Return what the module of an entry says, or its package where that says more."""
    module = import_module(index.partition(":")[0])
    package = module.__name__.rpartition(".")
    if package[2] == "command":
        return import_module(package[0]).__doc__ or module.__doc__ or ""
    return module.__doc__ or ""


def _code(text: str) -> str:
    return text.replace("``", "`")


def utilities() -> Iterator[Utility]:
    """Yield all utilities, by name."""
    registry = Registry(INDEX)
    for name in sorted(INDEX):
        command = registry.get(name)
        assert command is not None
        yield command


def index() -> str:
    """Return the text of docs/utilities.md."""
    rows = []
    for one in utilities():
        cells = (
            f"[`{one.name}`](utilities/{file_of(one.name)})",
            one.summary,
            _code(source_of(_docstring(INDEX[one.name]))),
        )
        rows.append(f"| {' | '.join(map(cell, cells))} |\n")
    return _HEAD + "".join(rows) + _BUILTINS + "".join([_builtin_row(place) for place in BUILTINS.values()])


def _builtin_row(place: str) -> str:
    """Return the row of a builtin in the index. ``place`` is its module and its name there."""
    module, _, attribute = place.partition(":")
    one: Builtin = getattr(import_module(module), attribute)
    usage = cell(f"`{one.usage}`") if one.usage else ""
    return f"| `{one.name}` | {usage} | {cell(one.summary)} |\n"


def page(one: Utility, index: str) -> str:
    """Return the text of a utility's page."""
    docstring = _code(_docstring(index))
    text = [f"# {one.name}\n\n", f"{cell(one.summary)}\n\n"]
    text += [f"```text\n{one.name} {one.usage}".rstrip() + "\n```\n\n"]
    text += [f"**Behaviour:** {cell(source_of(docstring))}. [All utilities](../utilities.md)\n\n"]
    more = docstring.partition("\n\n")[2].strip()
    text += [f"{' '.join(paragraph.split())}\n\n" for paragraph in more.split("\n\n") if paragraph]
    plain = [flag for flag in one.listed if not _is_odd(flag)]
    rows = [f"| {spelled(flag)} | {cell(flag.help)} |\n" for flag in plain]
    text += ["## Options\n\n| option | meaning |\n|---|---|\n", *rows, "\n"] if rows else []
    rows = [f"| {spelled(flag)} | {cell(flag.help[1:-1])} |\n" for flag in one.listed if _is_odd(flag)]
    text += ["## Accepted, but different\n\n| option | here |\n|---|---|\n", *rows, "\n"] if rows else []
    known = _known().get(one.name, ())
    rows = [f"| <code>{_html(script)}</code> | {cell(reason)} |\n" for script, reason in known]
    text += ["## Known differences\n\n| example | here, and why |\n|---|---|\n", *rows, "\n"] if rows else []
    text += _examples(one.name)
    return "".join(text).rstrip("\n") + "\n"


def _is_odd(flag: Flag) -> bool:
    """Say whether an option is there, but does something else: its help stands in parentheses."""
    return re.fullmatch(r"\(.*\)", flag.help) is not None


def _html(text: str) -> str:
    text = text.strip().replace("&", "&amp;").replace("<", "&lt;").replace("|", "&#124;").replace("*", "&#42;")
    return text.replace("`", "&#96;").replace("_", "&#95;").replace("\n", "<br>")


@cache
def _known() -> dict[str, list[tuple[str, str]]]:
    """Return what conformance/known.toml says of each utility: the script of the case, and the reason."""
    found: dict[str, list[tuple[str, str]]] = {}
    with (ROOT / "conformance" / "known.toml").open("rb") as file:
        for entry in tomllib.load(file)["known"]:
            topic, _, name = entry["id"].rpartition("/")
            case = next((one for one in _cases(topic) if one["id"] == name), None)
            if case is None or "script" not in case:
                continue
            evidence = entry["evidence"]
            words = [word for word in re.findall(r"[\w\[]+", case["script"]) if word in INDEX]
            for word in dict.fromkeys(words):
                if f"utilities.md, {word}" in evidence or re.search(rf"utilities/(\w+/)?{re.escape(word)}\b", evidence):
                    found.setdefault(word, []).append((case["script"], entry["reason"]))
                    break
    return found


@cache
def _cases(topic: str) -> list[dict[str, Any]]:
    path = CASES / f"{topic}.toml"
    if not path.is_file():
        return []
    with path.open("rb") as file:
        found = tomllib.load(file)
    return [{**found, **case} for case in found["case"]]


def _examples(name: str) -> list[str]:
    """Yield some cases with the answer of the real program: each shows options that none before it shows."""
    shown: set[frozenset[str]] = set()

    def fitting() -> Iterator[str]:
        for case in _cases(f"utilities/{name}"):
            script, out = case["script"], case["stdout"]
            options = frozenset(re.findall(r"(?<=\s)--?[A-Za-z]\w*", script))
            if any(key in case for key in ("env", "args", "needs")) or case.get("status", 0):
                continue
            if case.get("stderr") != "":  # it prints errors, or its case does not say
                continue
            if "files" in case and "stdin" not in case:  # what it reads is not shown
                continue
            if not _is_short(script, out, given := case.get("stdin", "")) or options in shown:
                continue
            shown.add(options)
            yield f"$ {_quoted(given)}{script}\n{out}"

    examples = list(islice(fitting(), _EXAMPLES))
    if not examples:
        return []
    link = f"[its cases](../../conformance/cases/utilities/{name}.toml)"
    return [
        "## Examples\n\n",
        f"The answers are those of the real program ({link}).\n\n",
        "```console\n",
        *examples,
        "```\n",
    ]


def _is_short(script: str, out: str, given: str) -> bool:
    """Say whether a case can be shown: a line, that prints whole lines of what a person can read."""
    texts = out + given
    fine = 0 < len(out) < 4 * _WIDTH and out.endswith("\n") and "\n" not in script and len(script) <= _WIDTH
    return fine and len(given) <= _WIDTH // 2 and re.search(r"[^\n\t\x20-\x7e]|^\$", texts, re.MULTILINE) is None


def _quoted(given: str) -> str:
    if not given:
        return ""
    escaped = (
        given.replace("\\", "\\\\").replace("%", "%%").replace("'", "'\\''").replace("\n", "\\n").replace("\t", "\\t")
    )
    return f"printf '{escaped}' | "


def pages() -> dict[str, str]:
    """Return the texts of all pages, by their paths below docs/."""
    made = {f"utilities/{file_of(one.name)}": page(one, INDEX[one.name]) for one in utilities()}
    return {"utilities.md": index(), **made}
