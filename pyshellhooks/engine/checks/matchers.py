"""Rules of ``check`` on matchers: names of no tool, globs instead of regular expressions, and the like.

Each rule is a function of its own, and its docstring explains it: docs/diagnostics.md shows it at the rule's code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from ...errors import Diagnostic
from ...hooks.dialect import Dialect, EventSpec
from ...hooks.model import HookSpec
from ...hooks.suggest import nearest
from ...hooks.tools import KINDS_OF
from ..scripts.rule import reports

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
_WRITE_NAMES = "write the names of the tools with | between them"
_EMPTY = re.compile(r"\A\||\|\||\|\Z")
_GLOB = re.compile(r"(?<![.)\]}\\*])\*")  # a star that repeats one character


class _Matcher:
    """A matcher and the facts that its rules use.

    ``text``: its text. ``words``: its alternatives if all are literal words, else []. ``own``: the tools of the system.
    """

    __slots__ = ("dialect", "own", "row", "spec", "text", "words")

    def __init__(self, dialect: Dialect, row: EventSpec, spec: HookSpec) -> None:
        self.dialect = dialect
        self.row = row
        self.spec = spec
        self.text = name_of(spec)
        self.words = _words(self.text)
        self.own = dialect.own_tools

    def matches(self, tool: str) -> bool:
        """Return whether it matches a tool."""
        return self.dialect.matches_tool(self.spec, tool)


def check_matcher(dialect: Dialect, row: EventSpec, spec: HookSpec) -> Iterator[Diagnostic]:
    """Yield the problems of a hook's matcher, without a place.

    They are only hints if the matcher may be for a tool of a plugin or an MCP server.
    """
    if not name_of(spec):
        return
    if spec.pattern is None and not dialect.matches_tool(spec, "\0"):
        return
    matcher = _Matcher(dialect, row, spec)
    for rule in RULES:
        diagnostic = rule(matcher)
        if diagnostic is not None:
            yield diagnostic


def name_of(spec: HookSpec) -> str:
    """Return the text of a matcher that tests names only; ``""`` for one with more conditions."""
    key, equals, value = spec.matcher.partition("=")
    if not equals or value.startswith("="):  # ``==`` is part of an expression
        return spec.matcher
    if not key.isidentifier():
        return spec.matcher
    if key != "tool_name" or "=" in value:
        return ""
    return value


def only_tools(dialect: Dialect, spec: HookSpec) -> list[str]:
    """Return the tools that a matcher names if it can take no others; else []."""
    names = _words(name_of(spec))
    others = [*(f"{name}x" for name in names), *(f"x{name}" for name in names), *dialect.mcp_names("server", "tool")]
    own = frozenset(dialect.own_tools)
    taken = [name for name in {*own, *names, *others} if dialect.matches_tool(spec, name)]
    return names if set(taken) == set(names) <= own else []


@reports("no-effect")
def empty_alternative(matcher: _Matcher) -> Diagnostic | None:
    """Report an empty alternative (``Bash|``): it matches no tool, although people write it for "any tool"."""
    if matcher.row.subject != "tool_name" or not _EMPTY.search(matcher.text):
        return None
    if matcher.matches("\0"):
        return None
    message = f'an empty alternative of the matcher "{matcher.text}" matches no tool'
    return _diagnostic("no-effect", "hint", message, "remove its |, or remove the matcher to match every tool")


def no_tool(matcher: _Matcher) -> Diagnostic | None:
    """Report a matcher that matches none of the system's tools, with the first reason of ``NO_TOOL_RULES``.

    A matcher for tools of MCP servers is not reported, since their names are not known here.
    """
    if matcher.row.subject != "tool_name":
        return None
    if "mcp" in matcher.text.lower() and "*" not in matcher.text:
        return None
    if any(matcher.matches(name) for name in matcher.own):
        return None
    for rule in NO_TOOL_RULES:
        diagnostic = rule(matcher)
        if diagnostic is not None:
            return diagnostic
    return None


@reports("matcher-subject")
def tool_name_as_subject(matcher: _Matcher) -> Diagnostic | None:
    """Report a tool's name as the matcher of an event whose matchers are tested against a command or a path."""
    subject, words = matcher.row.subject, matcher.words
    if subject not in ("command", "file_path") or not words:
        return None
    if not all(word in matcher.own and word[:1].isupper() for word in words):
        return None
    native = matcher.row.native
    message = f'on {native} a matcher is tested against the {subject}, but "{matcher.text}" is a tool\'s name'
    return _diagnostic("matcher-subject", "warning", message, f"remove the matcher: {native} is for that tool")


@reports("matcher-matches-nothing")
def impossible_value(matcher: _Matcher) -> Diagnostic | None:
    """Report a matcher that matches none of the values that the event's field can have."""
    row, pattern = matcher.row, matcher.spec.pattern
    values = next((field.values for field in row.fields if row.subject in (field.native, field.neutral)), ())
    if not values or pattern is None:
        return None
    if any(pattern.search(value) for value in values):
        return None
    meant = nearest(matcher.text, values)
    hint = f'did you mean "{meant}"?' if meant else f"expected one of: {', '.join(values)}"
    return _matches_nothing(f'the matcher "{matcher.text}" matches no {row.subject}', hint)


# -- reasons why a matcher matches no tool ----------------------------------------------------------------------------


@reports("matcher-matches-nothing")
def other_flavour(matcher: _Matcher) -> Diagnostic | None:
    """Report a matcher that matches tools of the system only in another flavour of expressions: ``/Bash/``, ``{a,b}``."""
    for form, syntax, same in _FOREIGN:
        meant = form.sub(same, matcher.text)
        names = [name for name in matcher.own if re.search(meant, name)] if _is_other(meant, matcher.text) else []
        if names:
            message = (
                f'the matcher "{matcher.text}" matches no tool: its flavour of regular expressions has no {syntax}'
            )
            return _matches_nothing(message, _write(names) if len(names) <= _FEW else _WRITE_NAMES)
    return None


@reports("matcher-matches-nothing")
def tool_with_arguments(matcher: _Matcher) -> Diagnostic | None:
    """Report a tool's name with a pattern for its arguments, as in permission rules: ``Bash(rm:*)``."""
    text = matcher.text
    if not any(text.startswith((f"{name}:", f"{name}(")) for name in matcher.own):
        return None
    tool = re.split("[:(]", text, maxsplit=1)[0]
    message = f'the matcher "{text}" is tested against the tool\'s name only'
    return _matches_nothing(message, f'write "{tool}", and test the rest in the hook')


@reports("matcher-matches-nothing")
def expression_on_call(matcher: _Matcher) -> Diagnostic | None:
    """Report an expression on the call: ``tool == "Bash" && …``. A matcher is tested against the tool's name only."""
    text = matcher.text
    if not _EXPRESSION.search(_GROUP.sub("(", text)):
        return None
    message = f'the matcher "{text}" is an expression on the call, but it is tested against the tool\'s name only'
    return _matches_nothing(message, _names_only(text, matcher.own))


@reports("matcher-glob")
def glob(matcher: _Matcher) -> Diagnostic | None:
    """Report a glob (``mcp_*_x``) in a system whose matchers are regular expressions, where ``*`` repeats a character."""
    text = matcher.text
    expression = _GLOB.sub(".*", text)
    example = text.strip("^$").replace("*", "x9")
    if expression == text or not _NAME.fullmatch(example):
        return None
    if matcher.matches(example):
        return None
    message = f'the matcher "{text}" is a regular expression here: its * repeats the character before it'
    return _diagnostic("matcher-glob", "warning", message, f'write "{expression}"')


@reports("matcher-matches-nothing")
def no_name(matcher: _Matcher) -> Diagnostic | None:
    """Report a matcher that only the empty name matches: ``^$``, ``()``."""
    text = matcher.text
    if matcher.words or text in ("^", "$"):
        return None
    if text.strip("^$()") != "":
        return None
    return _matches_nothing(f'the matcher "{text}" matches no name', "remove it")


@reports("matcher-matches-nothing")
def literal_text(matcher: _Matcher) -> Diagnostic | None:
    """Report a matcher that the system compares literally, with characters that no name has: ``Bash, Edit``."""
    words = matcher.words
    if not words:
        return None
    if any(_NAME.fullmatch(word) and matcher.matches(word) for word in words):
        return None
    message = f'the matcher "{matcher.text}" matches no name: it is compared literally'
    return _matches_nothing(message, _names_only(matcher.text, matcher.own))


@reports("matcher-other-system")
def name_of_other_system(matcher: _Matcher) -> Diagnostic | None:
    """Report names that only other systems have for their tools.

    Not beside a name of the system itself for that tool (``apply_patch|Edit``).
    """
    kinds = [KINDS_OF[word][0].name for word in matcher.words if KINDS_OF.get(word)]
    if not matcher.words or len(kinds) != len(matcher.words):
        return None
    tools = matcher.dialect.tools
    names = list(dict.fromkeys(tools[kind][0] for kind in kinds if kind in tools))
    title = matcher.dialect.title
    message = f'no tool of {title} is called "{matcher.text}", which is another system\'s name'
    return _diagnostic("matcher-other-system", "warning", message, _write(names) if names else "")


@reports("matcher-unknown")
def misspelt_name(matcher: _Matcher) -> Diagnostic | None:
    """Report a name that resembles the name of a tool of the system."""
    words = matcher.words
    meant = [nearest(word, matcher.own) for word in words]
    if not any(meant):
        return None
    hint = f'did you mean "{"|".join(near or word for near, word in zip(meant, words, strict=True))}"?'
    message = f'no tool of {matcher.dialect.title} is called "{matcher.text}"'
    return _diagnostic("matcher-unknown", "warning", message, hint)


@reports("matcher-unknown")
def unknown_name(matcher: _Matcher) -> Diagnostic | None:
    """Report a name that no tool of the system has: only a hint, since a plugin or an MCP server may have it."""
    if not matcher.words:
        return None
    message = f'no tool of {matcher.dialect.title} itself is called "{matcher.text}"'
    return _diagnostic("matcher-unknown", "hint", message, "it is correct for a tool of a plugin or an MCP server")


#: A rule: it returns its diagnostic for a matcher, without a place, or None.
Rule: TypeAlias = Callable[[_Matcher], Diagnostic | None]
#: The rules of matchers, in the order of their reports.
RULES: tuple[Rule, ...] = (empty_alternative, no_tool, tool_name_as_subject, impossible_value)
#: The rules on matchers that match no tool. Only the first one that applies reports.
NO_TOOL_RULES: tuple[Rule, ...] = (
    other_flavour,
    tool_with_arguments,
    expression_on_call,
    glob,
    no_name,
    literal_text,
    name_of_other_system,
    misspelt_name,
    unknown_name,
)


def _diagnostic(code: str, severity: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic("", 0, 0, message, hint, severity, code=code)


def _matches_nothing(message: str, hint: str) -> Diagnostic:
    return _diagnostic("matcher-matches-nothing", "error", message, hint)


def _write(names: Iterable[str]) -> str:
    """Return the hint to write these names."""
    return f'write "{"|".join(names)}"'


def _is_other(expression: str, text: str) -> bool:
    """Return whether a translated expression differs from the matcher's text and compiles."""
    if expression == text:
        return False
    try:
        re.compile(expression)
    except re.error:
        return False
    return True


def _names_only(text: str, own: Iterable[str]) -> str:
    """Return the hint for a matcher with more than names: write its names, or those of the system's own tools in it."""
    parts = [part for part in _SEPARATORS.split(text.strip()) if part]
    if all(_NAME.fullmatch(part) for part in parts):
        return _write(parts)
    if text.startswith("!"):
        return f'a matcher has no "not": remove it, and allow {text[1:].strip()} in the hook'
    names = [name for name in own if re.search(rf"\b{re.escape(name)}\b", text)]
    return f"{_write(names)}, and test the rest in the hook" if names else _WRITE_NAMES


def _words(text: str) -> list[str]:
    """Return the alternatives of a matcher if they are literal words; [] if any is not."""
    plain = _PLAIN.fullmatch(text)
    if plain is None:
        return []
    body = plain[1]
    if "|" not in body:
        body = body.removesuffix("$")
        if "$" in body:
            return []
    if "^" in body:
        return []
    return [word.strip("^$") for word in body.split("|") if word]
