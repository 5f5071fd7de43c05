"""``WordCompiler``: compiles words to closures.

A word has four forms: ``fields`` (a command's arguments, with field splitting and pathname expansion), ``string``
(assignments, ``case``, here-documents: one text), ``pattern`` (quoted parts escaped) and ``regex`` (quoted parts
literal for ``=~``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, TypeGuard

from ..errors import Stop
from ..patterns.glob import escape, has_magic
from ..regexes import lazy_pattern
from ..state.failure import ExpansionError
from ..state.splitting import DEFAULT_IFS, NEEDS_WORK, NEEDS_WORK_EXTGLOB
from ..syntax import nodes as n
from ..text import paced
from .braces import count_words, each_word, expand_braces, may_expand
from .fields import FEW, LARGE, FieldBuilder, bounded, gathered
from .params import ParameterCompiler, is_plain_variable
from .tilde import expand_tilde, tilde_prefix

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx
    from .arithmetic import ArithCompiler

String = Callable[["Ctx"], str]
Fields = Callable[["Ctx"], list[str]]
Emit = Callable[["Ctx", FieldBuilder], None]
Exec = Callable[["Ctx"], int]

_BRACES_AT_ONCE = 1000  # most words of braces that are created when a command is compiled
_TEXT_AT_ONCE = 1 << 20  # most characters of them


class WordCompiler:
    """Compiles words; ``commands`` compiles the commands in ``<( )``, ``substitution`` the whole of ``$( )``."""

    def __init__(self, commands: Callable[[n.List], Exec], substitution: Callable[[n.List], String]) -> None:
        self.commands = commands
        self.substitution = substitution
        self.parameters = ParameterCompiler(self)

    @cached_property
    def arith(self) -> ArithCompiler:
        """The compiler of arithmetic, created at the first use."""
        from .arithmetic import ArithCompiler

        return ArithCompiler(self)

    # --- fields ------------------------------------------------------------------------------------

    def words(self, words: Sequence[n.Word]) -> Fields:
        """Compile words to one list of fields."""
        with_braces = self._row(words, braces=True)
        if not any(may_expand(word) for word in words):
            return with_braces
        without = self._row(words, braces=False)  # set +B
        return lambda ctx: (with_braces if "braceexpand" in ctx.shopts else without)(ctx)

    def _row(self, words: Sequence[n.Word], *, braces: bool) -> Fields:
        # The kinds of items: 0 a constant, 1 a function that returns one field, 2 one that returns a list.
        plan: list[tuple[int, str | String | Fields]] = []
        for word in words:
            if not braces:
                plan.append(self._plan(word))
                continue
            count = count_words(word)
            if _are_many(word, count):
                plan.append((2, self._many(word, count)))
            else:
                plan += map(self._plan, expand_braces(word))
        if all(kind == 0 for kind, _ in plan):
            constant = [str(item) for _, item in plan]
            return lambda ctx: constant.copy()
        # The usual word lists have one word, or constants only, and need no loop.
        if len(plan) == 1:
            kind, only = plan[0]
            if kind == 2:
                return only  # type: ignore[return-value]
            return lambda ctx: [only(ctx)]  # type: ignore[operator,list-item]

        def run(ctx: Ctx) -> list[str]:
            fields: list[str] = []
            append = fields.append
            for kind, item in plan:
                if kind == 0:
                    append(item)  # type: ignore[arg-type]
                elif kind == 1:
                    append(item(ctx))  # type: ignore[operator,arg-type]
                else:
                    fields.extend(item(ctx))  # type: ignore[operator]
            return fields

        return run

    def _many(self, word: n.Word, count: int) -> Fields:
        """Compile large braces, whose words are created only at run time, since that takes time."""
        length = word.end - word.pos + 1
        at_once = min(_BRACES_AT_ONCE, _TEXT_AT_ONCE // length + 1)

        def run(ctx: Ctx) -> list[str]:
            if count > ctx.limits.expansion:
                raise Stop("limit", f"a brace expansion makes more than {ctx.limits.expansion} words", "expansion")
            fields: list[str] = []
            words = each_word(word)
            while chunk := list(islice(words, at_once)):
                ctx.task.check()
                ctx.run.grew(len(chunk) * length)
                if isinstance(chunk[0], str):
                    fields += chunk  # type: ignore[arg-type]
                else:
                    fields += self.words(chunk)(ctx)  # type: ignore[arg-type]
            return fields

        return run

    def _plan(self, word: n.Word) -> tuple[int, str | String | Fields]:
        constant = self.constant(word)
        if constant is not None:
            return 0, constant
        if self._is_single(word):
            return 1, self.string(word)
        return 2, self.fields(word)

    def constant(self, word: n.Word) -> str | None:
        """Return the text of a word if it does not depend on the state, otherwise None."""
        if not self._is_single(word) or _is_tilde(word.parts[0]):
            return None
        texts: list[str] = []
        for part in word.parts:
            text = _constant_text(part)
            if text is None:
                return None
            texts.append(text)
        return "".join(texts)

    def _is_single(self, word: n.Word) -> bool:
        """Return whether a word is always exactly one field."""
        if not word.parts or _may_span_bracket(word) or _is_assignment_like(word):
            return False
        return all(map(_adds_to_one_field, word.parts))

    def fields(self, word: n.Word) -> Fields:
        """Compile one word (braces already expanded) to its fields."""
        parts = word.parts
        if len(parts) == 1:
            only = parts[0]
            if type(only) is n.Parameter and is_plain_variable(only):
                return self._plain_parameter(only)
        emit = self.emitters(word)

        def run(ctx: Ctx) -> list[str]:
            builder = FieldBuilder(ctx)
            for add in emit:
                add(ctx, builder)
            return builder.finish()

        return run

    def _plain_parameter(self, node: n.Parameter) -> Fields:
        """Compile ``$name`` alone, with a fast path: most values need neither splitting nor globbing."""
        name = node.name
        emit = self.parameters.emit(node, quoted=False)

        def run(ctx: Ctx) -> list[str]:
            table = ctx.vars
            value = table.get(name)
            if value.__class__ is str and table.get("IFS") == DEFAULT_IFS:
                if not value:
                    return []
                if len(value) > LARGE:
                    ctx.task.check()  # there may be many words like this one
                needs_work = NEEDS_WORK_EXTGLOB if "extglob" in ctx.shopts else NEEDS_WORK
                if needs_work.search(value) is None:
                    return [value]
            builder = FieldBuilder(ctx)
            emit(ctx, builder)
            return builder.finish()

        return run

    def emitters(self, word: n.Word, quoted: bool = False, splits: bool = False) -> list[Emit]:
        """Compile each part of a word to a function that adds it to the fields.

        ``splits``: unquoted text is itself the result of an expansion (the word of ``${x-…}``), so it is split.
        """
        if quoted:
            return [self._emit(part, True) for part in paced(word.parts)]
        if not splits and _is_assignment_like(word):
            return self._assignment_emitters(word)
        emitters: list[Emit] = []
        for number, part in enumerate(paced(word.parts)):
            if number == 0 and _is_tilde(part):
                emitters.extend(self._tilde_emitters(part.text, len(word.parts) == 1))
            elif splits and type(part) is n.Literal:
                emitters.append(lambda ctx, b, text=part.text: b.value(text))  # type: ignore[misc]
            else:
                emitters.append(self._emit(part, False))
        return emitters

    def _assignment_emitters(self, word: n.Word) -> list[Emit]:
        """Compile an argument that looks like an assignment: its tildes are expanded, except in posix mode (bash)."""
        emitters: list[Emit] = []
        last = len(word.parts) - 1
        for number, part in enumerate(paced(word.parts)):
            if type(part) is not n.Literal:
                emitters.append(self._emit(part, False))
                continue
            for index, piece in enumerate(_TILDES.split(part.text)):
                at_end = number != last and part.text.endswith(piece)
                if index % 2 and not at_end:
                    emitters.append(_tilde_or_literal(piece))
                elif piece:
                    emitters.append(self._emit(n.Literal(piece, 0, 0), False))
        return emitters

    def _tilde_emitters(self, text: str, alone: bool) -> list[Emit]:
        prefix = tilde_prefix(text)
        continues = prefix == text and not alone  # ``~$user``: a user's name must be literal as a whole
        if prefix is None or continues:
            return [self._emit(n.Literal(text, 0, 0), False)]
        # A directory with blanks or pattern characters stays one field, so it counts as quoted (POSIX XCU 2.6.1).
        emitters: list[Emit] = [lambda ctx, b: b.quoted(expand_tilde(ctx, prefix))]
        rest = text[len(prefix) :]
        if rest:
            emitters.append(self._emit(n.Literal(rest, 0, 0), False))
        return emitters

    def _emit(self, part: n.WordPart, quoted: bool) -> Emit:
        match part:
            case n.Literal():
                text = part.text
                if quoted:
                    return lambda ctx, b: b.quoted(text)
                return lambda ctx, b: b.literal(text)
            case n.Quoted():
                text = part.text
                return lambda ctx, b: b.quoted(text)
            case n.DoubleQuoted():
                return self._emit_double(part)
            case n.Parameter():
                return self.parameters.emit(part, quoted)
            case _:
                value = self._string(part)
                if quoted or type(part) is n.ProcessSub:
                    return lambda ctx, b: b.quoted(value(ctx))
                return lambda ctx, b: b.value(value(ctx))

    def _emit_double(self, part: n.DoubleQuoted) -> Emit:
        if not _hold_lists(part.parts):
            value = self._string(part)
            return lambda ctx, b: b.quoted(value(ctx))
        inner = [self._emit(p, True) for p in part.parts]
        if len(inner) == 1:
            return inner[0]  # "$@" without arguments adds zero fields, not an empty one

        def emit(ctx: Ctx, builder: FieldBuilder) -> None:
            fresh = not builder.is_open()
            builder.vanished = False
            for add in inner:
                add(ctx, builder)
            if builder.vanished and fresh:
                builder.drop_empty()  # "$e$@" adds zero fields if $e is empty and there are no arguments

        return emit

    # --- one string --------------------------------------------------------------------------------

    def string(self, word: n.Word, *, assignment: bool = False, tilde: bool = True, quoted: bool = False) -> String:
        """Compile a word to one text, without field splitting and pathname expansion.

        ``assignment``: a tilde after each unquoted ``:`` is expanded too (POSIX XCU 2.6.1). ``quoted``: the word is in
        double quotes.
        """
        has_tilde = _has_tilde(word)
        # A tilde after a colon counts only in an assignment, so that ``constant`` does not look for one.
        if not assignment or not has_tilde:
            constant = self.constant(word)
            if constant is not None:
                return _constant(constant)
        if tilde and has_tilde:
            parts = self._tilde_strings(word, assignment, quoted)
        else:
            # Pattern characters are ordinary here: a literal with a star is a constant too.
            parts = [self._string(p, assignment, quoted) for p in paced(word.parts)]
        return _joined(parts)

    def part(self, part: n.WordPart) -> String:
        """Compile one part of a word to text."""
        return self._string(part)

    def _tilde_strings(self, word: n.Word, assignment: bool, quoted: bool) -> list[String]:
        strings: list[String] = []
        last = len(word.parts) - 1
        for number, part in enumerate(word.parts):
            may_have_tilde = number == 0 or assignment
            if may_have_tilde and type(part) is n.Literal:
                strings.extend(_literal_strings(part.text, assignment, number == 0, number == last))
            else:
                strings.append(self._string(part, assignment, quoted))
        return strings

    def _string(self, part: n.WordPart, assignment: bool = False, quoted: bool = False) -> String:
        match part:
            case n.Literal() | n.Quoted():
                text = part.text
                return lambda ctx: text
            case n.DoubleQuoted():
                return _joined([self._string(p, assignment, True) for p in part.parts])
            case n.Parameter():
                return self.parameters.string(part, assignment, quoted)
            case n.CommandSub():
                return self.command_sub(part)
            case n.Arithmetic():
                value = self.arith.arithmetic(part)

                def number(ctx: Ctx) -> str:
                    try:
                        return str(value(ctx))
                    except ExpansionError as error:
                        error.mild = True
                        raise

                return number
            case n.ProcessSub():
                body, op = self.commands(part.body), part.op
                return lambda ctx: ctx.run.evaluator.process_substitution(ctx, op, body)

    def command_sub(self, part: n.CommandSub) -> String:
        """Compile ``$( )``; ``$(< file)`` reads the file."""
        if part.input_file is not None:
            name = self.string(part.input_file)
            return lambda ctx: ctx.run.evaluator.read_file(ctx, name(ctx))
        if (broken := part.broken) is not None:
            return lambda ctx: ctx.run.evaluator.broken_substitution(ctx, broken)
        return self.substitution(part.body)

    # --- patterns and regular expressions ------------------------------------------------------------

    def pattern(self, word: n.Word, *, tilde: bool = True) -> String:
        """Compile a word to pattern text, in which quoted characters are escaped with backslashes."""
        return self._escaped_word(word, escape, tilde=tilde)

    def pattern_all_escaped(self, word: n.Word) -> String:
        """Compile a pattern with a backslash before every quoted character, as ``set -x`` prints it (bash)."""
        return self._escaped_word(word, lambda text: "".join("\\" + char for char in text))

    def _escaped_word(self, word: n.Word, escape_text: Callable[[str], str], *, tilde: bool = True) -> String:
        """Compile a word in which quoted text and the directory of a tilde are escaped."""
        strings: list[String] = []
        for number, part in enumerate(paced(word.parts)):
            if number == 0 and tilde and _is_tilde(part):
                prefix = tilde_prefix(part.text)
                assert prefix is not None
                rest = part.text[len(prefix) :]
                if rest or len(word.parts) == 1:
                    strings.append(lambda ctx, prefix=prefix: escape_text(expand_tilde(ctx, prefix)))  # type: ignore[misc]
                    strings.append(lambda ctx, rest=rest: rest)  # type: ignore[misc]
                    continue
            strings.append(self._escaped(part, escape_text))
        return _joined(strings)

    def regex(self, word: n.Word) -> String:
        """Compile the right side of ``=~``, in which quoted text matches itself."""
        return self._escaped_word(word, escape_regex)

    def _escaped(self, part: n.WordPart, escape_text: Callable[[str], str]) -> String:
        if type(part) is n.Quoted:
            quoted = escape_text(part.text)
            return lambda ctx: quoted
        value = self._string(part)
        if type(part) is n.DoubleQuoted:
            constant = _constant_text(part)
            if constant is None:
                return lambda ctx: escape_text(value(ctx))
            fixed = escape_text(constant)
            return lambda ctx: fixed
        if type(part) is n.Parameter and part.op in ("-", ":-", "+", ":+"):
            if part.word is not None:
                return self.parameters.escaped_default(part, escape_text)
        return value

    def replacement(self, word: n.Word) -> String:
        """Compile the text of ``${x/pattern/text}``: an unquoted ``&`` is the match, so quoted ones are escaped."""

        def protect(text: str) -> str:
            return text.replace("\\", "\\\\").replace("&", "\\&")

        return self._escaped_word(word, protect)


def escape_regex(text: str) -> str:
    """Return an ERE that matches exactly this text."""
    return "".join("\\" + c if c in "\\^$.[]|()*+?{}" else c for c in text)


def _constant_text(part: n.WordPart) -> str | None:
    """Return the text of a part if it does not depend on the state, otherwise None."""
    if isinstance(part, n.Literal | n.Quoted):
        return part.text
    if not isinstance(part, n.DoubleQuoted):
        return None
    texts: list[str] = []
    for inner in part.parts:
        if type(inner) is not n.Quoted:
            return None
        texts.append(inner.text)
    return "".join(texts)


def _is_tilde(part: n.WordPart) -> TypeGuard[n.Literal]:
    return type(part) is n.Literal and part.text.startswith("~")


def _literal_strings(text: str, assignment: bool, at_start: bool, at_end: bool) -> Iterator[String]:
    """Compile literal text: a tilde counts at the start of the word and, in an assignment, after each colon."""
    pieces = text.split(":") if assignment else [text]
    for index, piece in enumerate(paced(pieces)):
        if index:
            yield _constant(":")
        prefix = tilde_prefix(piece) if at_start or index else None
        # The name of a user must be literal as a whole: ``~$user`` has no prefix.
        continues = prefix == piece and index == len(pieces) - 1 and not at_end
        if prefix is not None and not continues:
            yield _tilde(prefix)
            piece = piece[len(prefix) :]
        if piece:
            yield _constant(piece)


def _constant(text: str) -> String:
    return lambda ctx: text


def _tilde(prefix: str) -> String:
    return lambda ctx: expand_tilde(ctx, prefix)


def _joined(strings: list[String]) -> String:
    if not strings:
        return lambda ctx: ""
    if len(strings) == 1:
        return strings[0]
    if len(strings) == 2:
        first, second = strings

        def both(ctx: Ctx) -> str:
            text = first(ctx) + second(ctx)
            return text if len(text) < LARGE else bounded(ctx, text)

        return both
    few = len(strings) <= FEW

    def joined(ctx: Ctx) -> str:
        text = "".join([s(ctx) for s in strings]) if few else gathered(ctx, (s(ctx) for s in strings))
        return text if len(text) < LARGE else bounded(ctx, text)

    return joined


def _may_span_bracket(word: n.Word) -> bool:
    """Return whether a pattern may extend over several parts (``[\\[a]``)."""
    if len(word.parts) < 2:
        return False
    texts = [part.text for part in word.parts if type(part) is n.Literal]
    return any("[" in text or "(" in text for text in texts)


def _has_tilde(word: n.Word) -> bool:
    return any("~" in part.text for part in word.parts if type(part) is n.Literal)


def _are_many(word: n.Word, count: int) -> bool:
    """Return whether the words of braces are too many, or too long together, to be created in advance."""
    if count > _BRACES_AT_ONCE:
        return True
    return count > 1 and count * (word.end - word.pos) > _TEXT_AT_ONCE


_ASSIGNMENT_LIKE = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_TILDES = lazy_pattern(r"(?<=[=:])(~[^/:]*)")


def _is_assignment_like(word: n.Word) -> bool:
    if not word.parts:
        return False
    first = word.parts[0]
    if type(first) is not n.Literal or "=" not in first.text:
        return False
    return _ASSIGNMENT_LIKE.match(first.text) is not None and _has_tilde(word)


def _tilde_or_literal(prefix: str) -> Emit:
    def emit(ctx: Ctx, builder: FieldBuilder) -> None:
        if "posix" in ctx.shopts:
            builder.literal(prefix)
        else:
            builder.quoted(expand_tilde(ctx, prefix))

    return emit


def _may_be_list(node: n.Parameter) -> bool:
    """Return whether an expansion in double quotes may be more or less than one field."""
    if node.length:
        return False
    if node.indirect or node.name == "@" or node.op in ("names@", "keys"):
        return True
    if node.index is not None and node.index.kind == "@":
        return True
    if node.word is None or node.op.lstrip(":") not in ("-", "+", "=", "?"):
        return False
    return _hold_lists(node.word.parts)


def _hold_lists(parts: Sequence[n.WordPart]) -> bool:
    """Return whether one of these parts, or a part of double quotes in them, may be more or less than one field."""
    for part in parts:
        if type(part) is n.Parameter:
            if _may_be_list(part):
                return True
        elif type(part) is n.DoubleQuoted and _hold_lists(part.parts):
            return True
    return False


def _adds_to_one_field(part: n.WordPart) -> bool:
    """Return whether a part neither ends the field that it is in nor is a pattern."""
    match part:
        case n.Quoted():
            return True
        case n.Literal():
            return not has_magic(part.text, True)
        case n.DoubleQuoted():
            return not _hold_lists(part.parts)
    return False
