"""Interpreter of compiled filters: a trampoline with its own stack, so that Python's stack does not limit the depth.

A step gets an item (``item``), the variables (``env``) and a continuation (``k``), and returns the next step and its
arguments; it never calls that step. ``k`` is a linked list: the step that gets the result, an ``env`` for it, and the
rest of the list. Results still to be computed are on the stack of *forks*: when a result is complete (``None`` as the
step), or a branch has no result (``BACK``), the newest fork continues. So ``,`` pushes its right side and runs its
left one, ``empty`` is ``BACK``, and a tail call takes no stack.

``env`` is an immutable linked list of pairs ``(newest value, the rest)``; the compiler computes a variable's position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from ....errors import Stop
from ..errors import JqError

if TYPE_CHECKING:
    from ..running import Run

Env = Any
Next = tuple[Any, Any, Any]  # a step, its env, the rest
State = tuple[Any, Any, Any, Any]  # a step, an item, an env, the continuation
Step = Callable[["Machine", Any, Any, Any], State]

OUT: Next = (None, None, None)  # the end of every continuation: a result of the whole filter
TURNS = 1024  # between two checks of memory
DEEPEST = 1_000_000  # forks, or nested calls
_SOUNDED = 256 * TURNS  # turns between two checks of the depth of calls


class _Exhausted(Exception):
    """All forks are done."""


class Machine:
    """One run of one filter on one item."""

    __slots__ = ("forks", "handler", "run")

    def __init__(self, run: Run) -> None:
        self.run = run
        self.forks: list[tuple[Any, Any, Any, Any, Any]] = [(_end, None, None, None, None)]
        # The error handler: (height of the forks, step, its env, its continuation, the next handler), or None.
        self.handler: Any = None

    def push(self, step: Step, item: Any, env: Env, k: Next) -> None:
        """Push a fork, which runs when the current branch has ended."""
        self.forks.append((step, item, env, k, self.handler))

    def outputs(self, step: Any, item: Any, env: Env) -> Iterator[Any]:
        """Yield the results one by one; raise an error that has no handler."""
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
    """Raise ``Stop`` if calls are nested too deeply: endless recursion would take all memory."""
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
    """Pass the next item of an iterator to ``k``; a fork has the rest."""
    for item in iterator:
        m.forks.append((give_next, iterator, None, k, m.handler))
        return k[0], item, k[1], k[2]
    return BACK


def restore_handler(m: Machine, item: Any, env: Env, k: Next) -> State:
    """Leave the body of a ``try``: remove its handler ``env``, as later errors are not from the body.

    If a ``?//`` in the body has a newer handler, both stay, as an error now starts its next alternative in the body.
    """
    if m.handler is env:
        m.handler = env[4]
    return k[0], item, k[1], k[2]
