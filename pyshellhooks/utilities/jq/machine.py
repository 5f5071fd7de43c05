"""How a program runs: steps on a stack of our own, so that neither depth nor number of results is Python's business.

A step takes what flows (``item``), the variables (``env``) and what comes next (``k``), and says which step is the next
one; it never calls that step. ``k`` is a chain: the step that takes the result, with an ``env`` of its own, and what
follows it. Results that are still to come stand on the stack of *forks*: when a result has gone all the way
(``None`` as the step), or a branch gives nothing (``BACK``), the newest fork goes on. So ``,`` pushes its right
side and runs its left one, ``empty`` is ``BACK``, and a call at the end of a function costs no stack.

``env`` is an immutable chain of pairs ``(newest value, the rest)``; where a variable stands in it the compiler knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from ...errors import Stop
from .errors import JqError

if TYPE_CHECKING:
    from .running import Run

Env = Any
Next = tuple[Any, Any, Any]  # a step, its env, what follows it
State = tuple[Any, Any, Any, Any]  # a step, an item, an env, what follows
Step = Callable[["Machine", Any, Any, Any], State]

OUT: Next = (None, None, None)  # the end of every chain: a result of the whole
TURNS = 1024  # between two looks at memory
DEEPEST = 1_000_000  # forks, or calls that wait for one another
_SOUNDED = 256 * TURNS  # turns between two looks at how deep the calls are


class _Exhausted(Exception):
    """The last fork is gone."""


class Machine:
    """One run of one filter on one item."""

    __slots__ = ("forks", "handler", "run")

    def __init__(self, run: Run) -> None:
        self.run = run
        self.forks: list[tuple[Any, Any, Any, Any, Any]] = [(_end, None, None, None, None)]
        # Who catches an error: (height of the forks, step, its env, what follows it, who catches after it), or None.
        self.handler: Any = None

    def push(self, step: Step, item: Any, env: Env, k: Next) -> None:
        """Leave something to be done when the present branch has ended."""
        self.forks.append((step, item, env, k, self.handler))

    def outputs(self, step: Any, item: Any, env: Env) -> Iterator[Any]:
        """Yield the results one by one; errors that nobody catches are raised."""
        forks, run, k, turns, sounded = self.forks, self.run, OUT, 0, 0
        scope = run.scope
        while True:
            try:
                while True:
                    step, item, env, k = step(self, item, env, k)
                    if step is None:
                        yield item
                        step, item, env, k = BACK
                    turns += 1
                    if turns & 15 == 0:
                        if scope.stop is not None:
                            scope.check()
                        if turns >= TURNS:
                            run.turned(turns)
                            sounded += turns
                            turns = 0
                            if sounded >= _SOUNDED or len(forks) > DEEPEST:
                                sounded = 0
                                _sound(len(forks), k)
            except JqError as error:
                if self.handler is None:
                    raise
                height, step, env, k, self.handler = self.handler
                del forks[height:]
                item = error.value
            except _Exhausted:
                return


def _sound(forks: int, k: Next) -> None:
    """End a run that goes ever deeper: it would take all memory."""
    deep = forks
    while k is not None and deep <= DEEPEST:
        k = k[2]
        deep += 1
    if deep > DEEPEST:
        raise Stop("limit", f"jq: calls are nested deeper than {DEEPEST}", "call_depth")


def _end(m: Machine, item: Any, env: Env, k: Next) -> NoReturn:
    raise _Exhausted


def _backtrack(m: Machine, item: Any, env: Env, k: Next) -> State:
    step, item, env, k, m.handler = m.forks.pop()
    return step, item, env, k


BACK: State = (_backtrack, None, None, OUT)


def give_next(m: Machine, iterator: Iterator[Any], env: Env, k: Next) -> State:
    """Return the next item of an iterator to ``k``; the rest is left as a fork."""
    for item in iterator:
        m.forks.append((give_next, iterator, None, k, m.handler))
        return k[0], item, k[1], k[2]
    return BACK


def restore_handler(m: Machine, item: Any, env: Env, k: Next) -> State:
    """Leave the body of a ``try``: what follows is not its business. ``env`` is its entry among those who catch.

    Before it may stand a ``?//`` of the body, whose business it is: the next alternative runs inside the body again.
    """
    if m.handler is env:
        m.handler = env[4]
    return k[0], item, k[1], k[2]
