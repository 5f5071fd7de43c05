"""Large JSON through every system: ``python tests/hostile/large_json.py`` says how long each cell kept the GIL.

A cell is a shape of JSON, a place where it stands (what a host hands over, or what a hook answers), and a system.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from jq_stalls import HELD, held_by

from conformance.shapes import SHAPES as CONFIGS
from pyshellhooks import HookEngine, Verdict, dialects
from pyshellhooks.dialects import dialect_class
from pyshellhooks.engine.executor import RecordedExecutor
from pyshellhooks.hooks.dialect import Dialect
from pyshellhooks.hooks.fields import sample
from pyshellhooks.hooks.model import HookRun
from tests.contract.guard_matrix.systems import EVENTS as GUARDED

LARGEST = 16 << 20  # characters


def _array(item: str) -> Callable[[int], str]:
    return lambda size: "[" + ",".join([item] * (size // (len(item) + 1))) + "]"


def _string(part: str) -> Callable[[int], str]:
    return lambda size: '"' + part * (size // len(part)) + '"'


#: Texts of about so many characters.
SHAPES: dict[str, Callable[[int], str]] = {
    "one string": _string("a"),
    "escapes": _string("\\u00e9\\n\\ud83d"),
    "backslashes": _string("\\\\"),
    "surrogates": _string("\ud83d\ude00"),
    "marks": _string("<&>{}[],: "),
    "numbers": _array("12"),
    "floats": _array("1.25"),
    "strings": _array('"a,b"'),
    "objects": _array('{"a":[1]}'),
    "empty objects": _array("{}"),
    "blanks": _array("  1\n "),
    "nested": _array("[" * 400 + "]" * 400),
    "too deep": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "members": lambda size: "{" + ",".join([f'"{number}":1' for number in range(size // 11)]) + "}",
    "one key": lambda size: "{" + ",".join(['"a":1'] * (size // 6)) + "}",
    "a long key": lambda size: '{"' + "k" * size + '":1}',
    "digits": lambda size: "1" * size,
    "words": _string("deny block halt "),
    "bells": _string("\\u0007"),
}

SMALL: dict[str, Any] = {"command": "ls"}
_HERE = "@HERE@"  # where a large text goes


class System:
    """A guard of tool calls in one system: how it denies, and how it gives another input and context."""

    def __init__(self, name: str) -> None:
        dialect = dialects.get(name)
        guard = next(event for event in GUARDED[name] if event.guards == "call")
        self.before = guard.native
        self.deny = json.dumps(guard.answer)
        self.rewrite = _template(dialect, self.before, updated_input_text=json.dumps({**SMALL, _HERE: 1}))
        after = {
            row.native: _template(dialect, row.native, context=_HERE)
            for row in dialect.events.values()
            if "after_tool" in row.neutral
        }
        self.after = next((native for native, template in after.items() if "%s" in template), next(reversed(after), ""))
        self.context = after.get(self.after) or _template(dialect, self.before, context=_HERE)

    def has(self, place: str) -> bool:
        """Return whether the system has answers of a place."""
        if place == "output":
            return bool(self.after)
        template = {"rewrite": self.rewrite, "whole rewrite": self.rewrite, "context": self.context}.get(place, "%s")
        return "%s" in template


def _template(dialect: Dialect, event: str, **parts: str) -> str:
    """Return the answer with these parts of a verdict; ``%s`` is where the text goes."""
    row = dialect.event(event)[0]
    call = {**sample(row, False), row.places.get("tool_input", "tool_input"): SMALL}
    answer = dialect.answer(event, Verdict(event, **parts), call).stdout
    return re.sub(rf'{{[^{{}}]*"{_HERE}":1}}|"{_HERE}"', "%s", answer)


SYSTEMS = {name: System(name) for name in dialects.names()}
_CALL = '{"tool_name": "shell", "tool_input": {"command": "ls", "x": %s}}'
_WHOLE = '{"tool_name": "shell", "tool_input": '
_RESULT = '{"tool_name": "shell", "tool_input": {"command": "ls"}, "tool_output": %s}'


class Given:
    """What an event is fired with, and what its hook answers."""

    def __init__(self, *, after: bool = False, payload: Any = None, said: str = "", **fields: Any) -> None:
        self.after = after
        self.payload = payload
        self.said = said.encode("utf-8", "surrogatepass")
        self.fields = fields if payload is not None or fields else {"tool_name": "shell", "tool_input": SMALL}


def _answered(system: System, text: str) -> Given:
    return Given(said=f'{system.deny[:-1]},"x":{text}}}')


def _lines(system: System, text: str) -> Given:
    line = f'{{"log":{text[: 1 << 12]}}}\n'  # most are torn
    return Given(said=f"{line * (len(text) // len(line))}{system.deny}")


#: Where the large text stands. A place that is a whole object is for shapes that are objects.
PLACES: dict[str, Callable[[System, str], Given]] = {
    "payload": lambda system, text: Given(payload=_CALL % text, said=system.deny),
    "payload in bytes": lambda system, text: Given(
        payload=(_CALL % text).encode("utf-8", "backslashreplace"), said=system.deny
    ),
    "input": lambda system, text: Given(
        tool_name="shell", tool_input={"command": "ls", "x": json.loads(text)}, said=system.deny
    ),
    "command": lambda system, text: Given(tool_name="shell", tool_input={"command": text}, said=system.deny),
    "field": lambda system, text: Given(payload=f'{(_CALL % 1)[:-1]}, "x": {text}}}', said=system.deny),
    "whole input": lambda system, text: Given(payload=f"{_WHOLE}{text}}}", said=system.deny),
    "whole payload": lambda system, text: Given(payload=f"{(_CALL % 1)[:-1]}, {text[1:]}", said=system.deny),
    "whole answer": lambda system, text: Given(said=f"{text[:-1]},{system.deny[1:]}"),
    "whole rewrite": lambda system, text: Given(said=system.rewrite % f'{text[:-1]},"command":"ls"}}'),
    "terminal": lambda system, text: Given(said=f'{{"terminalSequence":{text}}}'),
    "deny": _answered,
    "deny after a log": lambda system, text: Given(said=f"{text}\n{system.deny}\n{text[:100]}"),
    "deny in lines": _lines,
    "deny behind a torn object": lambda system, text: Given(said=f'{{"x": {text[:-1]}\n{system.deny}'),
    "deny in a torn object": lambda system, text: Given(said=f'{{"x": {text}, "y": {system.deny}'),
    "rewrite": lambda system, text: Given(said=system.rewrite % f'{{"command": "ls", "x": {text}}}'),
    "context": lambda system, text: Given(after=bool(system.after), said=system.context % text),
    "output": lambda system, text: Given(after=True, payload=_RESULT % text),
}
_NO_DENY = ("terminal", "rewrite", "whole rewrite", "context", "output")
_CLEAN = ("payload", "payload in bytes", "input", "command", "field", "whole input", "whole payload")
_OBJECTS = ("members", "one key", "a long key")


class Cell:
    """A shape in a place of a system's edition."""

    def __init__(self, system: str, edition: str, place: str, shape: str) -> None:
        self.system = system
        self.edition = edition
        self.place = place
        self.shape = shape

    @property
    def name(self) -> str:
        return f"{self.system}@{self.edition}, {self.place}: {self.shape}"

    @property
    def denies(self) -> bool:
        """Whether the hook's deny must be heard: the shipped editions lose what stands in noise."""
        return self.place not in _NO_DENY and (self.place in _CLEAN or self.edition == "documented")

    def given(self, size: int) -> Given:
        """Make what is fired."""
        return PLACES[self.place](SYSTEMS[self.system], SHAPES[self.shape](size))

    def fire(self, given: Given) -> tuple[Verdict, RecordedExecutor]:
        """Fire it; give also what ran the hook."""
        system = SYSTEMS[self.system]
        event = system.after if given.after else system.before
        executor = RecordedExecutor(default=HookRun(stdout=given.said))
        config = CONFIGS[self.system](event, [{"command": "x"}])
        with HookEngine.load(config, f"{self.system}@{self.edition}", executor=executor, cwd="/", env={}) as engine:
            return engine.fire("after_tool" if given.after else "before_tool", given.payload, **given.fields), executor


def cells() -> list[Cell]:
    """Return all of them."""
    return [
        Cell(system, edition, place, shape)
        for system, forms in SYSTEMS.items()
        for edition in dialect_class(system).editions
        for place in PLACES
        for shape in SHAPES
        if forms.has(place)
        and (place != "input" or shape not in ("too deep", "digits"))
        and (place != "terminal" or (system == "claude_code" and shape in ("bells", "one string", "escapes")))
        and (not place.startswith("whole") or shape in _OBJECTS)
    ]


class Fared:
    """How a cell ended."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.verdict: Verdict | None = None
        self.failed = ""
        self.held = 0.0
        self.seconds = 0.0

    @property
    def is_wrong(self) -> bool:
        """Whether a deny was lost, or something was raised."""
        return self.verdict is None or (self.cell.denies and self.verdict.decision != "deny")

    @property
    def is_bad(self) -> bool:
        return self.is_wrong or self.held > HELD

    def line(self) -> str:
        said = self.failed if self.verdict is None else f"{self.verdict.decision} {self.verdict.notices}"[:60]
        return f"held {self.held:4.2f} s of {self.seconds:5.2f}  {self.cell.name}: {said}"


def run(cell: Cell, size: int = LARGEST) -> Fared:
    """Fire a cell on a thread of its own."""
    fared = Fared(cell)
    given = cell.given(size)

    def work() -> None:
        began = time.thread_time()
        try:
            fared.verdict = cell.fire(given)[0]
        except Exception as error:
            fared.failed = f"! {type(error).__name__}: {error}"[:200]
        fared.seconds = time.thread_time() - began

    fared.held, _ = held_by(work)
    return fared


def least(cell: Cell, size: int = LARGEST, attempts: int = 3) -> Fared:
    """Run a cell again where it held on for too long: what a busy machine did to it, it will not do thrice."""
    best = run(cell, size)
    while best.held > HELD and not best.is_wrong and attempts > 1:
        attempts -= 1
        again = run(cell, size)
        best = again if again.held < best.held or again.is_wrong else best
    return best


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="only every Nth cell")
    parser.add_argument("--size", type=int, default=LARGEST)
    parser.add_argument("--over", type=float, default=0.0, help="print only what was wrong or held on for longer")
    parser.add_argument("words", nargs="*", help="only cells whose name has all of these")
    options = parser.parse_args(argv)
    chosen = [cell for cell in cells() if all(word in cell.name for word in options.words)][:: options.every]
    bad = 0
    for cell in chosen:
        fared = least(cell, options.size, 2)
        bad += fared.is_bad
        if fared.is_bad or fared.held >= options.over:
            print(("BAD " if fared.is_bad else "    ") + fared.line(), flush=True)
    print(f"{len(chosen)} cells, {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
