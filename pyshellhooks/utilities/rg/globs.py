"""Path globs of ripgrep's globset: ``*`` and ``?`` exclude slashes, ``**`` matches directories, ``{a,b}`` alternatives.

No library implements this language (``pathspec`` implements git's, on Python's ``re``, which cannot be interrupted). A
glob is split at its slashes, each part is a shell pattern (patterns/glob.py, never exponential), and ``**`` is matched
part by part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...patterns.glob import compile_glob
from ...patterns.glob import escape as literal
from ...text import encode, pause, remembered

_MOST_CHOICES = 1024
_ACROSS = "**"

Test = Callable[[str], bool]


class GlobError(ValueError):
    """An invalid glob, with ripgrep's message."""


class PathGlob:
    """A compiled glob. It matches a whole path, given as its parts in ``bytewise`` form."""

    __slots__ = ("_forms",)

    def __init__(self, forms: list[list[Test | None]]) -> None:
        self._forms = forms  # None matches any number of parts

    def matches(self, parts: list[str]) -> bool:
        """Return whether the glob matches a path."""
        return any(_fits(form, parts) for form in self._forms)


def _fits(form: list[Test | None], parts: list[str]) -> bool:
    """Match part by part. Each ``**`` but the last matches as few parts as it can: no earlier choice must be undone."""
    at = low = 0
    star = -1
    while low < len(parts):
        test = form[at] if at < len(form) else _nothing
        if test is None:
            star, back = at, low
            at += 1
            if at == len(form):
                return True
        elif test(parts[low]):
            at += 1
            low += 1
        elif star >= 0:
            back += 1
            at, low = star + 1, back
        else:
            return False
    return all(test is None for test in form[at:])


def _nothing(part: str) -> bool:
    return False


@remembered(1024)
def compile_path_glob(text: str, ignore_case: bool = False, *, anywhere: bool = False) -> PathGlob:
    """Compile a glob. Raise ``GlobError`` with ripgrep's message. ``anywhere``: it may begin at any directory."""
    if not text.replace(_ACROSS + "/", "") and (text or anywhere):
        return PathGlob([[None]])
    text = bytewise(text)
    forms = []
    for number, choice in enumerate(_choices(text)):
        if number >= _MOST_CHOICES:
            raise GlobError("too many alternatives")
        parts: list[Test | None] = [None] if anywhere else []
        for part in choice:
            if part == _ACROSS:
                if not parts or parts[-1] is not None:
                    parts.append(None)
            else:
                parts.append(compile_glob(part, extglob=False, ignore_case=ignore_case).matches)
        if choice[-1] == _ACROSS and len(choice) > 1:
            parts.append(_anything)  # the directory's content, but not the directory
        forms.append(parts)
    return PathGlob(forms)


def bytewise(text: str) -> str:
    """Return the text with one character for each byte of its UTF-8, since ``?`` matches one byte."""
    if text.isascii():
        return text
    return encode(text).decode("latin-1")


def _anything(part: str) -> bool:
    return True


def _choices(text: str) -> Iterator[list[str]]:
    """Yield the expansions of ``{a,b}``: lists of parts, each a shell pattern."""
    tokens = _tokens(text)
    pending: list[list[str]] = [[]]
    alternatives: list[list[list[str]]] = []  # of the open brace: the forms before it, and its finished alternatives
    for token in tokens:
        if token == "{":
            if alternatives:
                raise GlobError("nested alternate groups are not allowed")
            alternatives.append(pending)
            alternatives.append([])
            pending = [[]]
        elif token == "}" and not alternatives:
            continue  # as ripgrep 13 does
        elif token in ("}", ",") and alternatives:
            # The alternative ends here; the next one begins with nothing.
            alternatives[1] += pending
            pending = [[]]
            if token == "}":
                before, inside = alternatives
                if len(before) * len(inside) > _MOST_CHOICES:
                    raise GlobError("too many alternatives")
                pending = [[*head, *tail] for head in before for tail in inside]
                alternatives = []
        else:
            for one in pending:
                one.append("\\," if token == "," else token)
    if alternatives:
        raise GlobError("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)")
    for one in pending:
        yield _parts(one)


def _parts(tokens: list[str]) -> list[str]:
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == "/":
            parts.append([])
        else:
            parts[-1].append(token)
    return [_part(part) for part in parts]


def _part(tokens: list[str]) -> str:
    """Join the tokens of one part; adjacent stars become one."""
    if tokens == [_ACROSS]:
        return _ACROSS
    out: list[str] = []
    for token in tokens:
        if token == _ACROSS:
            token = "*"
        if token == "*" and out[-1:] == ["*"]:
            continue
        out.append(token)
    return "".join(out)


def _tokens(text: str) -> Iterator[str]:
    """Yield ``** * ? / { } ,``, sets and characters, each as a shell pattern."""
    at, size = 0, len(text)
    while at < size:
        pause()
        char = text[at]
        at += 1
        if char == "\\":
            if at == size:
                raise GlobError("dangling '\\'")
            yield "/" if text[at] == "/" else literal(text[at])
            at += 1
        elif char == "[":
            item, at = _set(text, at)
            yield item
        elif char == "*":
            start = at - 1
            while text[at : at + 1] == "*":
                at += 1
            # It matches directories only as a whole part; more or fewer stars match as one.
            edges = ("", "/", "{", "}", ",") if "{" in text[:start] else ("", "/")
            is_part = text[max(start - 1, 0) : start] in edges and text[at : at + 1] in edges
            if is_part and at - start == 2:
                yield _ACROSS
            else:
                yield "*"
        elif char in "?/{},":
            yield char
        else:
            yield literal(char)


def _set(text: str, at: int) -> tuple[str, int]:
    """Parse a set of characters that begins after its bracket."""
    negated = text[at : at + 1] in ("!", "^") and at < len(text)
    at += negated
    members: list[str] = []  # characters, and ranges with - between the ends
    first = True
    while True:
        pause()
        if at >= len(text):
            raise GlobError("unclosed character class; missing ']'")
        char = text[at]
        at += 1
        if char == "]" and not first:
            break
        first = False
        if text[at : at + 1] == "-" and text[at + 1 : at + 2] not in ("", "]"):
            high = text[at + 1]
            if high < char:
                raise GlobError(f"invalid range; '{char}' > '{high}'")
            members.append(f"\\{char}-\\{high}")
            at += 2
        else:
            members.append("\\" + char)
    sign = "!" if negated else ""
    return f"[{sign}{''.join(members)}]", at
