"""Assignments: before a command, alone, and as arguments of declaration builtins."""

from __future__ import annotations

from collections.abc import Callable, Sized
from itertools import zip_longest

from ..errors import Stop
from ..expand.braces import may_expand
from ..expand.subscripts import base
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.failure import ExpansionError
from ..syntax import nodes as n
from ..syntax.printer import print_word
from ..text import paced
from .compile import WORDS

String = Callable[[Ctx], str]


class Element:
    """One expanded item of an array literal: its fields, or ``[key]=value``. ``key`` is not evaluated yet.

    ``spread``: the fields of ``[key]=a{b,c}`` in an indexed array. Braces are expanded first there, and the resulting
    words are plain values such as ``[key]=ab``.
    """

    __slots__ = ("append", "fields", "key", "source", "spread")

    def __init__(
        self,
        key: str | None,
        append: bool,
        fields: list[str],
        spread: list[str] | None = None,
        source: str = "",
    ) -> None:
        self.source = source  # the subscript as it is written
        self.spread = spread
        self.key = key
        self.append = append
        self.fields = fields

    def words(self) -> list[str]:
        """Return the item as plain words."""
        if self.key is None:
            return self.fields
        return [f"[{self.key}]{'+' * self.append}={self.fields[0]}"]


class AssignArgument(str):
    """An assignment as an argument of a declaration builtin: a str for messages, with its parts for the builtin."""

    append: bool
    name: str
    subscript: str | None
    value: str | list[Element]

    @classmethod
    def make(cls, name: str, subscript: str | None, append: bool, value: str | list[Element]) -> AssignArgument:
        """Make an argument from its parts."""
        shown = value if isinstance(value, str) else array_source(value)
        index = f"[{subscript}]" if subscript is not None else ""
        self = cls(f"{name}{index}{'+' * append}={shown}")
        self.name = name
        self.subscript = subscript
        self.append = append
        self.value = value
        return self


def array_source(items: list[Element]) -> str:
    """Return an array literal as text."""
    from ..syntax.quote import quote_assign

    shown = []
    for item in items:
        if item.key is not None:
            shown.append(f"[{item.key}]{'+' * item.append}={quote_assign(item.fields[0])}")
        else:
            shown.extend(map(quote_assign, paced(item.fields)))
    return "(" + " ".join(shown) + ")"


def _quoted_head(item: n.ArrayItem) -> tuple[n.WordPart, ...]:
    assert item.index is not None
    opened = n.Quoted("[", "'", item.pos, item.pos)
    closed = n.Quoted("]+=" if item.append else "]=", "'", item.pos, item.pos)
    return (opened, *item.index.word.parts, closed)


def compile_elements(literal: n.ArrayLiteral) -> Callable[[Ctx, bool], list[Element]]:
    """Compile ``( … )``. Words are split and globbed, but not in ``[key]=word`` or an associative array (bash)."""
    plan: list[tuple[String | None, bool, Callable[[Ctx], list[str]], Callable[[Ctx], list[str]] | None, str]] = []
    whole: list[String | None] = []  # the words as keys and values
    for item in literal.items:
        if item.index is None:
            plan.append((None, False, WORDS.words((item.word,)), None, print_word(item.word)))
            whole.append(WORDS.string(item.word, tilde=False))
            continue
        whole.append(None)
        text = WORDS.string(item.word, assignment=True)
        key = WORDS.string(item.index.word, tilde=False)
        spread = None
        if may_expand(item.word):
            spread = WORDS.words((n.Word((*_quoted_head(item), *item.word.parts), item.pos, item.end),))
        plan.append((key, item.append, lambda ctx, text=text: [text(ctx)], spread, print_word(item.index.word)))  # type: ignore[misc]

    def run(ctx: Ctx, associative: bool) -> list[Element]:
        elements: list[Element] = []
        for (key, append, fields, spread, source), text in zip(plan, whole, strict=True):
            key_text = None if key is None else key(ctx)
            texts = [text(ctx)] if associative and text is not None else fields(ctx)
            spread_texts = None if associative or spread is None else spread(ctx)
            elements.append(Element(key_text, append, texts, spread_texts, source))
        return elements

    return run


def array_target(ctx: Ctx, name: str) -> tuple[str, str | variables.Var | None]:
    """Return the array that a name refers to and its value.

    A nameref to an element is an error; an empty nameref stops being one.
    """
    binding = ctx.vars.get(name)
    if variables.is_nameref(binding):
        if not binding.value:
            ctx.warn(f"warning: {name}: removing nameref attribute")
            variables.writable_variable(ctx, name).nameref = False
            return name, ctx.vars.get(name)
        target, subscript = variables.find_target(ctx, name, strict=True)
        if subscript is not None:
            raise ExpansionError(f"`{target}[{subscript}]': not a valid identifier")
        return target, ctx.vars.get(target)
    return name, binding


def set_array(ctx: Ctx, name: str, items: list[Element], append: bool, associative: bool = False) -> None:
    """Assign the items of an array literal to an array, or append them."""
    name, binding = array_target(ctx, name)
    if variables.is_readonly(binding):
        raise variables.readonly_error(ctx, name)
    var = variables.make_array(ctx, name, associative or variables.is_associative(binding))
    if var.kind == "A":
        _set_associative(ctx, name, var, items, append)
    else:
        _set_indexed(ctx, name, var, items, append)  # set -a exports no arrays (bash)


def _set_indexed(ctx: Ctx, name: str, var: variables.Var, items: list[Element], append: bool) -> None:
    # Items are set one by one: a later subscript sees the effect of an earlier item (``a=([0]=3 [a[0]]=x)``).
    new: dict[int, str] = dict(var.indexed()) if append else {}
    var.value = new
    at = max(new, default=-1) + 1
    for item in items:
        texts = item.spread or item.fields
        if item.key is not None and item.spread is None:
            at = variables.position(variables.evaluated(ctx, item.key), new) if item.key else -1
            if at < 0:
                ctx.warn(f"[{item.key}]={texts[0]}: bad array subscript")
                continue
            if item.append:
                texts = [variables.appended(ctx, var, new.get(at, ""), texts[0])]
        for text in texts:
            new[at] = variables.convert(ctx, var, text)
            at += 1
        _hold(ctx, name, new)
    _grow(ctx, new)
    var.value = new


def _hold(ctx: Ctx, name: str, items: Sized) -> None:
    if len(items) > ctx.limits.array:
        raise Stop("limit", f"{name} has more than {ctx.limits.array} elements", "array")


def _grow(ctx: Ctx, items: Sized) -> None:
    if len(items) > 1000:
        ctx.run.grew(len(items) * 128)


def _set_associative(ctx: Ctx, name: str, var: variables.Var, items: list[Element], append: bool) -> None:
    new: dict[str, str] = dict(var.associative()) if append else {}
    if items and items[0].key is None:
        # bash 5.1: if the first word has no subscript, the words are alternately keys and values.
        flat = [(field, item.source) for item in items for field in item.words()]
        for (key, source), (text, _) in zip_longest(flat[::2], flat[1::2], fillvalue=("", "")):
            if key:
                new[key] = variables.convert(ctx, var, text)
            else:
                ctx.warn(f"{source}: bad array subscript")
        items = []
    for item in items:
        text = next(iter(item.fields), "")
        if item.key is None:
            ctx.warn(f"{name}: {text}: must use subscript when assigning associative array")
        elif not item.key:
            ctx.warn(f"[{item.source}]={text}: bad array subscript")
        else:
            # bash 5.2 appends only to elements that the array had before the assignment.
            if item.append and append:
                text = new.get(item.key, "") + text
            new[item.key] = variables.convert(ctx, var, text)
    _hold(ctx, name, new)
    _grow(ctx, new)
    var.value = new


def compile_assignment(node: n.Assign) -> Callable[[Ctx], None]:
    """Compile one assignment of a command without words."""
    name, append = node.name, node.append
    if isinstance(node.value, n.ArrayLiteral):
        elements = compile_elements(node.value)
        if node.index is not None:
            return _refuse_list(f"{name}[{node.index.word.literal() or '...'}]")

        def run_array(ctx: Ctx) -> None:
            binding = ctx.vars.get(name)
            if not variables.is_array(binding):
                _become_array(ctx, name)  # before its elements are expanded
            try:
                binding = base(ctx, name)[1]
                items = elements(ctx, variables.is_associative(binding))
            except ExpansionError:
                binding = ctx.vars.get(name)
                if variables.is_indexed(binding) and binding.value is None:
                    variables.writable_variable(ctx, name).value = {}
                raise
            _trace(ctx, lambda: _printed(node))
            set_array(ctx, name, items, append)

        return run_array
    value = WORDS.string(node.value, assignment=True)
    if node.index is not None:
        return _compile_element(node, value)

    def run(ctx: Ctx) -> None:
        text = value(ctx)
        if ctx.xtrace:
            _trace(ctx, lambda: f"{name}{'+' * append}={_traced(text)}")
        binding = ctx.vars.get(name)
        # The usual case: no attribute to apply, nothing to export, and too short to count against ``Limits.memory``.
        is_plain = binding.__class__ is str or binding is None
        if is_plain and not append and not ctx.allexport and len(text) < 256:
            ctx.vars[name] = text
        else:
            variables.assign(ctx, name, text, append)

    return run


def _become_array(ctx: Ctx, name: str) -> None:
    name, binding = array_target(ctx, name)
    if not (variables.is_readonly(binding) or variables.is_array(binding)):
        variables.make_array(ctx, name, False)


def _refuse_list(name: str) -> Callable[[Ctx], None]:
    def run(ctx: Ctx) -> None:
        raise ExpansionError(f"{name}: cannot assign list to array member")

    return run


def _compile_element(node: n.Assign, value: String) -> Callable[[Ctx], None]:
    assert node.index is not None
    name, append = node.name, node.append
    key_of = WORDS.arith.subscript(node.index)
    index = node.index.word
    shown = print_word(index)
    kind = node.index.kind

    def run(ctx: Ctx) -> None:
        text = value(ctx)  # before the subscript (bash)
        real, binding = array_target(ctx, name)
        if kind and not variables.is_associative(binding):
            raise ExpansionError(f"{name}[{kind}]: bad array subscript")
        if not index.parts:
            raise ExpansionError(f"{name}[]: bad array subscript")
        key = kind or key_of(ctx, binding)
        _trace(ctx, lambda: f"{name}[{print_word(index)}]{'+' * append}={_traced(text)}")
        variables.set_element(ctx, real, key, text, append, shown)

    return run


def compile_argument(node: n.Assign, associative: bool = False) -> Callable[[Ctx], AssignArgument]:
    """Compile an assignment that is an argument of ``declare`` and its kin; ``associative``: of ``declare -A``."""
    subscript = WORDS.string(node.index.word, tilde=False) if node.index is not None else None
    name, append = node.name, node.append
    value: Callable[[Ctx], str | list[Element]]
    if isinstance(node.value, n.ArrayLiteral):
        elements = compile_elements(node.value)
        value = lambda ctx: elements(ctx, associative)  # noqa: E731
    else:
        value = WORDS.string(node.value, assignment=True)

    def run(ctx: Ctx) -> AssignArgument:
        return AssignArgument.make(name, subscript(ctx) if subscript is not None else None, append, value(ctx))

    return run


def _printed(node: n.Assign) -> str:
    from ..syntax.printer.commands import CommandPrinter

    return CommandPrinter()._assign(node)


def _traced(text: str) -> str:
    from ..syntax.quote import quote_trace

    return quote_trace(text) if text else ""


def _trace(ctx: Ctx, text: Callable[[], str]) -> None:
    if ctx.xtrace:
        from .trace import trace_text

        trace_text(ctx, text())
