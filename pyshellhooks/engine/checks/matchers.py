"""Checks of matchers: names of no tool, globs instead of regular expressions, and the like."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from ...errors import Diagnostic
from ...hooks.dialect import Dialect, EventSpec
from ...hooks.model import HookSpec
from ...hooks.suggest import nearest
from ...hooks.tools import KINDS_OF

_PLAIN = re.compile(r"\^?\(?(?:\?:)?([^()\[\]{}\\.*+?]*)\)?\$?")  # words, alternatives, and anchors around them all
_NAME = re.compile(r"[A-Za-z0-9_.:/-]+")
_SEPARATORS = re.compile(r"\s*[,;]\s*|\s+")
_EXPRESSION = re.compile(r"""["'=<>]|&&|\s(?:matches|contains|startsWith|in|and|or)\s""")  # never part of a name
_GROUP = re.compile(r"\(\?(?:<?[=!]|P?<\w+>)")  # syntax of regular expressions with such characters
#: Syntax of other flavours than JavaScript's, a description, and the replacement in Python's syntax.
_FOREIGN = (
    (re.compile(r"\A/(.+)/[gimsuy]*\Z"), "slashes around the expression", r"\1"),
    (re.compile(r"\A\{([^{}|]+)\}\Z"), "names in braces", lambda match: f"^(?:{match[1].replace(',', '|')})$"),
    (re.compile(r"\\[zZ]"), "\\z", "$"),
    (re.compile(r"\\A"), "\\A", "^"),
    (re.compile(r"\[:(?:alpha|alnum|word|upper|lower):\]"), "POSIX character classes", r"\\w"),
)
_FEW = 4
_EMPTY = re.compile(r"\A\||\|\||\|\Z")
_GLOB = re.compile(r"(?<![.)\]}\\*])\*")  # a star that repeats one character


class Remark:
    """A problem of a matcher: a diagnostic without a place."""

    __slots__ = ("code", "hint", "message", "severity")

    def __init__(self, code: str, severity: str, message: str, hint: str) -> None:
        self.code = code
        self.severity = severity
        self.message = message
        self.hint = hint

    def at(self, file: str, line: int, column: int, end: int, source: str) -> Diagnostic:
        """Return the diagnostic at a place."""
        return Diagnostic(
            file, line, column, self.message, self.hint, self.severity, code=self.code, end_column=end, source=source
        )


def remarks(dialect: Dialect, row: EventSpec, spec: HookSpec) -> Iterator[Remark]:
    """Yield the problems of a hook's matcher; if it may be for a tool of a plugin or an MCP server, only as hints."""
    text = name_of(spec)
    if not text or spec.pattern is None and not dialect.matches_tool(spec, "\0"):
        return
    if row.subject == "tool_name":
        yield from _of_tools(dialect, spec, text)
    elif row.subject in ("command", "file_path") and (words := _words(text)):
        own = {name for names in dialect.tools.values() for name in names}
        if all(word in own and word[:1].isupper() for word in words):
            message = f'on {row.native} a matcher is tested against the {row.subject}, but "{text}" is a tool\'s name'
            yield Remark("matcher-subject", "warning", message, f"remove the matcher: {row.native} is for that tool")
    values = next((field.values for field in row.fields if row.subject in (field.native, field.neutral)), ())
    if values and spec.pattern is not None and not any(spec.pattern.search(value) for value in values):
        meant = nearest(text, values)
        hint = f'did you mean "{meant}"?' if meant else f"expected one of: {', '.join(values)}"
        yield Remark("matcher-matches-nothing", "error", f'the matcher "{text}" matches no {row.subject}', hint)


def name_of(spec: HookSpec) -> str:
    """Return the text of a matcher that tests names only; ``""`` for one with more conditions."""
    key, equals, value = spec.matcher.partition("=")
    if not equals or not key.isidentifier() or value.startswith("="):
        return spec.matcher
    return value if key == "tool_name" and "=" not in value else ""


def only_tools(dialect: Dialect, spec: HookSpec) -> list[str]:
    """Return the tools that a matcher names if it can take no others; else []."""
    names = _words(name_of(spec))
    others = [*(f"{name}x" for name in names), *(f"x{name}" for name in names), *dialect.mcp_names("server", "tool")]
    own = dialect.other_tools.union(*dialect.tools.values())
    taken = [name for name in {*own, *names, *others} if dialect.matches_tool(spec, name)]
    return names if set(taken) == set(names) <= own else []


def _of_tools(dialect: Dialect, spec: HookSpec, text: str) -> Iterator[Remark]:
    """Yield a remark for an empty alternative of a matcher, and one if it takes none of the system's own tools."""
    own = dict.fromkeys(name for names in dialect.tools.values() for name in names)
    own |= dict.fromkeys(sorted(dialect.other_tools))
    if _EMPTY.search(text) and not dialect.matches_tool(spec, "\0"):
        message = f'an empty alternative of the matcher "{text}" matches no tool'
        yield Remark("no-effect", "hint", message, "remove its |, or remove the matcher to match every tool")
    if "mcp" in text.lower() and "*" not in text or any(dialect.matches_tool(spec, name) for name in own):
        return
    yield from _why_no_tool(dialect, spec, text, own)


def _why_no_tool(dialect: Dialect, spec: HookSpec, text: str, own: Collection[str]) -> Iterator[Remark]:
    """Yield the first reason why a matcher takes none of the system's ``own`` tools."""
    words = _words(text)
    if foreign := _foreign(text, own):
        yield foreign
    elif any(text.startswith((f"{name}:", f"{name}(")) for name in own):
        tool = re.split("[:(]", text, maxsplit=1)[0]
        message = f'the matcher "{text}" is tested against the tool\'s name only'
        yield Remark("matcher-matches-nothing", "error", message, f'write "{tool}", and test the rest in the hook')
    elif _EXPRESSION.search(_GROUP.sub("(", text)):
        message = f'the matcher "{text}" is an expression on the call, but it is tested against the tool\'s name only'
        yield Remark("matcher-matches-nothing", "error", message, _names_only(text, own))
    elif (glob := _GLOB.sub(".*", text)) != text:
        yield from _of_glob(dialect, spec, text, glob)
    elif not words:
        if text.strip("^$()") == "" and text not in ("^", "$"):
            yield Remark("matcher-matches-nothing", "error", f'the matcher "{text}" matches no name', "remove it")
    elif not any(_NAME.fullmatch(word) and dialect.matches_tool(spec, word) for word in words):
        message = f'the matcher "{text}" matches no name: it is compared literally'
        yield Remark("matcher-matches-nothing", "error", message, _names_only(text, own))
    else:
        yield _of_names(dialect, text, words, own)


def _foreign(text: str, own: Iterable[str]) -> Remark | None:
    """Return a remark if a matcher takes tools of the system only in another flavour of expressions; else None."""
    for form, syntax, same in _FOREIGN:
        meant = form.sub(same, text)
        names = [name for name in own if re.search(meant, name)] if meant != text and _compiles(meant) else []
        if names:
            message = f'the matcher "{text}" matches no tool: its flavour of regular expressions has no {syntax}'
            few = (
                f'write "{"|".join(names)}"'
                if len(names) <= _FEW
                else "write the names of the tools with | between them"
            )
            return Remark("matcher-matches-nothing", "error", message, few)
    return None


def _compiles(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


def _names_only(text: str, own: Iterable[str]) -> str:
    """Return the hint for a matcher with more than names: write its names, or those of the system's own tools in it."""
    parts = [part for part in _SEPARATORS.split(text.strip()) if part]
    if all(_NAME.fullmatch(part) for part in parts):
        return f'write "{"|".join(parts)}"'
    if text.startswith("!"):
        return f'a matcher has no "not": remove it, and allow {text[1:].strip()} in the hook'
    names = [name for name in own if re.search(rf"\b{re.escape(name)}\b", text)]
    return (
        f'write "{"|".join(names)}", and test the rest in the hook'
        if names
        else "write the names of the tools with | between them"
    )


def _of_glob(dialect: Dialect, spec: HookSpec, text: str, glob: str) -> Iterator[Remark]:
    example = text.strip("^$").replace("*", "x9")
    if _NAME.fullmatch(example) and not dialect.matches_tool(spec, example):
        message = f'the matcher "{text}" is a regular expression here: its * repeats the character before it'
        yield Remark("matcher-glob", "warning", message, f'write "{glob}"')


def _of_names(dialect: Dialect, text: str, words: list[str], own: Iterable[str]) -> Remark:
    known = [kinds[0].name for word in words if (kinds := KINDS_OF.get(word))]
    if len(known) == len(words):
        names = dict.fromkeys(dialect.tools[kind][0] for kind in known if kind in dialect.tools)
        message = f'no tool of {dialect.title} is called "{text}", which is another system\'s name'
        return Remark("matcher-other-system", "warning", message, f'write "{"|".join(names)}"' if names else "")
    meant = [nearest(word, own) for word in words]
    if any(meant):
        hint = f'did you mean "{"|".join(near or word for near, word in zip(meant, words, strict=True))}"?'
        return Remark("matcher-unknown", "warning", f'no tool of {dialect.title} is called "{text}"', hint)
    message = f'no tool of {dialect.title} itself is called "{text}"'
    return Remark("matcher-unknown", "hint", message, "it is correct for a tool of a plugin or an MCP server")


def _words(text: str) -> list[str]:
    """Return the alternatives of a matcher if they are literal words; [] if any is not."""
    plain = _PLAIN.fullmatch(text)
    if plain is None:
        return []
    body = plain[1] if "|" in plain[1] else plain[1].removesuffix("$")
    return (
        [] if "^" in body or "$" in body and "|" not in body else [word.strip("^$") for word in body.split("|") if word]
    )
