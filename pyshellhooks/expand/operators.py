"""The operators of ``${x…}`` that change a value: removal, replacement, slices, case and ``@``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ..patterns import case_mapping
from ..patterns.glob import Glob, compile_glob
from ..regexes import lazy_pattern
from ..state import variables
from ..state.failure import ExpansionError
from ..syntax import nodes as n
from ..text import decode, encode, paced
from .bytewise import is_bytewise, narrow, widen
from .drives import is_last_part
from .fields import LARGE, bounded, no_text
from .subscripts import base

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx
    from .params import ParameterCompiler

T = TypeVar("T", str, bytes, list[str])

Fetched = str | list[str] | None
Apply = Callable[["Ctx", Fetched], Fetched]


def each(ctx: Ctx, value: Fetched, change: Callable[[str], str]) -> Fetched:
    """Apply a change to a text, or to every element of a list, which keeps its type."""
    if value is None:
        return None
    if isinstance(value, str):
        return change(value)
    return type(value)([change(item) for item in paced(value)])


def _glob(ctx: Ctx, pattern: str) -> Glob:
    return compile_glob(pattern, extglob="extglob" in ctx.shopts)


def _remove(compiler: ParameterCompiler, node: n.Parameter) -> Apply:
    assert node.word is not None
    pattern = compiler.words.pattern(node.word)
    prefix = node.op[0] == "#"
    longest = len(node.op) == 2

    def cut(glob: Glob, text: str) -> str:
        if prefix:
            end = glob.prefix(text, longest)
            return text if end is None else text[end:]
        start = glob.suffix(text, longest)
        return text if start is None else text[:start]

    def run(ctx: Ctx, value: Fetched) -> Fetched:
        raw = pattern(ctx)
        glob = _glob(ctx, raw)

        def change(text: str) -> str:
            if is_bytewise(ctx, text):
                return widen(cut(_glob(ctx, narrow(raw)), narrow(text)))
            if not prefix and is_last_part(ctx, raw, text):
                return ""
            return cut(glob, text)

        return each(ctx, value, change)

    return run


def _replace(compiler: ParameterCompiler, node: n.Parameter) -> Apply:
    assert node.word is not None
    pattern = compiler.words.pattern(node.word)
    replacement: Callable[[Ctx], str] = no_text
    if node.word2 is not None:
        replacement = compiler.words.replacement(node.word2)
    written = node.op
    # The first character of an expansion may be an anchor, since bash tests the expanded pattern.
    first = node.word.parts[0] if node.word.parts else None
    anchored = written == "/" and isinstance(first, n.Parameter | n.CommandSub)

    def run(ctx: Ctx, value: Fetched) -> Fetched:
        nocase, extglob = "nocasematch" in ctx.shopts, "extglob" in ctx.shopts
        wanted, mode = pattern(ctx), written
        if anchored and wanted[:1] in ("#", "%"):
            mode, wanted = mode + wanted[0], wanted[1:]
        glob = compile_glob(wanted, extglob=extglob, ignore_case=nocase)
        raw = replacement(ctx)

        def change(text: str) -> str:
            if is_bytewise(ctx, text):
                bytewise = compile_glob(narrow(wanted), extglob=extglob, ignore_case=nocase)
                return widen(replace(ctx, bytewise, narrow(text), narrow(raw), mode))
            return replace(ctx, glob, text, raw, mode)

        return each(ctx, value, change)

    return run


def replace(ctx: Ctx, glob: Glob, text: str, raw: str, mode: str) -> str:
    """Return a text with replacements. In ``raw``, ``&`` is the match and ``\\&`` a literal ``&``."""
    template = _template(raw)
    if len(template) > 1 and "patsub_replacement" not in ctx.shopts:
        template = [_fill(template, "&")]
    if glob.literal is not None and mode in ("/", "//"):
        if not glob.literal:
            return text
        most = 1 if mode == "/" else -1
        return _bounded(ctx, text.replace(glob.literal, _fill(template, glob.literal), most))
    if mode == "/#":
        end = glob.prefix(text, True)
        if end is None:
            return text
        return _fill(template, text[:end]) + text[end:]
    if mode == "/%":
        start = glob.suffix(text, True)
        if start is None:
            return text
        return text[:start] + _fill(template, text[start:])
    return _bounded(ctx, _replace_matches(ctx, glob, text, template, mode == "//"))


def _replace_matches(ctx: Ctx, glob: Glob, text: str, template: list[str | None], every: bool) -> str:
    if not text and glob.matches(""):
        return _fill(template, "")
    pieces: list[str] = []
    at = 0
    while at < len(text) and (match := glob.search(text, at)) is not None:
        start, end = match
        if end == start:
            break  # an empty match in the middle of a text is not replaced (bash)
        pieces += text[at:start], _fill(template, text[start:end])
        at = end
        if not every:
            break
        ctx.task.check()
    return "".join(pieces) + text[at:]


def _template(raw: str) -> list[str | None]:
    """Split a replacement at its unescaped ``&``; None is the place of the match."""
    if "&" not in raw and "\\" not in raw:
        return [raw]
    pieces: list[str | None] = []
    at = 0
    for match in paced(_LIVE.finditer(raw)):
        pieces += [raw[at : match.start()], match.group()[1:] or None]
        at = match.end()
    pieces.append(raw[at:])
    return pieces


def _fill(template: list[str | None], match: str) -> str:
    return "".join(match if piece is None else piece for piece in template)


def _bounded(ctx: Ctx, text: str) -> str:
    return text if len(text) < LARGE else bounded(ctx, text)


_LIVE = lazy_pattern(r"\\[\\&]|&")
_CASES: dict[str, Callable[[str], str]] = {"^": case_mapping.upper, ",": case_mapping.lower, "~": case_mapping.swapped}


def _case(compiler: ParameterCompiler, node: n.Parameter) -> Apply:
    pattern: Callable[[Ctx], str] = no_text
    quoted = False
    if node.word is not None and node.word.parts:
        pattern = compiler.words.pattern(node.word)
        # A quoted empty pattern matches no character, an expansion to an empty pattern every character (bash).
        quoted = all(isinstance(part, n.Quoted) for part in node.word.parts)
    change_case = _CASES[node.op[0]]
    every = len(node.op) == 2

    def run(ctx: Ctx, value: Fetched) -> Fetched:
        wanted = pattern(ctx)
        glob = _glob(ctx, wanted) if wanted or quoted else None

        def convert(char: str) -> str:
            if glob is not None and not glob.matches(char):
                return char
            return change_case(char)

        def change(text: str) -> str:
            if is_bytewise(ctx, text):
                return widen(changed_case(narrow(text)))
            return changed_case(text)

        def changed_case(text: str) -> str:
            if not text:
                return ""
            if not every:
                return convert(text[0]) + text[1:]
            if glob is None:
                return change_case(text)
            pieces = []
            for start in range(0, len(text), 10_000):
                ctx.task.check()
                pieces.append("".join(map(convert, text[start : start + 10_000])))
            return "".join(pieces)

        return each(ctx, value, change)

    return run


def _slice(compiler: ParameterCompiler, node: n.Parameter) -> Apply:
    assert node.word is not None
    offset_of = _evaluate(compiler, node.word, node.arith)
    name, index = node.name, node.index
    length = None if node.word2 is None else _Length(compiler, node.word2, node.arith2)
    subject = name
    if index is not None:
        subject = f"{name}[{index.word.literal() or index.kind}]"

    def cut(ctx: Ctx, value: Fetched, offset: int) -> Fetched:
        if isinstance(value, list):
            # The arguments are counted from $1 on, but a slice may begin at $0 (bash).
            if name in "@*" and index is None:
                return type(value)(_part(ctx, [ctx.arg0, *value], offset, length, from_end=False))
            is_text = len(value) == 1 and name not in "@*" and _is_scalar(ctx, name)
            if not is_text:
                return _slice_array(ctx, name, value, offset, length)
            value = value[0]  # ${x[@]:1} of a scalar cuts its text (bash)
        if value is None:
            return None
        if not value.isascii() and variables.counts_bytes(ctx):
            return decode(_part(ctx, encode(value), offset, length))
        return _part(ctx, value, offset, length)

    def run(ctx: Ctx, value: Fetched) -> Fetched:
        try:
            return cut(ctx, value, offset_of(ctx))
        except ExpansionError as error:
            if "(error token is" in error.message:
                error.message = f"{subject}: {error.message}"
            raise

    return run


class _Length:
    """The length of a slice, evaluated only if the slice begins inside the value (bash)."""

    __slots__ = ("_evaluate", "_shown")

    def __init__(self, compiler: ParameterCompiler, word: n.Word, arith: n.Arith | None) -> None:
        self._evaluate = _evaluate(compiler, word, arith)
        self._shown = _shown(word)

    def end(self, ctx: Ctx, offset: int, size: int | None = None) -> int:
        """Return the end of the slice; a negative length counts from ``size``, unless that is None.

        Raises ``ExpansionError`` if the end is before ``offset``.
        """
        length = self._evaluate(ctx)
        if length < 0 and size is not None:
            end = size + length
        else:
            end = offset + length
        if end >= offset:
            return end
        shown = str(length) if self._shown is None else self._shown
        error = ExpansionError(f"{shown}: substring expression < 0")
        error.mild = True
        raise error


def _is_scalar(ctx: Ctx, name: str) -> bool:
    binding = base(ctx, name)[1]
    return binding is not None and not variables.is_array(binding)


def _shown(word: n.Word) -> str | None:
    """Return a length's text for messages; None if it has an expansion, which must not run twice."""
    texts: list[str] = []
    for part in word.parts:
        if not isinstance(part, n.Literal | n.Quoted):
            return None
        texts.append(part.text)
    return "".join(texts)


def _part(ctx: Ctx, value: T, offset: int, length: _Length | None, *, from_end: bool = True) -> T:
    """Return a slice of a value. ``from_end``: a negative length counts from the end."""
    size = len(value)
    if offset < 0:
        offset += size
    if not 0 <= offset <= size:
        return value[:0]
    if length is None:
        return value[offset:]
    end = length.end(ctx, offset, size if from_end else None)
    return value[offset:end]


def _evaluate(compiler: ParameterCompiler, word: n.Word, arith: n.Arith | None) -> Callable[[Ctx], int]:
    return compiler.words.arith.arithmetic(n.Arithmetic(arith, word, word.pos, word.end))


def _slice_array(ctx: Ctx, name: str, value: list[str], offset: int, length: _Length | None) -> Fetched:
    """Return the elements from an offset on: that of an indexed array is an index, and not the number of elements."""
    binding = base(ctx, name)[1]
    if variables.is_indexed(binding):
        items = binding.indexed()
        last = max(items, default=-1)
        if offset < 0:
            offset += last + 1
        if not 0 <= offset <= last:
            return type(value)()
        picked = [items[index] for index in sorted(items) if index >= offset]
    else:
        if offset < 0:
            offset += len(value)
        if not 0 <= offset <= len(value):
            return type(value)()
        picked = value[offset:]
    if length is not None:
        picked = picked[: length.end(ctx, 0)]
    return type(value)(picked)


def _transform(compiler: ParameterCompiler, node: n.Parameter) -> Apply:
    assert node.word is not None
    letter = node.word.literal() or ""
    from .transform import transform

    return lambda ctx, value: transform(ctx, node, letter, value)


OPERATORS: dict[str, Callable[[ParameterCompiler, n.Parameter], Apply]] = {
    "#": _remove,
    "##": _remove,
    "%": _remove,
    "%%": _remove,
    "/": _replace,
    "//": _replace,
    "/#": _replace,
    "/%": _replace,
    "^": _case,
    "^^": _case,
    ",": _case,
    ",,": _case,
    "~": _case,
    "~~": _case,
    "slice": _slice,
    "@": _transform,
}
