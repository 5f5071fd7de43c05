"""Syntax tree of a jq program: nodes, patterns, imports."""

from __future__ import annotations

from collections.abc import Iterator


class Node:
    r"""One construct. ``parts`` are the expressions in it, ``value`` holds the rest.

    ============ ============================================ =============================================
    kind         parts                                        value
    ============ ============================================ =============================================
    identity
    recurse      (``..``)
    literal                                                   str, bool, None, or Number for its text
    string       text, expression, text ... text              name of the format, "text" without one
    format                                                    name
    index        term, key                                    True with ``?``
    slice        term, from, to (None where absent)           True with ``?``
    each         term                                         True with ``?``
    array        the query, if any
    object       key, value, key, value ...                   (value None: of ``{"x\(1)"}``, the field of that key)
    negate       term
    pipe, comma  left, right
    binary       left, right                                  operator
    if           condition, then, else (None where absent)
    try          body, handler (None where absent)
    reduce       source, initial, update                      patterns
    foreach      source, initial, update, extract (or None)   patterns
    bind         source, body                                 patterns
    label        body                                         name
    break                                                     name
    call         arguments                                    name
    variable                                                  name
    location     (``$__loc__``)                               line, from 1
    def          the function's body, rest                    (name, parameters); a ``$x`` keeps its dollar
    ============ ============================================ =============================================

    - Names of variables and labels include the dollar: ``"$x"``, ``"$lib::x"``. Names of functions may have a prefix.
    - ``string``: the texts are literals at even indexes, so ``"\("a")"`` has three parts.
    - ``patterns`` is a tuple of ``Pattern``; ``?//`` separates several.
    - In ``Program.definitions`` the rest of a ``def`` is None.

    These may be chains of thousands, so no code may recurse along them: ``pipe`` on the right, ``comma``
    on the left, ``binary`` on the left (on the right for ``//``), ``if`` in its else (``elif``), ``index``, ``slice``,
    ``each`` and ``try`` without handler in their first part, ``def``, ``bind`` and ``label`` in their last. All other
    nesting is limited by Python's stack (``Stop``), to some 200 levels.
    """

    __slots__ = ("at", "kind", "parts", "value")

    def __init__(self, kind: str, parts: tuple[Node | None, ...] = (), value: object = None, at: int = -1) -> None:
        self.kind = kind
        self.parts = parts
        self.value = value
        self.at = at  # the position of a call, a variable or a break, in bytes of the program's UTF-8

    def walk(self) -> Iterator[Node]:
        """Yield this node and all its descendants, including those in patterns."""
        pending: list[Node] = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(part for part in node.parts if part is not None)
            if node.kind in ("reduce", "foreach", "bind"):
                pending.extend(pattern_keys(node.value))

    def __repr__(self) -> str:
        return f"{self.kind}({self.value!r}, {self.parts!r})"


class Pattern:
    """A destructuring pattern of ``as``.

    ======== =============================== ===================================================
    kind     contents                        example
    ======== =============================== ===================================================
    variable ``name``                        ``$x``
    array    ``elements``, patterns          ``[$a, [$b]]``
    object   ``entries``, tuples of three:   ``{a: $x, "b": [$y], (e): $z, $v, $w: [$u]}``
             key (a Node), the variable that
             gets the whole value or None,
             the pattern or None
    ======== =============================== ===================================================
    """

    __slots__ = ("elements", "entries", "kind", "name")

    def __init__(
        self,
        kind: str,
        name: str = "",
        elements: tuple[Pattern, ...] = (),
        entries: tuple[tuple[Node, str | None, Pattern | None], ...] = (),
    ) -> None:
        self.kind = kind
        self.name = name
        self.elements = elements
        self.entries = entries

    def _walk(self) -> Iterator[Pattern]:
        pending = [self]
        while pending:
            pattern = pending.pop()
            yield pattern
            inner = pattern.elements or [entry[2] for entry in pattern.entries]
            pending.extend(part for part in reversed(inner) if part is not None)

    @property
    def names(self) -> list[str]:
        """The variables that it binds; a name may occur twice."""
        result = []
        for pattern in self._walk():
            if pattern.kind == "variable":
                result.append(pattern.name)
            result.extend(name for _, name, _ in pattern.entries if name is not None)
        return result

    @property
    def keys(self) -> list[Node]:
        """The key expressions."""
        return [key for pattern in self._walk() for key, _, _ in pattern.entries]


def pattern_keys(patterns: object) -> list[Node]:
    """Return the key expressions of the patterns of a bind, reduce or foreach."""
    assert isinstance(patterns, tuple)
    return [key for pattern in patterns for key in pattern.keys]


class Import:
    """``import "path" as name;``, ``import "path" as $name;`` (``is_data``) or ``include "path";`` (``name`` is None).

    ``meta`` is the metadata object, {} without one; ``name`` has no dollar.
    """

    __slots__ = ("is_data", "meta", "name", "path")

    def __init__(self, path: str, name: str | None, is_data: bool, meta: dict[str, object]) -> None:
        self.path = path
        self.name = name
        self.is_data = is_data
        self.meta = meta


class Program:
    """A main program or a module.

    ``meta`` is the object of ``module``, None without it. ``definitions`` are ``def`` nodes without rest, of a text
    without a main expression; ``body`` is the main expression, including its own definitions, or None.
    """

    __slots__ = ("body", "definitions", "imports", "meta")

    def __init__(
        self,
        meta: dict[str, object] | None,
        imports: tuple[Import, ...],
        definitions: tuple[Node, ...],
        body: Node | None,
    ) -> None:
        self.meta = meta
        self.imports = imports
        self.definitions = definitions
        self.body = body
