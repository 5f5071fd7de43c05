"""Write the tables of jq's parser from its grammar: ``python -m tests.generators.jq_tables``.

jq's own parser is an LALR(1) automaton made by bison. What its messages say (``expecting ';' or '('``), and whether one
mistake is reported as one error or as three, follows from the states of that automaton. So ours has the same states:
``build`` makes them from ``jq_grammar``, in bison's way, and ``pyshellhooks/utilities/jq/parser/tables.py`` is what it made.
``tests/unit/utilities/jq/test_jq_syntax.py`` fails when that is stale.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyshellhooks

from .jq_grammar import GRAMMAR, PRECEDENCE, TOKENS

Item = tuple[int, int]  # a rule and how many of its symbols are read


class Rule:
    """A way to make ``left`` of the symbols ``right``."""

    __slots__ = ("action", "left", "level", "right")

    def __init__(self, left: str, right: tuple[str, ...], action: str, level: int) -> None:
        self.left = left
        self.right = right
        self.action = action
        self.level = level  # the place in PRECEDENCE; -1 without one


LEVELS = {word: level for level, (_, words) in enumerate(PRECEDENCE) for word in words.split()}
BITS = {token: 1 << number for number, token in enumerate(TOKENS)}


def read_rules() -> list[Rule]:
    """Read ``GRAMMAR``; the first rule is the whole text and its end."""
    rules = [Rule("whole", ("program", "EOF"), "", -1)]
    left = ""
    for line in GRAMMAR.splitlines():
        if line[:1].strip():
            left = line
        elif line:
            symbols, _, action = line.strip().rpartition("=> ") if "=> " in line else (line, "", "")
            *words, last = (action or symbols).split() or [""]
            place = ""
            if last[0] == "@":
                place = last[1:]
                last = words.pop() if action else ""
            if action:
                right = tuple(symbols.split())
            else:
                right = tuple(word for word in symbols.split() if word[0] != "@")
            tokens = [place or symbol for symbol in right if symbol in BITS]
            level = LEVELS.get(place or (tokens[-1] if tokens else ""), -1)
            rules.append(Rule(left, right, last if action else "", level))
    return rules


class Automaton:
    """The LR(0) states of the grammar and the lookaheads of their reductions."""

    def __init__(self) -> None:
        self.rules = read_rules()
        self.by_left: dict[str, list[int]] = {}
        for number, rule in enumerate(self.rules):
            self.by_left.setdefault(rule.left, []).append(number)
        self.nullable = self._nullable()
        self.items: list[list[Item]] = []  # the closure of each state
        self.moves: list[dict[str, int]] = []
        self._make_states()

    def _nullable(self) -> set[str]:
        found: set[str] = set()
        before = -1
        while before != len(found):
            before = len(found)
            found |= {rule.left for rule in self.rules if all(symbol in found for symbol in rule.right)}
        return found

    def _closure(self, kernel: Iterable[Item]) -> list[Item]:
        items = sorted(kernel)
        seen: set[str] = set()
        for number, read in items:  # grows under way
            right = self.rules[number].right
            if read < len(right) and right[read] in self.by_left and right[read] not in seen:
                seen.add(right[read])
                items.extend(item for rule in self.by_left[right[read]] if (item := (rule, 0)) not in items)
        return items

    def _make_states(self) -> None:
        numbers = {frozenset({(0, 0)}): 0}
        kernels = [frozenset({(0, 0)})]
        for kernel in kernels:  # grows under way
            items = self._closure(kernel)
            after: dict[str, set[Item]] = {}
            for number, read in items:
                right = self.rules[number].right
                if read < len(right):
                    after.setdefault(right[read], set()).add((number, read + 1))
            moves = {}
            for symbol, target in after.items():
                following = frozenset(target)
                if following not in numbers:
                    numbers[following] = len(kernels)
                    kernels.append(following)
                moves[symbol] = numbers[following]
            self.items.append(items)
            self.moves.append(moves)

    def lookaheads(self) -> list[dict[int, int]]:
        """Give, for each state, its reductions and the tokens (as bits) before which each may happen.

        This is the method of DeRemer and Pennello. A transition is a state and a nonterminal.
        """
        transitions = [
            (state, symbol) for state, moves in enumerate(self.moves) for symbol in moves if symbol not in BITS
        ]
        follow: dict[tuple[int, str], int] = {}
        reads: dict[tuple[int, str], list[tuple[int, str]]] = {}
        for state, symbol in transitions:
            after = self.moves[self.moves[state][symbol]]
            follow[state, symbol] = sum(BITS[token] for token in after if token in BITS)
            reads[state, symbol] = [(self.moves[state][symbol], empty) for empty in after if empty in self.nullable]
        _spread(follow, reads)
        includes: dict[tuple[int, str], list[tuple[int, str]]] = {transition: [] for transition in transitions}
        lookback: list[dict[int, list[tuple[int, str]]]] = [{} for _ in self.moves]
        for start, left in transitions:
            for number in self.by_left[left]:
                right = self.rules[number].right
                state = start
                for place, symbol in enumerate(right):
                    if symbol not in BITS and all(rest in self.nullable for rest in right[place + 1 :]):
                        includes[state, symbol].append((start, left))
                    state = self.moves[state][symbol]
                lookback[state].setdefault(number, []).append((start, left))
        _spread(follow, includes)
        found: list[dict[int, int]] = []
        for sources in lookback:
            sets = {}
            for number in sorted(sources):
                bits = 0
                for transition in sources[number]:
                    bits |= follow[transition]
                sets[number] = bits
            found.append(sets)
        return found


def _spread(sets: dict[tuple[int, str], int], edges: dict[tuple[int, str], list[tuple[int, str]]]) -> None:
    """Add to each set those to which its edges lead, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for key, targets in edges.items():
            bits = sets[key]
            for target in targets:
                bits |= sets[target]
            if bits != sets[key]:
                sets[key] = bits
                changed = True


def _actions(rules: list[Rule], moves: dict[str, int], reductions: dict[int, int]) -> tuple[dict[str, int], int]:
    """Return the row of a state and what it does by default.

    A positive number is the state to go to, a negative one the rule by which to reduce, 0 a mistake.
    """
    row = dict(moves)
    shifts = {token for token in moves if token in BITS}
    for number in sorted(reductions, reverse=True):
        rule = rules[number]
        for token in TOKENS:
            if not reductions[number] & BITS[token]:
                continue
            if token not in shifts:
                if row.get(token, -number) != -number:
                    raise ValueError(f"two reductions before {token!r}: {rule.left} and rule {-row[token]}")
                row[token] = -number
                continue
            level = LEVELS.get(token, -1)
            if level < 0 or rule.level < 0:
                raise ValueError(f"shift or reduce {rule.left} before {token!r}?")
            if level < rule.level or (level == rule.level and PRECEDENCE[level][0] == "left"):
                row[token] = -number
            elif level == rule.level and PRECEDENCE[level][0] == "none":
                row[token] = 0
    default = _default(row, reductions, consistent=len(reductions) == 1 and not shifts)
    if default or len(reductions) == 1:
        row = {symbol: action for symbol, action in row.items() if action != default or symbol not in BITS}
    if not default:
        row = {symbol: action for symbol, action in row.items() if action}
    return row, default


def _default(row: dict[str, int], reductions: dict[int, int], consistent: bool) -> int:
    """Choose the reduction that happens before any token that the row does not name.

    A state that can go on after a mistake has none, so that the mistake is seen there.
    """
    if consistent:
        return -next(iter(reductions))
    if "error" in row:
        return 0
    best, most = 0, 0
    for number in reductions:
        count = sum(action == -number for symbol, action in row.items() if symbol in BITS)
        if count > most:
            best, most = -number, count
    return best


def build() -> tuple[list[Rule], list[dict[str, int]], list[int]]:
    """Make the rules, the row of each state, and its default."""
    automaton = Automaton()
    rows, defaults = [], []
    for moves, reductions in zip(automaton.moves, automaton.lookaheads(), strict=True):
        row, default = _actions(automaton.rules, moves, reductions)
        rows.append(row)
        defaults.append(default)
    return automaton.rules, rows, defaults


def spell() -> str:
    """Write ``tables.py``."""
    rules, rows, defaults = build()
    lines = [
        '"""Generated from the grammar by ``python -m tests.generators.jq_tables``; do not edit."""',
        "",
        f'TOKENS = "{" ".join(TOKENS)}".split()',
        "",
        "# Of each rule: what it makes, of how many symbols, and the method that makes it (- for none).",
        "RULES = (",
        *(f'    "{rule.left} {len(rule.right)} {rule.action or "-"}",' for rule in rules),
        ")",
        "",
        "# Of each state: what it does by default, then each symbol and what it does before it. A positive number is the",
        "# state to go to, a negative one the rule by which to reduce, 0 a mistake.",
        "STATES = (",
    ]
    for row, default in zip(rows, defaults, strict=True):
        words = [str(default), *(f"{symbol} {action}" for symbol, action in row.items())]
        lines.append(f'    "{" ".join(words)}",')
    return "\n".join([*lines, ")", ""])


TABLES = Path(pyshellhooks.__file__).parent / "utilities" / "jq" / "parser" / "tables.py"


if __name__ == "__main__":
    TABLES.write_text(spell(), encoding="ascii")
