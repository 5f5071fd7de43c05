"""Parameter expansion (POSIX XCU 2.6.2, bash "Shell Parameter Expansion").

A parameter is *fetched* (``None`` unset, text, or a list), an operator is applied, and the result is *emitted* into
fields or joined to one string.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..regexes import lazy_pattern
from ..state import variables
from ..state.failure import ExpansionError, fatal_status, unbound
from ..state.references import check_name, is_name, split_reference
from ..state.splitting import join_separator
from ..syntax import nodes as n
from ..text import encode
from .fields import no_text
from .special import special_parameter
from .subscripts import base, read_element

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx
    from .fields import FieldBuilder
    from .operators import Apply
    from .words import Emit, String, WordCompiler

Fetched = str | list[str] | None
Fetch = Callable[["Ctx"], Fetched]


_TRANSFORMED = lazy_pattern(r"((?:[A-Za-z_]\w*(?:\[[^\]]*\])?|[0-9]+|[*@]))@", re.ASCII)


# Operators that change a list, by their first character: in an assignment bash joins the result with the first
# character of IFS (with a space if IFS is empty), but $@ itself with spaces. For some this is so only in double quotes.
_CHANGES = frozenset(("#", "%", "@", "names@"))
_CHANGES_QUOTED = _CHANGES | frozenset(("/", "^", ",", "~", "keys", "slice"))


class Star(list[str]):
    """The fields of ``$*`` and ``${a[*]}``, which are joined with the first character of IFS."""

    __slots__ = ()


def join_list(ctx: Ctx, items: list[str]) -> str:
    """Return a list as one text."""
    if isinstance(items, Star):
        return join_separator(variables.get(ctx, "IFS")).join(items)
    return " ".join(items)


def _check_set(ctx: Ctx, node: n.Parameter, value: Fetched, element: bool) -> None:
    """Raise the error of ``set -u`` for the length of an unset parameter, or of an array without elements."""
    if value is None and not element:
        raise _unbound(ctx, node)
    binding = base(ctx, node.name)[1]
    if value is None:
        unset = not variables.is_array(binding)
    else:
        unset = node.index is not None and not _has_value(binding)
    if unset:
        raise ExpansionError(f"{node.name}: unbound variable")


def _has_value(binding: str | variables.Var | None) -> bool:
    if isinstance(binding, variables.Var):
        return binding.dynamic or binding.value is not None
    return binding is not None


class ParameterCompiler:
    """Compiles parameter nodes to closures."""

    def __init__(self, words: WordCompiler) -> None:
        self.words = words

    # --- fetching ------------------------------------------------------------------------------------

    def fetch(self, node: n.Parameter) -> Fetch:
        """Compile the read of a parameter, before any operator."""
        if node.op in ("names*", "names@"):
            prefix = node.name if node.index is None else node.name + "["  # so that it matches no name
            return lambda ctx: _listed(node.op[-1], _declared_names(ctx, prefix))
        if node.op == "keys":
            assert node.index is not None
            kind = node.index.kind
            return lambda ctx: _listed(kind, variables.keys(base(ctx, node.name)[1], ctx))
        direct = self._direct(node.name, node.index)
        if not node.indirect:
            return direct
        return self._indirect(node, direct)

    def _direct(self, name: str, index: n.Subscript | None) -> Fetch:
        if index is not None:
            return self._element(name, index)
        special = special_parameter(name)
        if special is not None:
            return special
        return lambda ctx: variables.get(ctx, name)

    def _element(self, name: str, index: n.Subscript) -> Fetch:
        if index.kind:
            kind = index.kind
            return lambda ctx: _listed(kind, variables.elements(base(ctx, name)[1], ctx))
        if not index.word.parts:
            return _bad(f"{name}[]")
        key = self.words.arith.subscript(index)

        def one(ctx: Ctx) -> Fetched:
            real, binding = base(ctx, name)
            at = key(ctx, binding)
            if at == "":
                variables.bad_subscript(ctx, name)
            return read_element(ctx, binding, real, at)

        return one

    def _indirect(self, node: n.Parameter, direct: Fetch) -> Fetch:
        name = node.name

        def run(ctx: Ctx) -> Fetched:
            binding = ctx.vars.get(name)
            # A nameref inverts the meaning of ``!`` (bash manual 3.5.3).
            if variables.is_nameref(binding) and node.index is None:
                if binding.value is None:
                    raise ExpansionError(f"{name}: invalid indirect expansion")
                return str(binding.value)  # ${!ref} of a nameref is the name of its target
            target = direct(ctx)
            if target == [] and name in "@*":
                target = None  # without arguments it is unset, but an array without elements names ""
            if isinstance(target, list):
                target = " ".join(target)
            if target is not None:
                return fetch_named(ctx, target)
            if isinstance(binding, variables.Var) or special_parameter(name) is not None:
                return None
            raise ExpansionError(f"{name}: invalid indirect expansion")

        return run

    # --- results -------------------------------------------------------------------------------------

    def value(self, node: n.Parameter, assignment: bool = False, quoted: bool = False) -> Fetch:
        """Compile the read of a parameter and its operator."""
        if node.op == "bad":
            return self._bad_transformation(node.name)
        fetch = self.fetch(node)
        if node.length:
            return self._length(node, fetch)
        if not node.op or node.op in ("names*", "names@", "keys"):
            return self._checked(node, fetch)
        if node.op.lstrip(":") in ("-", "=", "+", "?"):
            return self._default(node, fetch, assignment, quoted)
        from .operators import OPERATORS

        apply: Apply = OPERATORS[node.op](self, node)
        idle = _unchanged_values(node)

        def run(ctx: Ctx) -> Fetched:
            value = fetch(ctx)
            if value is None and ctx.nounset:
                raise _unbound(ctx, node)
            if value in idle:
                return value
            return apply(ctx, value)

        return run

    def _bad_transformation(self, text: str) -> Fetch:
        """Compile a bad substitution. bash checks the letter of ``${x@…}`` only if x is set; then it is fatal."""
        match = _TRANSFORMED.match(text)
        if match is None:
            return _bad(text)
        name = match.group(1)
        letter = text[match.end() : match.end() + 1]

        def run(ctx: Ctx) -> Fetched:
            value = fetch_named(ctx, name)
            if value == []:
                return value
            if value is None and letter not in ("a", "A"):
                return None
            raise ExpansionError(f"${{{text}}}: bad substitution", fatal=True, status=fatal_status(ctx))

        return run

    def _checked(self, node: n.Parameter, fetch: Fetch) -> Fetch:
        if node.name in ("@", "*", "#", "?", "$", "-") and node.index is None:
            return fetch

        def run(ctx: Ctx) -> Fetched:
            value = fetch(ctx)
            if value is None and ctx.nounset:
                raise _unbound(ctx, node)
            return value

        return run

    def _length(self, node: n.Parameter, fetch: Fetch) -> Fetch:
        index = node.index
        whole = index is None and not node.indirect
        element = index is not None and not index.kind and not node.indirect
        if element:
            fetch = self._measured(node)

        def run(ctx: Ctx) -> Fetched:
            if whole and variables.means_element(ctx, node.name):
                return "0"
            value: Fetched = None
            if not element or ctx.vars.get(node.name) is not None:
                value = fetch(ctx)
            if isinstance(value, str):
                if not value.isascii() and variables.counts_bytes(ctx):
                    return str(len(encode(value)))
                return str(len(value))
            if not value and ctx.nounset:
                _check_set(ctx, node, value, element)
            return "0" if value is None else str(len(value))

        return run

    def _measured(self, node: n.Parameter) -> Fetch:
        """Compile the read of an element for its length: an invalid subscript is an error with its source (bash)."""
        from ..syntax.printer import print_word

        assert node.index is not None
        name, shown = node.name, print_word(node.index.word)
        key = self.words.arith.subscript(node.index)

        def run(ctx: Ctx) -> Fetched:
            real, binding = base(ctx, name)
            at = key(ctx, binding)
            if isinstance(at, str):
                wrong = not at and variables.is_array(binding) and binding.value is not None
            elif variables.is_array(binding):
                wrong = at + variables.array_size(binding) < 0
            else:
                wrong = at < 0
            if wrong:
                raise ExpansionError(f"{shown}]: bad array subscript")
            return read_element(ctx, binding, real, at)

        return run

    def _default(self, node: n.Parameter, fetch: Fetch, assignment: bool, quoted: bool) -> Fetch:
        """Compile ``- = + ?`` for a result of one text (see ``emit`` for fields)."""
        word: String = no_text
        if node.word is not None:
            word = self.words.string(node.word, assignment=assignment, quoted=quoted)
        missing = _missing_test(node)
        kind = node.op.lstrip(":")

        def run(ctx: Ctx) -> Fetched:
            value = fetch(ctx)
            absent = missing(ctx, value)
            if kind == "+":
                return "" if absent else word(ctx)
            if not absent:
                return value
            if kind == "-":
                return word(ctx)
            if kind == "=":
                return self._assign_default(ctx, node, word(ctx))
            ctx.status = 1  # for a $? in the word (bash)
            raise _error_if_unset(ctx, node, word(ctx))

        return run

    def _assign_default(self, ctx: Ctx, node: n.Parameter, text: str) -> str:
        name = node.name
        if node.indirect:
            return _assign_indirect(ctx, self._direct(name, node.index)(ctx), text)
        if not is_name(name):
            raise ExpansionError(f"${node.name}: cannot assign in this way")
        if node.index is None:
            variables.assign(ctx, name, text)
            return variables.get(ctx, name) or ""  # after conversion by its attributes
        real, binding = base(ctx, name)
        variables.set_element(ctx, real, self.words.arith.subscript(node.index)(ctx, binding), text)
        return text

    # --- into fields and strings -----------------------------------------------------------------------

    def string(self, node: n.Parameter, assignment: bool = False, quoted: bool = False) -> String:
        """Compile to one text."""
        # ``"$x"`` is by far the most frequent expansion, so it has a path of its own.
        if is_plain_variable(node):
            return _simple_string(node)
        value = self.value(node, assignment, quoted)
        kind = node.op if node.op in ("keys", "slice", "names@") else node.op[:1]
        changes = _CHANGES_QUOTED if quoted else _CHANGES
        by_ifs = assignment and kind in changes

        def run(ctx: Ctx) -> str:
            got = value(ctx)
            if isinstance(got, str):
                return got
            if got is None:
                return ""
            if by_ifs and got.__class__ is list:
                separator = join_separator(variables.get(ctx, "IFS")) or " "
                return separator.join(got)
            return join_list(ctx, got)

        return run

    def emit(self, node: n.Parameter, quoted: bool) -> Emit:
        """Compile to fields."""
        if node.op.lstrip(":") in ("-", "+") and not node.length and node.op:
            return self._emit_default(node, quoted)
        value = self.value(node)
        joins = {"names*": "", "keys": " "}.get(node.op)

        def run(ctx: Ctx, builder: FieldBuilder) -> None:
            got = value(ctx)
            if got.__class__ is not str:
                _place(ctx, builder, got, quoted, joins)
            elif quoted:
                builder.quoted(got)
            else:
                builder.value(got)

        return run

    def _emit_default(self, node: n.Parameter, quoted: bool) -> Emit:
        """Compile ``${x-word}`` and ``${x+word}``: the quoting of the word decides on field splitting."""
        fetch = self.fetch(node)
        missing = _missing_test(node, quoted)
        plus = node.op.endswith("+")
        word: list[Emit] = []
        if node.word is not None:
            word = self.words.emitters(node.word, quoted, splits=True)

        def run(ctx: Ctx, builder: FieldBuilder) -> None:
            value = fetch(ctx)
            absent = missing(ctx, value)
            if absent != plus:  # the word replaces the value
                for add in word:
                    add(ctx, builder)
                if quoted:
                    builder.quoted("")  # at least one field, even for a $@ without arguments
            elif not plus:
                _place(ctx, builder, value, quoted)
            elif quoted:
                if value == [] and not isinstance(value, Star):
                    builder.vanished = True  # "${@+word}" without arguments adds zero fields, like "$@"
                else:
                    builder.quoted("")

        return run

    def escaped_default(self, node: n.Parameter, escape: Callable[[str], str]) -> String:
        """Compile ``${x-word}`` in a pattern: the quoted parts of the word are escaped, the value is not."""
        fetch = self.fetch(node)
        missing = _missing_test(node)
        plus = node.op.endswith("+")
        assert node.word is not None
        parts = [self.words._escaped(p, escape) for p in node.word.parts]

        def run(ctx: Ctx) -> str:
            value = fetch(ctx)
            if missing(ctx, value) != plus:
                return "".join([p(ctx) for p in parts])
            if plus or value is None:
                return ""
            return value if isinstance(value, str) else join_list(ctx, value)

        return run


def _unchanged_values(node: n.Parameter) -> tuple[Fetched, ...]:
    """Return the values that stay as they are: bash does not expand the operand for them."""
    if node.op == "@":
        return ()
    if node.op == "slice" and node.index is None:
        return (None,)  # a slice of the arguments includes $0, so that [] is not empty
    if node.op[0] in "#%":
        return "", None, []
    return None, []


def is_bare(node: n.Parameter) -> bool:
    """Return whether a node is a parameter without operator, subscript, length and indirection: ``$x``."""
    return not (node.op or node.index is not None or node.length or node.indirect)


def is_plain_variable(node: n.Parameter) -> bool:
    """Return whether a node is ``$name`` with the name of a variable."""
    return is_bare(node) and special_parameter(node.name) is None


def _simple_string(node: n.Parameter) -> String:
    name = node.name

    def run(ctx: Ctx) -> str:
        value = ctx.vars.get(name)
        if value.__class__ is str:
            return value
        got = variables.get(ctx, name)
        if got is None and ctx.nounset:
            raise _unbound(ctx, node)
        return got or ""

    return run


def _missing_test(node: n.Parameter, quoted: bool = True) -> Callable[[Ctx, Fetched], bool]:
    """Return a test for a missing value: unset, or with a colon also empty. ``$*`` is tested as its joined text."""
    if not node.op.startswith(":"):
        return lambda ctx, value: value is None or value == []
    whole = quoted and not node.indirect
    indirect = node.indirect

    def missing(ctx: Ctx, value: Fetched) -> bool:
        if not value:
            return True
        if whole and isinstance(value, Star):
            return not join_list(ctx, value)
        return not indirect and value == [""]

    return missing


def _place(ctx: Ctx, builder: FieldBuilder, got: Fetched, quoted: bool, joins: str | None = None) -> None:
    """Add a value to the fields; ``joins`` is the separator of a list's items if IFS is empty (bash)."""
    if got is None:
        if quoted:
            builder.quoted("")
    elif isinstance(got, str):
        if quoted:
            builder.quoted(got)
        else:
            builder.value(got)
    elif not quoted:
        if joins is not None and not builder.ifs and isinstance(got, Star):
            builder.value(joins.join(got))
        else:
            builder.value_list(got)
    elif isinstance(got, Star):
        builder.quoted(join_list(ctx, got))
    else:
        builder.quoted_list(got)


def _unbound(ctx: Ctx, node: n.Parameter) -> ExpansionError:
    name = node.name
    is_special = name.isdecimal() or name == "!"
    if is_special and not node.braced:
        name = f"${name}"
    if node.index is not None:
        name = f"{name}[{node.index.word.literal() or node.index.kind}]"
    return unbound(ctx, name)


def _error_if_unset(ctx: Ctx, node: n.Parameter, text: str) -> ExpansionError:
    has_word = node.word is not None and bool(node.word.parts)
    if not text and not has_word:
        text = "parameter null or not set" if node.op == ":?" else "parameter not set"
    return ExpansionError(f"{node.name}: {text}", fatal=True, status=fatal_status(ctx))


def _bad(text: str) -> Fetch:
    def run(ctx: Ctx) -> Fetched:
        raise ExpansionError(f"${{{text}}}: bad substitution")

    return run


def _assign_indirect(ctx: Ctx, target: Fetched, text: str) -> str:
    if isinstance(target, list):
        name = " ".join(target)
    else:
        name = target or ""
    check_name(name)
    variables.assign_reference(ctx, name, text)
    return text


def _declared_names(ctx: Ctx, prefix: str) -> list[str]:
    return sorted(name for name in ctx.vars if name.startswith(prefix) and variables.is_declared(ctx, name))


def _listed(kind: str, items: list[str]) -> list[str]:
    """Return the items as a ``Star`` for ``*``, or as they are for ``@``."""
    return Star(items) if kind == "*" else items


def fetch_named(ctx: Ctx, text: str) -> Fetched:
    """Return the value of the parameter that a text names: ``x``, ``1``, ``@``, ``a[1]``, ``a[@]`` (``${!x}``).

    Raises ``ExpansionError`` for an invalid name. Also used by ``[[ -v ]]``.
    """
    special = special_parameter(text)
    if special is not None:
        return special(ctx)
    reference = split_reference(text)
    if reference is None:
        raise ExpansionError(f"{text}: invalid variable name")
    name, subscript = reference
    if subscript is None:
        return variables.get(ctx, name)
    if subscript in ("@", "*"):
        return _listed(subscript, variables.elements(ctx.vars.get(name), ctx))
    return variables.get_element(ctx, name, subscript)
