"""The cross-check with bashlex: where it can parse a script, its command structure must equal ours.

    python -m conformance.bashlex_check [PATH]...

bashlex is an independent port of bash's own grammar. It refuses much of what hooks use (``case``, ``[[``, ``$(( ))``,
arrays), so it judges the scripts that it can read, and this says how many those are. Both trees are brought into one
plain form: simple commands as the source text of their words with their redirections, pipelines, lists, and compound
commands by kind.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .case import Case, HookCase, ShellCase, load

Plain = tuple[Any, ...]


# -- bashlex ----------------------------------------------------------------------------------------------------------


class Theirs:
    """Bring bashlex's tree into the plain form."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = 0

    def script(self) -> Plain:
        """Parse and convert; raises whatever bashlex raises."""
        import bashlex

        found: list[Plain] = []
        for tree in bashlex.parse(self.text):
            found += self.sequence([tree])
        return tuple(found)

    def sequence(self, nodes: Sequence[Any]) -> list[Plain]:
        """Flatten lists into (command, operator behind it); the last one's ``;`` means nothing."""
        flat: list[Any] = []
        for node in nodes:
            flat += node.parts if node.kind == "list" else [node]
        found: list[Plain] = []
        for node in flat:
            if node.kind == "operator":
                found[-1] = (found[-1][0], ";" if node.op in ("\n", ";") else node.op)
            else:
                found.append((self.command(node), ";"))
        return found

    def command(self, node: Any) -> Plain:
        """Convert one command of any kind."""
        if node.kind == "command":
            words = [self.slice(p) for p in node.parts if p.kind in ("word", "assignment")]
            return ("simple", tuple(words), self.redirects(p for p in node.parts if p.kind == "redirect"))
        if node.kind == "pipeline":
            negated = sum(p.kind == "reservedword" and p.word == "!" for p in node.parts) % 2 == 1
            stages = [self.command(p) for p in node.parts if p.kind not in ("pipe", "reservedword")]
            return ("pipeline", negated, tuple(stages)) if negated or len(stages) > 1 else stages[0]
        if node.kind == "function":
            return ("function", node.name.word, self.command(node.body))
        if node.kind == "compound":
            return self.compound(node)
        raise NotComparable(node.kind)

    def compound(self, node: Any) -> Plain:
        """Convert a compound command; the redirections after it come last."""
        after = self.redirects(node.redirects)
        self.depth += 1
        try:
            return self.inside(node.list, after)
        finally:
            self.depth -= 1

    def inside(self, nodes: Sequence[Any], after: Plain) -> Plain:
        """Convert what a compound command holds."""
        first = nodes[0]
        if first.kind == "reservedword":
            body = self.sequence([p for p in nodes if p.kind != "reservedword"])
            return ({"(": "subshell", "{": "group"}[first.word], tuple(body), after)
        parts = [p for p in first.parts if p.kind != "reservedword"]
        if first.kind == "for":
            words = [self.slice(p) for p in parts if p.kind == "word"]
            body = self.sequence([p for p in parts if p.kind != "word"])
            return ("for", tuple(words), tuple(body), after)
        if first.kind in ("if", "while", "until"):
            return (first.kind, tuple(tuple(self.sequence([p])) for p in parts), after)
        raise NotComparable(first.kind)

    def slice(self, node: Any) -> str:
        """Return the source text of a word."""
        return self.text[node.pos[0] : node.pos[1]]

    def redirects(self, nodes: Iterable[Any]) -> Plain:
        """Return the operators in order."""
        found = tuple(node.type for node in nodes)
        if any(op.startswith("<<") and op != "<<<" for op in found):
            if self.depth:
                raise NotComparable("bashlex takes the body of a here-document in a compound command for commands")
            if re.search(r"\$\([^)]*<<", self.text):
                raise NotComparable(
                    "bashlex takes the body of a here-document beside one in a substitution for commands"
                )
        return found


class NotComparable(Exception):
    """A construct that the plain form has no place for."""


# -- ours -------------------------------------------------------------------------------------------------------------


class Ours:
    """Bring our tree into the plain form."""

    def __init__(self, text: str) -> None:
        self.text = text

    def script(self) -> Plain:
        """Parse and convert."""
        from pyshellhooks.syntax.parser import parse

        return tuple(self.sequence(parse(self.text)))

    def sequence(self, body: Any) -> list[Plain]:
        """Flatten a list as bashlex has it."""
        from pyshellhooks.syntax.nodes import AndOr

        found: list[Plain] = []
        for item, background in body.items:
            end = "&" if background else ";"
            if isinstance(item, AndOr):
                chain = [item.first, *(command for _, command in item.rest)]
                operators = [*(operator for operator, _ in item.rest), end]
                found += [(self.command(c), op) for c, op in zip(chain, operators, strict=True)]
            else:
                found.append((self.command(item), end))
        return found

    def command(self, node: Any) -> Plain:
        """Convert one command of any kind."""
        kind = type(node).__name__
        if kind == "Simple":
            words = sorted([*node.assigns, *node.words], key=lambda word: word.pos)
            return ("simple", tuple(self.text[w.pos : w.end] for w in words), self.redirects(node))
        if kind == "Pipeline":
            if node.timed is not None:
                raise NotComparable("time")
            return ("pipeline", node.negated, tuple(self.command(c) for c in node.commands))
        if kind == "Function":
            return ("function", node.name, self.command(node.body))
        after = self.redirects(node)
        if kind in ("Subshell", "Group"):
            return (kind.lower(), tuple(self.sequence(node.body)), after)
        if kind == "If":
            bodies = [body for clause in node.clauses for body in clause]
            bodies += [node.otherwise] if node.otherwise is not None else []
            return ("if", tuple(tuple(self.sequence(body)) for body in bodies), after)
        if kind == "While":
            halves = (node.condition, node.body)
            return ("until" if node.until else "while", tuple(tuple(self.sequence(h)) for h in halves), after)
        if kind == "For":
            words = [node.name, *(self.text[w.pos : w.end] for w in node.words or ())]
            return ("for", tuple(words), tuple(self.sequence(node.body)), after)
        raise NotComparable(kind)

    def redirects(self, node: Any) -> Plain:
        """Return the operators in order."""
        if any(redirect.variable for redirect in node.redirects):
            raise NotComparable("bashlex takes the name in {name}> for a word")
        return tuple(redirect.op for redirect in node.redirects)


# -- the comparison ---------------------------------------------------------------------------------------------------


class Tally:
    """How many scripts were judged, and the ones that differ."""

    def __init__(self) -> None:
        self.seen = 0
        self.judged = 0
        self.refused: dict[str, str] = {}
        self.differ: dict[str, str] = {}

    def summary(self) -> str:
        """Say it in one line."""
        return (
            f"bashlex cross-check: {self.judged} of {self.seen} scripts judged, {len(self.differ)} differ; "
            f"bashlex can't read {len(self.refused)}"
        )


def scripts(cases: Iterable[Case]) -> Iterator[tuple[str, str]]:
    """Yield (id, text) of every script and every hook command of the cases, and of the scripts among their files."""
    for case in cases:
        if isinstance(case, ShellCase):
            yield case.id, case.script
        elif isinstance(case, HookCase):
            for number, hook in enumerate([*case.hooks, *_configured(case)]):
                command = hook.get("command")
                if isinstance(command, str):
                    yield f"{case.id}#{number}", command
            for name, text in case.files.items():
                if name.endswith(".sh") and "\r" not in text:
                    yield f"{case.id}:{name}", text.removeprefix("\ufeff")


def _configured(case: HookCase) -> Iterator[dict[str, Any]]:
    for text in (case.config, *case.configs):
        try:
            found = json.loads(text or "{}")["hooks"]
            yield from (hook for hooks in found.values() for hook in hooks if isinstance(hook, dict))
        except (ValueError, KeyError, TypeError, AttributeError):
            continue


def compare(found: Iterable[tuple[str, str]]) -> Tally:
    """Judge every script that bashlex can parse."""
    tally = Tally()
    for name, text in found:
        tally.seen += 1
        try:
            theirs = Theirs(text).script()
        except Exception as error:  # bashlex raises many kinds, AttributeError and AssertionError among them
            tally.refused[name] = f"{type(error).__name__}: {error}"
            continue
        try:
            ours: Plain | str = Ours(text).script()
        except NotComparable as error:
            tally.refused[name] = str(error)
            continue
        except Exception as error:  # whatever it is: bashlex can parse this and we can't
            ours = f"{type(error).__name__}: {error}"
        tally.judged += 1
        if ours != theirs:
            tally.differ[name] = f"{text}\n  bashlex: {theirs}\n  ours:    {ours}"
    return tally


def main(argv: Sequence[str] | None = None) -> int:
    """Print every difference and the tally; 1 if there is a difference, or nothing was judged."""
    paths = [Path(word) for word in (sys.argv[1:] if argv is None else argv)]
    tally = compare(scripts(load(paths)))
    for name, text in tally.differ.items():
        print(f"DIFFERENT {name}: {text}")
    print(tally.summary())
    return 1 if tally.differ or not tally.judged else 0


if __name__ == "__main__":
    sys.exit(main())
