"""Declaration of jq's builtins.

A builtin that is a function of values, ``split(", ")``, is a Python function with the run first, then the input, then
one parameter for each argument::

    @function("split")
    def split(run: Run, value: Any, separator: Any) -> Any:
        ...

It returns one value or raises ``JqError``. A builtin that takes filters, or gives any number of values, is a definition
in jq's language (``definitions.py``) or a construct of the compiler (``control.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Run = Callable[..., object]
_Run = TypeVar("_Run", bound=Run)


class Function:
    """A builtin: ``run(run, value, *arguments)``.

    ``first_outer`` sets how several results of its arguments combine. In jq's C functions the first argument varies
    fastest: ``[pow(2,3; 1,2)]`` is ``[2,3,4,9]``. With ``first_outer`` it is the last one, as in jq's definitions with
    ``$`` parameters.
    """

    __slots__ = ("first_outer", "run")

    def __init__(self, run: Run, first_outer: bool) -> None:
        self.run = run
        self.first_outer = first_outer


class Family:
    """The builtins of one module, by name and number of arguments (``split/1``)."""

    __slots__ = ("functions",)

    def __init__(self) -> None:
        self.functions: dict[str, Function] = {}

    def __call__(self, name: str, *, first_outer: bool = False) -> Callable[[_Run], _Run]:
        """Declare a builtin."""

        def declare(run: _Run) -> _Run:
            arity = run.__code__.co_argcount - 2
            self.functions[f"{name}/{arity}"] = Function(run, first_outer)
            return run

        return declare
