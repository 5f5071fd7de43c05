"""Make jq programs and JSON texts at random: all constructs, all builtins, odd values.

A program is a tree of texts, so that it can be made smaller; how it is read is jq's business, not the tree's. What is
asked for has a kind, so that most of it gets further than the first "Cannot index": ``n`` number, ``i`` small integer,
``s`` string, ``a`` array, ``o`` object, ``b`` boolean, ``z`` null, ``x`` anything, ``p`` path (array), ``r`` regular
expression, ``g`` its flags, ``t`` time, ``d`` date, ``m`` format of times, ``e`` entries, ``u`` numbers (array), ``v``
strings (array), ``w`` arrays (array), ``y`` events of a stream (array). Of arguments also ``f`` filter, ``c`` condition,
``l`` path expression and ``q`` a filter whose results are events.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from jq_ingredients import FORMATS, LEAVES, SIGNATURES, SPECIAL, STRINGS
from jq_values import Values


class Signature:
    """A builtin as it is asked for."""

    __slots__ = ("arguments", "inputs", "name", "result")

    def __init__(self, spelled: str) -> None:
        call, self.inputs, self.result = spelled.split()
        self.name, _, arguments = call.rstrip(")").partition("(")
        self.arguments = arguments.split(";") if arguments else []


def signatures() -> list[Signature]:
    """Read the table."""
    return [Signature(spelled) for line in SIGNATURES.strip().split("\n") for spelled in line.split("|")]


class Node:
    """A piece of a program: texts and smaller pieces in turn."""

    __slots__ = ("parts",)

    def __init__(self, *parts: str | Node) -> None:
        self.parts = parts

    def __str__(self) -> str:
        return "".join(map(str, self.parts))

    def children(self) -> list[Node]:
        """Return the smaller pieces."""
        return [part for part in self.parts if isinstance(part, Node)]

    def size(self) -> int:
        """Count the pieces."""
        return 1 + sum(child.size() for child in self.children())

    def smaller(self) -> Iterator[Node]:
        """Yield trees with one thing less, the smallest first."""
        yield from self.children()
        if self.children() or str(self) not in LEAVES:
            for leaf in LEAVES:
                if len(leaf) < len(str(self)):
                    yield Node(leaf)
        for place, part in enumerate(self.parts):
            if isinstance(part, Node):
                for less in part.smaller():
                    yield Node(*self.parts[:place], less, *self.parts[place + 1 :])


class Grammar(Values):
    """Makes programs and values; the same for the same seed."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self.by_result: dict[str, list[Signature]] = {}
        self.all = signatures()
        for signature in self.all:
            self.by_result.setdefault(signature.result, []).append(signature)
        self.variables: list[str] = []
        self.functions: list[tuple[str, int]] = []
        self.labels: list[str] = []
        self.dot = "x"  # the kind of ``.`` here

    def program(self, dot: str, depth: int) -> Node:
        """Make a program for inputs of a kind."""
        self.variables, self.functions, self.labels, self.dot = [], [], [], dot
        return self.expression(self.chance.choice("xxxnsaob"), depth)

    def expression(self, want: str, depth: int) -> Node:
        """Make an expression that gives a kind, most often."""
        chance = self.chance
        if chance.random() < 0.04:
            want = "x"
        if depth <= 0:
            return self._leaf(want)
        for name, weight in WEIGHTS:
            if chance.random() < weight:
                made: Node | None = getattr(self, f"_{name}")(want, depth - 1)
                if made is not None:
                    return made
        return self._builtin(want, depth - 1)

    def under(self, dot: str, want: str, depth: int) -> Node:
        """Make an expression whose input is of a kind."""
        before, self.dot = self.dot, dot
        try:
            return self.expression(want, depth)
        finally:
            self.dot = before

    def _leaf(self, want: str) -> Node:
        chance = self.chance
        if self.variables and chance.random() < 0.2:
            return Node(chance.choice(self.variables))
        if chance.random() < (0.5 if want in (self.dot, "x") else 0.15 if self.dot == "x" else 0.02):
            return Node(".")
        if want == "x":
            want = chance.choice("nsaobz")
        if want in self.leaf:
            return Node(self.leaf[want]())
        return Node(self._value(want, 2))

    def argument(self, kind: str, depth: int) -> Node:
        """Make an argument of a builtin."""
        chance = self.chance
        if kind in "fcq" and chance.random() < 0.5:
            return self.under("x", "b" if kind == "c" else "x", depth)
        if kind == "l":
            return self._path_expression(depth)
        if kind in "irgmd" and chance.random() < 0.85 or chance.random() < 0.2:
            return self._leaf(kind)
        if chance.random() < 0.06:
            return Node(self._leaf(kind), ",", self.expression(kind, depth - 1))
        return self.expression(kind if kind not in "fcq" else "x", depth)

    def _path_expression(self, depth: int) -> Node:
        if self.chance.random() < 0.6:
            return Node(self._simple_path())
        return self._access("x", depth) if self.chance.random() < 0.7 else self.expression("x", depth)

    def _builtin(self, want: str, depth: int) -> Node:
        chance = self.chance
        known = self.by_result.get(want) if want != "x" and chance.random() < 0.9 else None
        signature = chance.choice(known or self.all)
        arguments = [self.argument(kind, depth - 1) for kind in signature.arguments]
        call: list[str | Node] = [signature.name]
        for place, argument in enumerate(arguments):
            call += [";" if place else "(", argument]
        if arguments:
            call.append(")")
        made = Node(*call)
        if signature.name in ("repeat", "range", "while", "until", "recurse", "inputs"):
            made = Node(chance.choice(["[limit(4;", "limit(5;", "first(", "[limit(3;"]), made, ")")
            if made.parts[0].startswith("["):  # type: ignore[union-attr]
                made = Node(*made.parts, "]")
        if self.dot in signature.inputs and chance.random() < 0.6:
            return made
        if signature.inputs == "x" and chance.random() < 0.7:
            return made
        return Node("(", self.expression(chance.choice(signature.inputs), depth), "|", made, ")")

    def _pipe(self, want: str, depth: int) -> Node:
        middle = self.chance.choice("nsaobx")
        return Node("(", self.expression(middle, depth), "|", self.under(middle, want, depth), ")")

    def _comma(self, want: str, depth: int) -> Node:
        return Node("(", self.expression(want, depth), ",", self.expression(want, depth), ")")

    def _operation(self, want: str, depth: int) -> Node:
        chance = self.chance
        if want == "b":
            operator = chance.choice(["==", "!=", "<", "<=", ">", ">=", " and ", " or "])
            kind = chance.choice("nsaobx")
            left, right = kind, kind if chance.random() < 0.7 else "x"
        else:
            operator = chance.choice(["+", "-", "*", "/", "%", "+", "*", "//", "+"])
            left = want
            right = want if chance.random() < 0.8 else chance.choice("nsaoz")
            if want == "s" and operator == "*":
                right = "i"
        parts: list[str | Node] = [self.expression(left, depth), operator, self.expression(right, depth)]
        if operator in ("==", "!=", "<", "<=", ">", ">=") or chance.random() < 0.6:
            parts = ["(", *parts, ")"]  # comparisons do not associate
        return Node(*parts)

    def _negation(self, want: str, depth: int) -> Node | None:
        return Node("-(", self.expression("n", depth), ")") if want in "nx" else None

    def _access(self, want: str, depth: int) -> Node:
        chance = self.chance
        base: str | Node = (
            "." if chance.random() < 0.6 else Node("(", self.expression(chance.choice("aos"), depth), ")")
        )
        parts: list[str | Node] = [base]
        for _ in range(chance.choice([1, 1, 2])):
            parts += self._suffix(depth)
            if parts[0] == "." and isinstance(parts[1], str) and parts[1].startswith("."):
                parts[0] = ""
        return Node(*parts)

    def _suffix(self, depth: int) -> list[str | Node]:
        chance = self.chance
        kind = chance.randrange(10)
        if kind < 3:
            found: list[str | Node] = [chance.choice([".a", ".b", ".k", ".key", '."a b"', '.""', ".and", '."x\\(1)"'])]
        elif kind < 5:
            found = ["[", self.expression(chance.choice("isx"), depth - 1), "]"]
        elif kind < 7:
            found = ["[]"]
        else:
            low = self.expression("i", depth - 1) if chance.random() < 0.7 else ""
            high = self.expression("i", depth - 1) if not low or chance.random() < 0.7 else ""
            found = ["[", low, ":", high, "]"]
        return [*found, "?"] if chance.random() < 0.3 else found

    def _construct(self, want: str, depth: int) -> Node | None:
        chance = self.chance
        if want in ("a", "u", "v", "w", "x"):
            inner = {"u": "n", "v": "s", "w": "a"}.get(want, "x")
            parts: list[str | Node] = ["["]
            for place in range(chance.choice([1, 1, 2, 3])):
                parts += [","] if place else []
                parts.append(self.expression(inner, depth))
            return Node(*parts, "]")
        if want != "o":
            return None
        parts = ["{"]
        for place in range(chance.choice([1, 1, 2, 3])):
            parts += [","] if place else []
            parts += self._member(depth)
        return Node(*parts, "}")

    def _member(self, depth: int) -> list[str | Node]:
        chance = self.chance
        kind = chance.randrange(9)
        value = (
            Node("(", self.expression("x", depth), ")") if chance.random() < 0.5 else self._leaf(chance.choice("nsbz"))
        )
        if kind < 4:
            return [chance.choice(["a", "b", "c", "k", '"a b"', '"é"', "if", "__loc__x", '""']), ":", value]
        if kind == 4:
            return [chance.choice(["a", "k", '"a"', "$__loc__", '"x\\(1)"', '@base64 "a\\(1)"'])]
        if kind == 5 and self.variables:
            variable = chance.choice(self.variables)
            return [variable] if not variable.startswith("$__") else [variable]
        if kind == 6:
            return ["(", self.expression("s" if chance.random() < 0.8 else "x", depth - 1), "):", value]
        if kind == 7:
            return ['"', *self._inside(depth - 1), '":', value]
        return [f"@{chance.choice(FORMATS[:-1])} ", '"', *self._inside(depth - 1), '":', value]

    def _inside(self, depth: int) -> list[str | Node]:
        chance = self.chance
        parts: list[str | Node] = []
        for _ in range(chance.choice([1, 1, 2])):
            parts += [chance.choice(STRINGS), "\\(", self.expression("x", depth), ")"]
        return parts

    def _text(self, want: str, depth: int) -> Node | None:
        if want not in "sx":
            return None
        chance = self.chance
        if chance.random() < 0.4:
            form = f"@{chance.choice(FORMATS)}"
            kind = {"@csv": "u", "@tsv": "v", "@sh": "v"}.get(form, "s")
            return Node("(", self.expression(chance.choice([kind, kind, "x"]), depth), f"|{form})")
        form = f"@{chance.choice(FORMATS[:-1])} " if chance.random() < 0.4 else ""
        return Node(f'{form}"', *self._inside(depth), '"')

    def _condition(self, want: str, depth: int) -> Node:
        parts: list[str | Node] = ["if ", self.expression("b", depth), " then ", self.expression(want, depth)]
        if self.chance.random() < 0.25:
            parts += [" elif ", self.expression("b", depth), " then ", self.expression(want, depth)]
        if self.chance.random() < 0.8:
            parts += [" else ", self.expression(want, depth)]
        return Node(*parts, " end")

    def _attempt(self, want: str, depth: int) -> Node:
        kind = self.chance.randrange(6)
        inner = self.expression(want, depth)
        if kind < 2:
            return Node("(try ", inner, ")")
        if kind < 4:
            return Node("(try (", inner, ") catch ", self.under("s", "x", depth), ")")
        if kind == 4:
            return Node("(", inner, ")?")
        return Node("(try error(", inner, ") catch .)")

    def _alternative(self, want: str, depth: int) -> Node:
        return Node("(", self.expression(want, depth), "//", self.expression(want, depth), ")")

    def _fold(self, want: str, depth: int) -> Node:
        source = self.expression("x", depth)
        first = self.expression(want, depth - 1)
        pattern, names = self._pattern(depth)
        self.variables += names
        body = self.under(want, want, depth)
        if self.chance.random() < 0.5:
            made = Node("reduce (", source, f") as {pattern} (", first, ";", body, ")")
        else:
            parts: list[str | Node] = ["foreach (", source, f") as {pattern} (", first, ";", body]
            if self.chance.random() < 0.5:
                parts += [";", self.under(want, "x", depth)]
            made = Node(*parts, ")")
            if self.chance.random() < 0.5:
                made = Node("[", made, "]")
        del self.variables[len(self.variables) - len(names) :]
        return made

    def _binding(self, want: str, depth: int) -> Node:
        chance = self.chance
        pattern, names = self._pattern(depth)
        while chance.random() < 0.15:
            other, more = self._pattern(depth)
            pattern += f" ?// {other}"
            names += more
        source = self.expression(chance.choice("xnsaow"), depth)
        self.variables += names
        body = self.expression(want, depth)
        del self.variables[len(self.variables) - len(names) :]
        return Node("(", source, f" as {pattern}|", body, ")")

    def _pattern(self, depth: int) -> tuple[str, list[str]]:
        chance = self.chance
        kind = chance.random()
        name = f"${chance.choice('xyz')}"
        if kind < 0.6 or depth < 1:
            return name, [name]
        inner, names = self._pattern(depth - 2)
        if kind < 0.75:
            return f"[{name},{inner}]", [name, *names]
        if kind < 0.85:
            return f"{{a:{inner},{name}}}", [name, *names]
        if kind < 0.93:
            return f'{{("a","b"):{inner}}}', names
        return f'{{$y:{inner},"k":{name}}}', ["$y", name, *names]

    def _definition(self, want: str, depth: int) -> Node:
        chance = self.chance
        name = chance.choice(["f", "g", "map", "h"])
        filters, values = chance.choice([0, 0, 1, 2]), chance.choice([0, 0, 1])
        parameters = [f"p{n}" for n in range(filters)] + [f"$q{n}" for n in range(values)]
        chance.shuffle(parameters)
        functions, variables = self.functions[:], self.variables[:]
        self.variables += [p for p in parameters if p.startswith("$")]
        self.functions += [(p.lstrip("$"), 0) for p in parameters]
        body = self.under("x", want, depth)
        self.functions, self.variables = [*functions, (name, len(parameters))], variables
        rest = self.expression(want, depth)
        self.functions = functions
        head = f"({'; '.join(parameters)})" if parameters else ""
        return Node(f"(def {name}{head}: ", body, "; ", rest, ")")

    def _call(self, want: str, depth: int) -> Node | None:
        if not self.functions:
            return None
        name, count = self.chance.choice(self.functions)
        if not count:
            return Node(name)
        parts: list[str | Node] = [f"{name}("]
        for place in range(count):
            parts += [";"] if place else []
            parts.append(self.expression("x", depth))
        return Node(*parts, ")")

    def _label(self, want: str, depth: int) -> Node:
        name = f"$o{len(self.labels)}"
        self.labels.append(name)
        body = self.expression(want, depth)
        out = Node(body, f",break {name},", self.expression(want, depth)) if self.chance.random() < 0.5 else body
        self.labels.pop()
        return Node(f"(label {name}|", out, ")")

    def _break(self, want: str, depth: int) -> Node | None:
        if not self.labels:
            return None
        return Node("(", self.expression(want, depth), f",break {self.chance.choice(self.labels)})")

    def _assignment(self, want: str, depth: int) -> Node | None:
        if want not in "aox":
            return None
        operator = self.chance.choice(["=", "|=", "+=", "-=", "*=", "/=", "%=", "//=", "|=", "|="])
        target = self._path_expression(depth)
        made = Node("(", target, ")", operator, "(", self.under("x", "x", depth), ")")
        if self.dot in "xao" and self.chance.random() < 0.6:
            return Node("(", made, ")")
        return Node("(", self.expression(self.chance.choice("ao"), depth), "|", made, ")")

    def _leaf_too(self, want: str, depth: int) -> Node:
        return self._leaf(want)

    def _special(self, want: str, depth: int) -> Node:
        return Node(self.chance.choice(SPECIAL))


# One after the other, each with a chance; what is left becomes a call of a builtin.
WEIGHTS: Sequence[tuple[str, float]] = [
    ("leaf_too", 0.08), ("special", 0.02), ("pipe", 0.12), ("comma", 0.05), ("operation", 0.13), ("negation", 0.02), ("access", 0.12),
    ("construct", 0.12), ("text", 0.09), ("condition", 0.05), ("attempt", 0.08), ("alternative", 0.04), ("fold", 0.06), ("binding", 0.06),
    ("definition", 0.05), ("call", 0.1), ("label", 0.03), ("break", 0.15), ("assignment", 0.1),
]  # fmt: skip
