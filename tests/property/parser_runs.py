"""Drive scripts through the parser and the printer, and hold what both promise.

No exception but the parser's own, no hang, and ``parse(print(tree)) == tree``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from time import perf_counter

from pyshellhooks.errors import ShellSyntaxError, Stop
from pyshellhooks.syntax.parser import Modes, parse
from pyshellhooks.syntax.printer import print_list

from .generated_commands import Generator
from .mutated_scripts import case_scripts, mutated

SECONDS = 1.0  # for one script; most take less than a millisecond
ENDLESS = re.compile(r"""delimiter=(?:'(?:[^'\\]|\\.)*?\\n|"(?:[^"\\]|\\.)*?\\n)|delimiter=['"]\\t""")
# A body without a last newline: the text ended in it. Commands behind it on its line can't be printed behind it.
ENDED = re.compile(r"""text=(?:'(?:[^'\\]|\\.)*(?<!\\n)'|"(?:[^"\\]|\\.)*(?<!\\n)"),?\),?\)\), delimiter=""")
EXTGLOB = Modes(extglob=True)


class Broken(AssertionError):
    """A promise that a script has broken."""


def scripts(seed: int, count: int) -> Iterator[str]:
    """Yield scripts: a third as generated, a third of those damaged, a third the damaged scripts of the cases."""
    random = Random(f"parser {seed}")
    cases = case_scripts()
    for number in range(count):
        kind = number % 3
        if kind == 2:
            text = random.choice(cases)
        else:
            text = Generator(random, bash=random.random() < 0.8).script()
        yield mutated(text, random) if kind else text


def check(text: str, modes: Modes = EXTGLOB) -> bool:
    """Hold the promises for one script; say whether it parses."""
    began = perf_counter()
    try:
        tree = parse(text, modes)
    except ShellSyntaxError as error:
        where = error.diagnostic
        if where.line < 1 or where.column < 1 or not where.message:
            raise Broken(f"an error without a place: {where!r}") from None
        return False
    except Stop as stop:
        if stop.reason != "limit":
            raise Broken(f"stopped by {stop.reason}") from None
        return False
    finally:
        if (took := perf_counter() - began) > SECONDS:
            raise Broken(f"{took:.1f} s for {len(text)} characters")
    try:
        endless = ENDLESS.search(repr(tree)) is not None
    except RecursionError:
        return True  # deeper than Python shows and compares; nothing but this check does either
    if endless:
        return True  # a here-document that no line can end takes all that is printed behind it
    printed = print_list(tree)
    try:
        again = parse(printed, modes)
    except ShellSyntaxError as error:
        raise Broken(f"what was printed does not parse ({error}): {printed!r}") from None
    if again != tree and not ENDED.search(repr(tree)):
        raise Broken(f"printed, it is another tree: {printed!r}")
    return True


def failures(seed: int, count: int) -> Iterator[tuple[str, str, bool]]:
    """Yield (script, what it broke or nothing, whether it parses)."""
    for text in scripts(seed, count):
        try:
            yield text, "", check(text)
        except Broken as broken:
            yield text, str(broken), False
        except Exception as error:  # whatever it is, no script may raise it
            yield text, f"{type(error).__name__}: {error}", False
