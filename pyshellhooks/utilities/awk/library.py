"""Built-in functions (POSIX XCU awk, "Functions"; gawk manual 9.1): arrays and types, time, files and commands."""

from __future__ import annotations

import time
from collections.abc import Callable

from . import nodes as n
from .channels import status_of
from .evaluation import Frame, Getter, optional
from .formatting import to_integer
from .number_functions import BITS, NumberFunctions
from .ordering import Compare, sort_into
from .runtime import DATE_FORMAT
from .values import UNSET, Array, AwkError, NoField, StrNum, TypedRegex, Value

_TEXTS = frozenset(("gensub", "sprintf", "strftime", "substr", "tolower", "toupper", "typeof"))
_TEXTS |= {"bindtextdomain", "dcgettext", "dcngettext"}


def _nothing(f: Frame) -> bytes:
    return b""


def _never(f: Frame) -> bool:
    return False


class Library(NumberFunctions):
    """Compiler of calls of built-in functions: one method for each function, ``_do_NAME``."""

    compare_function: Callable[[str], Compare]

    def builtin_kind(self, name: str) -> str:
        return "text" if name in _TEXTS else "number"

    def builtin(self, node: n.Builtin) -> Getter:
        if node.name in BITS:
            return self.bits(node)
        compile_call: Callable[[n.Builtin], Getter] = getattr(self, f"_do_{node.name}")
        return compile_call(node)

    # Arrays and types

    def _do_asort(self, node: n.Builtin) -> Getter:
        return self._sorting(node, False)

    def _do_asorti(self, node: n.Builtin) -> Getter:
        return self._sorting(node, True)

    def _sorting(self, node: n.Builtin, indexes: bool) -> Getter:
        source = self.array_argument(node, 0)
        if len(node.arguments) > 1:
            target = self.filled_array(node, 1)
        else:
            target = self.filled_array(node, 0, "first argument cannot be %s without a second argument")
        how = optional(node, 2, self.text, _nothing)
        runtime = self.runtime
        return lambda f: sort_into(runtime, source(f), target(f), how(f), indexes, self.compare_function)

    def _do_isarray(self, node: n.Builtin) -> Getter:
        raw = self.raw(node.arguments[0])
        return lambda f: 1.0 if isinstance(raw(f), Array) else 0.0

    def _do_typeof(self, node: n.Builtin) -> Getter:
        argument = node.arguments[0]
        raw = self.raw(argument)
        names = {float: b"number", bytes: b"string", StrNum: b"strnum", TypedRegex: b"regexp", NoField: b"unassigned"}

        def typeof(f: Frame) -> bytes:
            found = raw(f)
            if isinstance(found, Array):
                return b"array"
            return names.get(found.__class__, b"untyped")

        return typeof

    def _do_mkbool(self, node: n.Builtin) -> Getter:
        test = self.test(node.arguments[0])
        return lambda f: 1.0 if test(f) else 0.0

    # Translations: the texts stay as they are

    def _do_dcgettext(self, node: n.Builtin) -> Getter:
        texts = [self.text(argument) for argument in node.arguments]
        return lambda f: [text(f) for text in texts][0]

    _do_bindtextdomain = _do_dcgettext

    def _do_dcngettext(self, node: n.Builtin) -> Getter:
        one, many, count = self.text(node.arguments[0]), self.text(node.arguments[1]), self.number(node.arguments[2])
        rest = [self.text(argument) for argument in node.arguments[3:]]

        def plural(f: Frame) -> bytes:
            texts, number, _ = (one(f), many(f)), count(f), [text(f) for text in rest]
            return texts[to_integer(number) != 1]

        return plural

    # Time, files and commands

    def _zone(self, utc: bool) -> str | None:
        if utc:
            return "UTC0"
        found: Value = UNSET
        if self.runtime.environ_used:
            found = self.runtime.array("ENVIRON").get(b"TZ", UNSET)
        if found is UNSET:
            return self.runtime.call.zone
        return self.runtime.convert(found).decode("utf-8", "replace")

    def _do_systime(self, node: n.Builtin) -> Getter:
        return lambda f: float(int(time.time()))

    def _do_strftime(self, node: n.Builtin) -> Getter:
        from .moments import strftime  # imports datetime, which most programs do not need

        runtime = self.runtime
        form = optional(node, 0, self.text, None)
        moment = optional(node, 1, self.number, None)
        utc = optional(node, 2, self.test, _never)

        def formatted(f: Frame) -> bytes:
            if form is None:
                text = runtime.convert(runtime.array("PROCINFO").get(b"strftime", DATE_FORMAT))
            else:
                text = form(f)
            return strftime(text, None if moment is None else moment(f), self._zone(utc(f)))

        return formatted

    def _do_mktime(self, node: n.Builtin) -> Getter:
        from .moments import mktime

        text = self.text(node.arguments[0])
        utc = optional(node, 1, self.test, _never)
        return lambda f: mktime(text(f), self._zone(utc(f)))

    def _do_close(self, node: n.Builtin) -> Getter:
        name, runtime = self.text(node.arguments[0]), self.runtime
        if len(node.arguments) == 1:
            return lambda f: runtime.channels.close(name(f))
        end = self.text(node.arguments[1])

        def close_end(f: Frame) -> float:
            wanted, which = name(f), end(f).decode("utf-8", "replace").lower()
            if which not in ("to", "from"):
                raise AwkError("close: second argument must be `to' or `from'")
            return runtime.channels.close(wanted, which)

        return close_end

    def _do_fflush(self, node: n.Builtin) -> Getter:
        runtime, where = self.runtime, node.where
        name = optional(node, 0, self.text, _nothing)

        def flush(f: Frame) -> float:
            wanted = name(f)
            if wanted:
                problem = runtime.channels.flush(wanted)
            else:
                problem = runtime.channels.flush_all()
            if problem:
                self.warn(where, problem)
            return -1.0 if problem else 0.0

        return flush

    def _do_system(self, node: n.Builtin) -> Getter:
        command, runtime = self.text(node.arguments[0]), self.runtime
        if runtime.call.opts.sandbox:
            raise AwkError("'system' function not allowed in sandbox mode", node.where)

        def system(f: Frame) -> float:
            text = command(f).decode("utf-8", "surrogateescape")
            return status_of(runtime.channels.start(text))

        return system
