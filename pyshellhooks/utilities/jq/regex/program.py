"""Compiler from a tuned tree to a program of ``machine``.

Repetitions have the layout of Oniguruma's code, with its limits for unrolling a body: if a body may match the empty
text, the layout determines the contents of its groups.
"""

from __future__ import annotations

from typing import Any

from .machine import (
    ALL_REGISTERS,
    JUMP,
    LASTING,
    MATCH,
    PUT,
    RARE,
    SET,
    SPLIT,
    STAR,
    TEXT,
    Chars,
    Machine,
    Rare,
    State,
    Step,
    dot_chars,
    folds_alike,
)
from .nodes import (
    HOLLOW_RECURSIVE,
    INFINITE,
    SOLID,
    Atomic,
    Back,
    Call,
    Callout,
    Choice,
    Condition,
    Dot,
    Fail,
    Group,
    Keep,
    Look,
    Node,
    Pattern,
    Place,
    Repeat,
    Restore,
    Save,
    Sequence,
    Set,
    Text,
)
from .sets import WORD, CharSet
from .syntax import Unsupported
from .tuning import walk

_EXPANDED = 10  # operations up to which a body is unrolled
_MOST_CODE = 200_000
_MOST_CALLS = 20  # Oniguruma's limit of nested calls

BACK = -1, 0  # the result of a rare operation that fails


def assemble(pattern: Pattern) -> Machine:
    """Compile a tuned pattern."""
    return _Assembler(pattern).whole()


class _Assembler:
    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.code: list[Any] = [(RARE, None, None)]  # address 0 is STOP
        self.registers = 2 * pattern.groups + 2
        self.keep = self._register()
        self.calls = self._register()  # frames of calls
        self.marks: dict[int, int] = {}
        # Turns that may contain turns of the same repetition are all kept, even across calls.
        hollow = [part for part in walk(pattern.tree) if isinstance(part, Repeat) and part.hollow == HOLLOW_RECURSIVE]
        self.turns = {id(part): self._register() for part in hollow}
        self.loops = self.registers
        self.starts: dict[int, int] = {}
        self.sets: dict[object, Chars] = {}

    def _register(self) -> int:
        self.registers += 1
        return self.registers - 1

    def whole(self) -> Machine:
        self.node(self.pattern.tree)
        self.emit(MATCH)
        for group in self.pattern.nodes.values():
            if group.called:
                self.starts[group.number] = len(self.code)
                self._group(group)
                self.rare(_leave(self.calls, self.loops))
        code: list[Step] = []
        for step in self.code:
            if step[0] == JUMP and isinstance(step[1], Group):  # a call, whose address is now known
                code.append((RARE, _call(self.calls, self.loops, self.starts[step[1].number]), None))
            else:
                code.append(tuple(step))
        return Machine(code, self.registers)

    def emit(self, operation: int, a: Any = None, b: Any = None) -> int:
        if len(self.code) > _MOST_CODE:
            raise Unsupported("a regular expression of this size")
        self.code.append([operation, a, b])
        return len(self.code) - 1

    def rare(self, function: Rare) -> None:
        self.emit(RARE, function)

    def here(self, step: int) -> None:
        """Set an operation's target to the next address."""
        self.code[step][1] = len(self.code)

    # One function for each kind of node

    def node(self, node: Node) -> None:
        if isinstance(node, Text):
            data = node.text.encode("utf-8", "surrogatepass")
            if data:
                self.emit(TEXT, data, len(data))
        elif isinstance(node, Set | Dot):
            chars = self._chars(node)
            self.emit(SET, chars.table, chars.has)
        elif isinstance(node, Sequence):
            for part in node.parts:
                self.node(part)
        elif isinstance(node, Choice):
            self._choice(node)
        elif isinstance(node, Group):
            if node.called:
                self.emit(JUMP, node)
            else:
                self._group(node)
        elif isinstance(node, Repeat):
            self._repeat(node)
        elif isinstance(node, Call):
            self.emit(JUMP, node.group)
        else:
            self._other(node)

    def _other(self, node: Node) -> None:
        if isinstance(node, Place):
            self.rare(_place(node.kind))
        elif isinstance(node, Atomic):
            mark = self._register()
            self.rare(_mark(mark))
            self.node(node.body)
            self.rare(_cut(mark))
        elif isinstance(node, Look):
            self._look(node)
        elif isinstance(node, Back):
            if node.level is not None:
                raise Unsupported("a back-reference with a level")
            self.rare(_group_matched(node.numbers) if node.test else _back(node.numbers, node.fold))
        elif isinstance(node, Condition):
            self._condition(node)
        elif isinstance(node, Keep):
            self.emit(PUT, self.keep)
        elif isinstance(node, Fail) or (isinstance(node, Callout) and node.fails):
            self.rare(_fail)
        elif isinstance(node, Save):
            self.rare(_save(self._mark(node.number), node.what))
        elif isinstance(node, Restore):
            self.rare(_restore(-1 if node.number < 0 else self._mark(node.number), node.what))
        else:
            assert isinstance(node, Callout)

    def _mark(self, number: int) -> int:
        if number not in self.marks:
            self.marks[number] = self._register()
        return self.marks[number]

    def _chars(self, node: Set | Dot) -> Chars:
        key: object = node.newline if isinstance(node, Dot) else node.chars.key()
        if key not in self.sets:
            self.sets[key] = chars_of(node)
        return self.sets[key]

    def _choice(self, node: Choice) -> None:
        ends: list[int] = []
        for choice in node.choices[:-1]:
            split = self.emit(SPLIT, 0, LASTING if node.lasting else 1 << 60)
            self.node(choice)
            ends.append(self.emit(JUMP))
            self.here(split)
        self.node(node.choices[-1])
        for end in ends:
            self.here(end)

    def _group(self, group: Group) -> None:
        register = 2 * group.number
        if not group.number:
            self.node(group.body)
            return
        nest = self._register() if group.recursive else -1
        self.emit(PUT, register)
        if group.restored:
            self.rare(_forget(register + 1))
        if group.recursive:
            self.emit(PUT, nest)
        self.node(group.body)
        if group.recursive:
            self.rare(_copy(nest, register))
        self.emit(PUT, register + 1)

    def _look(self, node: Look) -> None:
        mark = self._register()
        if node.negative:
            step = self.emit(RARE)
            if not node.ahead:
                self.rare(_step_back(node.length))
            self.node(node.body)
            self.rare(_refuse(mark))
            self.code[step][1] = _mark_way(mark, len(self.code))
            return
        self.rare(_mark(mark))
        if node.ahead:
            place = self._register()
            self.emit(PUT, place)
            self.node(node.body)
            self.rare(_cut(mark))
            self.rare(_restore(place, "place"))
            return
        self.rare(_step_back(node.length))
        self.node(node.body)
        self.rare(_cut(mark))

    def _condition(self, node: Condition) -> None:
        mark = self._register()
        self.rare(_mark(mark))
        split = self.emit(SPLIT, 0, 1 << 60)
        self.node(node.test)
        self.rare(_cut(mark))
        if node.yes is not None:
            self.node(node.yes)
        end = self.emit(JUMP)
        self.here(split)
        self.rare(_cut(mark))
        if node.no is not None:
            self.node(node.no)
        self.here(end)

    # Repetitions

    def _repeat(self, node: Repeat) -> None:
        length = operations(node.body)
        if not length or not node.most:
            return
        infinite = node.most == INFINITE
        if infinite and node.greedy and isinstance(node.body, Set | Dot):
            self._times(node.body, node.least)
            chars = self._chars(node.body)
            self.emit(STAR, chars.table, chars.has)
        elif infinite and _is_expanded(node.least, length):
            self._endless(node, length)
        elif not infinite and node.greedy and _is_expanded(node.most, length + 1):
            for _ in range(node.least):
                self.node(node.body)
            splits = []
            for _ in range(node.most - node.least):
                splits.append(self.emit(SPLIT, 0, 1 << 60))
                self.node(node.body)
            for split in splits:
                self.here(split)
        elif not node.greedy and (node.least, node.most) == (0, 1):
            split = self.emit(SPLIT, len(self.code) + 2, 1 << 60)
            end = self.emit(JUMP)
            self.code[split][1] = len(self.code)
            self.node(node.body)
            self.here(end)
        else:
            self._emit_counted(node, node.least, node.most)

    def _times(self, body: Node, count: int) -> None:
        if count <= _EXPANDED:
            for _ in range(count):
                self.node(body)
        else:
            self._emit_counted(Repeat(body, count, count), count, count)

    def _endless(self, node: Repeat, length: int) -> None:
        jump = -1
        if node.least == 1 and length > _EXPANDED:
            jump = self.emit(JUMP)
        else:
            for _ in range(node.least):
                self.node(node.body)
        if node.greedy:
            split = self.emit(SPLIT, 0, 1 << 60)
            if jump >= 0:
                self.here(jump)
            self._turn(node)
            self.emit(JUMP, split)
            self.here(split)
            return
        start = self.emit(JUMP) if jump < 0 else -1
        if jump >= 0:
            self.here(jump)
        body = len(self.code)
        self._turn(node)
        if start >= 0:
            self.here(start)
        self.emit(SPLIT, body, 1 << 60)

    def _emit_counted(self, node: Repeat, least: int, most: int) -> None:
        counter = self._register()
        begin = self.emit(RARE)
        body = len(self.code)
        self._turn(node)
        self.rare(_count(counter, least, most, node.greedy, body))
        self.code[begin][1] = _count_from(counter, least, node.greedy, len(self.code))

    def _turn(self, node: Repeat) -> None:
        """Compile a body; an empty turn skips the operation after it, which would start another turn."""
        if node.hollow == SOLID:
            self.node(node.body)
            return
        if node.hollow == HOLLOW_RECURSIVE:
            turns = self.turns[id(node)]
            self.rare(_inner_turn_begins(turns, node.watched))
            self.node(node.body)
            self.rare(_inner_turn_ends(turns))
            return
        register = self._register()
        self.rare(_turn_begins(register, node.watched))
        self.node(node.body)
        self.rare(_turn_ends(register))


def chars_of(node: Set | Dot) -> Chars:
    """Return the machine's set for a set or ``.``."""
    if isinstance(node, Dot):
        return dot_chars(node)
    return Chars(node.chars)


def _is_expanded(times: int, length: int) -> bool:
    """Return whether Oniguruma writes a body out so many times, instead of counting its turns."""
    return times <= 1 or length * times <= _EXPANDED


def operations(node: Node) -> int:
    """Return the number of operations to which Oniguruma would compile a node."""
    if isinstance(node, Text):
        lengths = [len(char.encode("utf-8", "surrogatepass")) for char in node.text]
        return len([at for at, length in enumerate(lengths) if not at or length != lengths[at - 1]])
    if isinstance(node, Sequence):
        return sum(map(operations, node.parts))
    if isinstance(node, Choice):
        return sum(map(operations, node.choices)) + 2 * (len(node.choices) - 1)
    if isinstance(node, Repeat):
        return _operations_of_repeat(node)
    if isinstance(node, Group):
        extra = 0 if not node.called else 3
        return operations(node.body) + extra + (2 if node.number else 0)
    if isinstance(node, Atomic):
        return operations(node.body) + 2
    if isinstance(node, Look):
        return operations(node.body) + _LOOK_OPERATIONS[node.ahead, node.negative]
    if isinstance(node, Condition):
        parts = [part for part in (node.test, node.yes, node.no) if part is not None]
        return 5 + sum(map(operations, parts))
    return 1


_LOOK_OPERATIONS = {(True, False): 2, (True, True): 5, (False, False): 3, (False, True): 6}  # (ahead, negative)


def _operations_of_repeat(node: Repeat) -> int:
    body = operations(node.body)
    if not body or not node.most:
        return 0
    infinite = node.most == INFINITE
    turn = body + (2 if node.hollow else 0)
    if infinite and _is_expanded(node.least, body):
        if isinstance(node.body, Dot) and node.greedy:
            return 1 + body * node.least
        once = 1 if node.least == 1 and body > _EXPANDED else body * node.least
        return once + 2 + turn
    if not infinite and node.greedy and _is_expanded(node.most, body + 1):
        return body * node.least + (1 + body) * (node.most - node.least)
    if not node.greedy and (node.least, node.most) == (0, 1):
        return 2 + body
    return 2 + turn


# Rare operations


def _fail(state: State, address: int, s: int) -> tuple[int, int]:
    return BACK


_WORDS: list[Chars] = []


def _words() -> Chars:
    if not _WORDS:
        _WORDS.append(Chars(CharSet(classes=[(WORD, False)], latin=True)))
    return _WORDS[0]


def _place(kind: str) -> Rare:
    if kind in ("word", "not_word"):
        words = _words()
        wanted = kind == "word"

        def boundary(state: State, address: int, s: int) -> tuple[int, int]:
            before = s > 0 and state.is_word(state.head_before(s), words)
            # Only at the start does Oniguruma respect the limit of an absence operator.
            after = s < (state.end if s else state.limit) and state.is_word(s, words)
            return (address, s) if (before is not after) is wanted else BACK

        return boundary
    if kind in ("segment", "not_segment"):
        return _segment(kind == "segment")
    test = _PLACES[kind]

    def place(state: State, address: int, s: int) -> tuple[int, int]:
        return (address, s) if test(state, s) else BACK

    return place


def _segment(wanted: bool) -> Rare:
    def segment(state: State, address: int, s: int) -> tuple[int, int]:
        return (address, s) if _is_segment(state, s) is wanted else BACK

    return segment


def _is_segment(state: State, s: int) -> bool:
    """Return whether a grapheme cluster ends at a position."""
    data = state.data
    if s in (0, state.end):
        return True
    if data[s] < 128 and data[s - 1] < 128:
        return data[s - 1 : s + 1] != b"\r\n"
    import regex

    # A cluster depends on the text before it, but hardly on text far before it.
    low = s
    for _ in range(64):
        if low > 0:
            low = state.head_before(low)
    text = data[low : s + 4].decode("utf-8", "replace")
    at = 0
    size = len(data[low:s].decode("utf-8", "replace"))
    for match in regex.finditer(r"\X", text):
        at = match.end()
        if at >= size:
            break
    return at == size


_PLACES: dict[str, Any] = {
    "begin": lambda state, s: not s,
    "end": lambda state, s: s == state.end,
    "semi_end": lambda state, s: s == state.end or (s == state.end - 1 and state.data[s] == 10),
    "line_begin": lambda state, s: not s or (s != state.end and state.data[s - 1] == 10),
    "line_end": lambda state, s: s == state.end or state.data[s] == 10,
    "start": lambda state, s: s == state.origin,
}


def _mark(register: int) -> Rare:
    def mark(state: State, address: int, s: int) -> tuple[int, int]:
        state.put(register, len(state.stack))
        return address, s

    return mark


def _cut(register: int) -> Rare:
    def cut(state: State, address: int, s: int) -> tuple[int, int]:
        state.cut(state.registers[register])
        return address, s

    return cut


def _mark_way(register: int, after: int) -> Rare:
    def mark(state: State, address: int, s: int) -> tuple[int, int]:
        height = len(state.stack)
        state.stack.append((after, s, s))
        state.put(register, height)
        return address, s

    return mark


def _refuse(register: int) -> Rare:
    def refuse(state: State, address: int, s: int) -> tuple[int, int]:
        state.undo(state.registers[register])
        return BACK

    return refuse


def _step_back(count: int) -> Rare:
    def step_back(state: State, address: int, s: int) -> tuple[int, int]:
        for _ in range(count):
            if s <= 0:
                return BACK
            s = state.head_before(s)
        return address, s

    return step_back


def _forget(register: int) -> Rare:
    def forget(state: State, address: int, s: int) -> tuple[int, int]:
        state.put(register, -1)
        return address, s

    return forget


def _copy(source: int, target: int) -> Rare:
    def copy(state: State, address: int, s: int) -> tuple[int, int]:
        state.put(target, state.registers[source])
        return address, s

    return copy


def _save(register: int, what: str) -> Rare:
    def save(state: State, address: int, s: int) -> tuple[int, int]:
        state.put(register, s if what == "place" else state.limit)
        return address, s

    return save


def _restore(register: int, what: str) -> Rare:
    if what == "place":

        def restore_place(state: State, address: int, s: int) -> tuple[int, int]:
            return address, state.registers[register]

        return restore_place

    def restore_limit(state: State, address: int, s: int) -> tuple[int, int]:
        state.limit = state.end if register < 0 else state.registers[register]
        return address, s

    return restore_limit


def _group_matched(numbers: list[int]) -> Rare:
    def matched(state: State, address: int, s: int) -> tuple[int, int]:
        registers = state.registers
        if any(registers[2 * number + 1] >= 0 for number in numbers):
            return address, s
        return BACK

    return matched


def _back(numbers: list[int], fold: bool) -> Rare:
    def back(state: State, address: int, s: int) -> tuple[int, int]:
        registers, data = state.registers, state.data
        for number in numbers:
            low, high = registers[2 * number], registers[2 * number + 1]
            if high < 0 or low < 0:
                continue
            if high <= low:
                return address, s
            length = high - low
            if s + length > state.limit:
                continue
            if data[s : s + length] == data[low:high]:
                return address, s + length
            if fold:
                end = folds_alike(data, low, high, s)
                if end >= 0:
                    return address, end
        return BACK

    return back


def _turn_begins(register: int, watched: list[int]) -> Rare:
    def begins(state: State, address: int, s: int) -> tuple[int, int]:
        registers = state.registers
        state.put(register, (s, [(number, registers[2 * number], registers[2 * number + 1]) for number in watched]))
        return address, s

    return begins


def _turn_ends(register: int) -> Rare:
    def ends(state: State, address: int, s: int) -> tuple[int, int]:
        start, before = state.registers[register]
        return address + (start == s and not _has_changed(state.registers, before)), s

    return ends


def _has_changed(registers: list[Any], before: list[tuple[int, int, int]]) -> bool:
    """Return whether the spans of groups have changed."""
    for number, low, high in before:
        now_low, now_high = registers[2 * number], registers[2 * number + 1]
        if now_high < 0 or (now_low, now_high) == (low, high):
            continue
        both_differ = high != now_high and low != now_low
        if high < 0 or (both_differ and (now_low != now_high or low != high)):
            return True
    return False


def _inner_turn_begins(register: int, watched: list[int]) -> Rare:
    def begins(state: State, address: int, s: int) -> tuple[int, int]:
        registers = state.registers
        before = [(number, registers[2 * number], registers[2 * number + 1]) for number in watched]
        state.put(register, (s, before, registers[register]))
        return address, s

    return begins


def _inner_turn_ends(register: int) -> Rare:
    def ends(state: State, address: int, s: int) -> tuple[int, int]:
        entry = state.registers[register]
        depth = 0
        # An empty inner turn in a call leaves its begin entry on the stack: as in Oniguruma that ends this turn, too.
        while entry[0] < 0 or depth:
            depth += 1 if entry[0] < 0 else -1
            entry = entry[2]
        start, before, _ = entry
        if start == s and not _has_changed(state.registers, before):
            return address + 1, s
        state.put(register, (-1, None, state.registers[register]))
        return address, s

    return ends


def _count_from(register: int, least: int, greedy: bool, after: int) -> Rare:
    def count_from(state: State, address: int, s: int) -> tuple[int, int]:
        state.put(register, 0)
        if not least:
            if not greedy:
                state.stack.append((address, s, s))
                return after, s
            state.stack.append((after, s, s))
        return address, s

    return count_from


def _count(register: int, least: int, most: int, greedy: bool, body: int) -> Rare:
    def count(state: State, address: int, s: int) -> tuple[int, int]:
        turns = state.registers[register] + 1
        if turns == most:
            state.put(register, turns)
            return address, s
        if turns < least:
            state.put(register, turns)
            return body, s
        if greedy:
            state.stack.append((address, s, s))
            state.put(register, turns)
            return body, s
        state.put(register, turns)
        state.stack.append((body, s, s))
        return address, s

    return count


def _call(frames: int, loops: int, target: int) -> Rare:
    def call(state: State, address: int, s: int) -> tuple[int, int]:
        registers = state.registers
        frame = registers[frames]
        depth = frame[0] + 1 if frame else 1
        if depth > _MOST_CALLS:
            return BACK
        state.put(frames, (depth, address, registers[loops:], frame))
        return target, s

    return call


def _leave(frames: int, loops: int) -> Rare:
    def leave(state: State, address: int, s: int) -> tuple[int, int]:
        registers = state.registers
        _, back_to, values, frame = registers[frames]
        state.put(frames, frame)
        state.stack.append((ALL_REGISTERS, (loops, registers[loops:]), 0))
        registers[loops:] = values
        return back_to, s

    return leave
