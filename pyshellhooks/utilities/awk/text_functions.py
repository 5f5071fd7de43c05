"""String functions (POSIX XCU awk, "String Functions"; gawk manual 9.1.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...patterns.case_mapping import lower, upper
from ...patterns.engines import Regex
from ...text import paced
from . import nodes as n
from .evaluation import Evaluation, Frame, Getter, optional
from .splitting import blank_separators
from .substitution import Template, general, match, substitute, template
from .values import Array, AwkError, from_input


class TextFunctions(Evaluation):
    """Compiler of calls of string functions: one method for each function, ``_do_NAME``."""

    def warn(self, where: str, message: str) -> None:
        """Write a warning to stderr."""
        self.runtime.call.error(f"{where}: warning: {message}")

    def _length_of(self, text: bytes) -> float:
        if not self.runtime.formatter.utf8:
            return float(len(text))
        characters = self.runtime.characters.of(text)
        return float(len(text if characters is None else characters))

    def _do_length(self, node: n.Builtin) -> Getter:
        runtime, length = self.runtime, self._length_of
        if not node.arguments:
            return lambda f: length(runtime.record())
        inner = node.arguments[0]
        while isinstance(inner, n.Group):
            inner = inner.inner
        if isinstance(inner, n.Name | n.Index):
            raw = self.raw(inner)
            convert = runtime.convert

            def either(f: Frame) -> float:
                found = raw(f)
                if isinstance(found, Array):
                    return float(len(found))
                return length(convert(found))

            return either
        text = self.text(inner)
        return lambda f: length(text(f))

    def raw(self, node: n.Expr) -> Getter:
        """Return the closure for the value of a name or element, which may be an array."""
        slots = self.runtime.slots
        if isinstance(node, n.Name):
            at = self.parameters.get(node.name)
            if at is not None:
                place = at
                return lambda f: f[place]
            if node.name in ("NF", "NR", "FNR", "RT"):
                return self.value(node)
            slot = self.runtime.slot(node.name)
            return lambda f: slots[slot]
        if isinstance(node, n.Index):
            array, key = self.array_of(node.base), self.key(node.subscripts)
            return lambda f: array(f)[key(f)]
        return self.value(node)

    def _do_substr(self, node: n.Builtin) -> Getter:
        text, start = self.text(node.arguments[0]), self.integer(node.arguments[1])
        count = optional(node, 2, self.integer, None)
        utf8, characters_of = self.runtime.formatter.utf8, self.runtime.characters.of

        def substr(f: Frame) -> bytes:
            subject = text(f)
            low = max(start(f), 1) - 1
            size = 1 << 62 if count is None else count(f)
            if size <= 0:
                return b""
            characters = characters_of(subject) if utf8 else None
            if characters is None:
                return subject[low : low + size]
            return characters[low : low + size].encode("utf-8", "surrogateescape")

        return substr

    def _do_index(self, node: n.Builtin) -> Getter:
        if isinstance(node.arguments[1], n.Regex):
            raise AwkError("index: regexp constant as second argument is not allowed", node.where)
        text, wanted = self.text(node.arguments[0]), self.text(node.arguments[1])
        runtime = self.runtime

        def index(f: Frame) -> float:
            subject, part = text(f), wanted(f)
            if runtime.regexes.ignore_case:
                subject, part = subject.lower(), part.lower()
            at = subject.find(part)
            if at < 0:
                return 0.0
            return self._length_of(subject[:at]) + 1.0

        return index

    def _do_tolower(self, node: n.Builtin) -> Getter:
        return self._cased(node, bytes.lower, lower)

    def _do_toupper(self, node: n.Builtin) -> Getter:
        return self._cased(node, bytes.upper, upper)

    def _cased(self, node: n.Builtin, of_bytes: Callable[[bytes], bytes], of_text: Callable[[str], str]) -> Getter:
        text, utf8 = self.text(node.arguments[0]), self.runtime.formatter.utf8

        def cased(f: Frame) -> bytes:
            subject = text(f)
            if not utf8 or subject.isascii():
                return of_bytes(subject)
            return of_text(subject.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

        return cased

    def _do_sprintf(self, node: n.Builtin) -> Getter:
        if not node.arguments:
            raise AwkError("sprintf: no arguments", node.where)
        form = self.text(node.arguments[0])
        values = [self.value(argument) for argument in node.arguments[1:]]
        make = self.runtime.formatter.format
        return lambda f: make(form(f), [value(f) for value in values])

    def _do_sub(self, node: n.Builtin) -> Getter:
        return self._substituting(node, False)

    def _do_gsub(self, node: n.Builtin) -> Getter:
        return self._substituting(node, True)

    def _substituting(self, node: n.Builtin, every: bool) -> Getter:
        """Compile ``sub`` and ``gsub``: the target is evaluated after the other arguments."""
        prepare, runtime = self._replacing(node), self.runtime
        target: n.Expr = n.Field(node.where, n.Number(node.where, 0.0))
        if len(node.arguments) > 2:
            target = node.arguments[2]
        while isinstance(target, n.Group):
            target = target.inner
        if isinstance(target, n.Field):
            index = self.integer(target.index)

            def in_field(f: Frame) -> float:
                regex, parts, plain = prepare(f)
                at = index(f)
                text, count = substitute(runtime, regex, parts, runtime.field_text(at), every=every, plain=plain)
                if count:
                    runtime.set_field(at, text)
                return float(count)

            return in_field
        if not isinstance(target, n.Name | n.Index):
            subject = self.text(target)

            def in_value(f: Frame) -> float:
                regex, parts, plain = prepare(f)
                return float(substitute(runtime, regex, parts, subject(f), every=every, plain=plain)[1])

            return in_value
        place, get, put = self.reference(target)
        convert = runtime.convert

        def substituting(f: Frame) -> float:
            regex, parts, plain = prepare(f)
            found = place(f)
            text, count = substitute(runtime, regex, parts, convert(get(f, found)), every=every, plain=plain)
            if count:
                put(f, found, text)
            return float(count)

        return substituting

    def _replacing(self, node: n.Builtin) -> Callable[[Frame], tuple[Regex, Template, bytes | None]]:
        """Return the closure for the regular expression, the replacement, and the expression's text if it is plain."""
        first, right = node.arguments[0], self.text(node.arguments[1])
        regexes = self.runtime.regexes
        fixed = self.fixed_regex(first)
        if fixed is not None:
            regex, plain = fixed, self.fixed_literal(first)
            return lambda f: (regex, template(right(f)), plain)
        pattern = self.pattern_of(first)

        def computed(f: Frame) -> tuple[Regex, Template, bytes | None]:
            wanted = pattern(f)
            parts = template(right(f))
            return regexes.get(wanted), parts, regexes.literal(wanted)

        return computed

    def _do_gensub(self, node: n.Builtin) -> Getter:
        pattern, right = self.pattern_of(node.arguments[0]), self.text(node.arguments[1])
        how = self.value(node.arguments[2])
        runtime, where = self.runtime, node.where

        def record(f: Frame) -> bytes:
            return runtime.record()

        subject = optional(node, 3, self.text, record)

        def gensub(f: Frame) -> bytes:
            return general(runtime, pattern(f), right(f), how(f), subject(f), lambda message: self.warn(where, message))

        return gensub

    def _do_match(self, node: n.Builtin) -> Getter:
        subject, pattern = self.text(node.arguments[0]), self.pattern_of(node.arguments[1])
        groups = self.optional_array(node, 2)
        runtime = self.runtime
        if groups is None:
            return lambda f: match(runtime, pattern(f), subject(f), None)
        held = groups
        return lambda f: match(runtime, pattern(f), subject(f), held(f))

    def _do_split(self, node: n.Builtin) -> Getter:
        subject, array = self.text(node.arguments[0]), self.filled_array(node, 1)
        separators = self.optional_array(node, 3)
        runtime = self.runtime
        pieces = self._splitter(node.arguments[2] if len(node.arguments) > 2 else None)

        def split(f: Frame) -> float:
            found, between, first = pieces(f, subject(f), separators is not None)
            if separators is not None:
                held = separators(f)
                held.clear()
                for number, text in enumerate(paced(between), first):
                    if text or first:  # the blanks before the first word and after the last may be empty
                        held[b"%d" % number] = text
            return self._fill(array(f), found)

        self._check_distinct(node, runtime.call.name)
        return split

    @staticmethod
    def _check_distinct(node: n.Builtin, name: str) -> None:
        if len(node.arguments) > 3:
            second, fourth = node.arguments[1], node.arguments[3]
            if isinstance(second, n.Name) and isinstance(fourth, n.Name) and second.name == fourth.name:
                raise AwkError(f"{node.name}: cannot use the same array for second and fourth args", node.where)

    def _splitter(self, node: n.Expr | None) -> Callable[[Frame, bytes, bool], tuple[list[bytes], list[bytes], int]]:
        """Return the closure that splits for ``split``.

        It returns the pieces, the separators if they are wanted, and the index of the first separator.
        """
        runtime, splitting = self.runtime, self.runtime.splitting
        literal = not isinstance(node, n.Regex)
        pattern = None if node is None else self.pattern_of(node)

        def pieces(f: Frame, text: bytes, wanted: bool) -> tuple[list[bytes], list[bytes], int]:
            # Without a separator, split uses the text of FS; paragraph mode, FIELDWIDTHS and FPAT only affect records.
            if pattern is None:
                separator = runtime.convert(runtime.slots[runtime.names["FS"]])
            else:
                separator = pattern(f)
            if not wanted:
                return splitting.by_separator(separator, literal=literal)(text), [], 1
            if separator == b" " and literal:
                return splitting.by_separator(separator)(text), blank_separators(text), 0
            if len(separator) == 1 and literal:
                found = text.split(separator) if text else []
                return found, [separator] * (len(found) - 1), 1
            if not separator:
                found = splitting.characters(text)
                return found, [b""] * (len(found) - 1), 1
            found, between = splitting.pieces(separator, text)
            return found, between, 1

        return pieces

    @staticmethod
    def _fill(array: Array, pieces: list[Any]) -> float:
        array.clear()
        array.gauge.array(len(pieces))
        array.gauge.made(len(pieces) * 160)
        for number, text in enumerate(paced(pieces), 1):
            array[b"%d" % number] = from_input(text) if text.__class__ is bytes else text
        return float(len(pieces))

    def _do_patsplit(self, node: n.Builtin) -> Getter:
        subject, array = self.text(node.arguments[0]), self.filled_array(node, 1)
        runtime = self.runtime
        if len(node.arguments) > 2:
            pattern = self.pattern_of(node.arguments[2])
        else:
            pattern = self.text(n.Name(node.where, "FPAT"))
        separators = self.optional_array(node, 3)
        self._check_distinct(node, runtime.call.name)
        where = node.where

        def patsplit(f: Frame) -> float:
            wanted = pattern(f)
            if not wanted:
                raise AwkError("patsplit: third argument must be non-null", where)
            found, between = runtime.splitting.contents(wanted, subject(f))
            if separators is not None:
                held = separators(f)
                held.clear()
                for number, text in enumerate(paced(between)):
                    held[b"%d" % number] = text
            return self._fill(array(f), found)

        return patsplit
