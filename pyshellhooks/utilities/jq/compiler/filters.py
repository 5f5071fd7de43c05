"""Filters and their combinations: the compiled forms of ``|``, ``,``, ``//``, ``if``, ``try`` and of operators.

A filter has up to three forms, which give the same results:

``one``   a function, if there is always exactly one result. Most filters of hooks are of this form.
``some``  a function that returns an iterable of results, if the depth of Python's stack is known to be small.
``step``  the machine's form (trampoline.py), which every filter has. A recursive filter has no other.

An item is a value. Inside ``path(...)`` and on the left of assignments it is a pair (path, value), see access.py;
the constructs here pass it on unchanged, and those that need the value in it call ``of``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import InvalidPath, JqError
from .trampoline import BACK, Env, Machine, Next, State, Step, give_next, restore_handler

if TYPE_CHECKING:
    from ..running import Run

One = Callable[[Any, Env, "Run"], Any]
Some = Callable[[Any, Env, "Run"], Iterable[Any]]
Of = Callable[[Any], Any]  # returns the value of an item

MOST_FRAMES = 80  # Python frames that one filter may take; a higher one runs on the machine


class Filter:
    """A compiled filter; ``height`` counts the Python frames that ``one`` or ``some`` take."""

    __slots__ = ("height", "one", "some", "step")

    def __init__(self, step: Step, one: One | None, some: Some | None, height: int) -> None:
        self.step = step
        self.one = one
        self.some = some
        self.height = height


def build(parts: Sequence[Filter], step: Step | None, one: One | None = None, some: Some | None = None) -> Filter:
    """Build a filter from its forms and its parts; ``step`` may be None if every part has a form besides its step."""
    height = 1
    for part in parts:
        if part.some is None:
            height = MOST_FRAMES
            break
        height = max(height, part.height + 1)
    if height >= MOST_FRAMES and step is not None:
        return Filter(step, None, None, 1)
    if one is not None:
        return Filter(_step_of_one(one), one, some or _some_of_one(one), height)
    if some is not None:
        return Filter(_step_of_some(some), None, some, height)
    assert step is not None
    return Filter(step, None, _some_of_step(step), height + 2)


def from_one(one: One) -> Filter:
    """Make a filter without parts that gives exactly one result."""
    return Filter(_step_of_one(one), one, _some_of_one(one), 1)


def from_some(some: Some) -> Filter:
    """Make a filter without parts."""
    return Filter(_step_of_some(some), None, some, 1)


def _step_of_one(one: One) -> Step:
    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return k[0], one(item, env, m.run), k[1], k[2]

    return step


def _some_of_one(one: One) -> Some:
    return lambda item, env, run: (one(item, env, run),)


def _step_of_some(some: Some) -> Step:
    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return give_next(m, iter(some(item, env, m.run)), None, k)

    return step


def _some_of_step(step: Step) -> Some:
    def some(item: Any, env: Env, run: Run) -> Iterable[Any]:
        from .trampoline import Machine

        return Machine(run).outputs(step, item, env)

    return some


IDENTITY = Filter(
    lambda m, item, env, k: (k[0], item, k[1], k[2]), lambda item, env, run: item, lambda item, env, run: (item,), 1
)
EMPTY = Filter(lambda m, item, env, k: BACK, None, lambda item, env, run: (), 1)


def value_itself(item: Any) -> Any:
    """Return the item itself, which is the value if no path is kept."""
    return item


def results(filter_: Filter, item: Any, env: Env, run: Run) -> Iterable[Any]:
    """Run a filter and return an iterable of its results."""
    if filter_.some is not None:
        return filter_.some(item, env, run)
    return Machine(run).outputs(filter_.step, item, env)


# -- | and ,


def pipe(filters: Sequence[Filter]) -> Filter:
    """``a | b | c``."""
    if len(filters) == 1:
        return filters[0]
    ones = [filter_.one for filter_ in filters]
    if all(one is not None for one in ones):
        if len(filters) == 2:
            first, second = ones
            return build(filters, _pipe_step(filters), lambda item, env, run: second(first(item, env, run), env, run))  # type: ignore[misc]
        return build(filters, _pipe_step(filters), _pipe_ones(ones))  # type: ignore[arg-type]
    somes = [filter_.some for filter_ in filters]
    if all(some is not None for some in somes):
        return build(filters, _pipe_step(filters), None, _pipe_some(filters))
    return build(filters, _pipe_step(filters))


def _pipe_ones(ones: Sequence[One]) -> One:
    def one(item: Any, env: Env, run: Run) -> Any:
        for stage in ones:
            item = stage(item, env, run)
        return item

    return one


def _pipe_some(filters: Sequence[Filter]) -> Some:
    """Join the filters from the right, so that a long pipeline without forks costs one frame."""
    last = filters[-1]
    rest: Some = last.some  # type: ignore[assignment]
    one: One | None = last.one
    for filter_ in reversed(filters[:-1]):
        if one is not None and filter_.one is not None:
            one = _both(filter_.one, one)
            rest = _some_of_one(one)
            continue
        rest = _then(filter_, one, rest)
        one = None
    return rest


def _both(first: One, second: One) -> One:
    return lambda item, env, run: second(first(item, env, run), env, run)


def _then(left: Filter, one: One | None, rest: Some) -> Some:
    if left.one is not None:
        head = left.one
        return lambda item, env, run: rest(head(item, env, run), env, run)
    start = left.some
    assert start is not None
    if one is not None:

        def each(item: Any, env: Env, run: Run) -> Iterator[Any]:
            scope = run.scope
            for found in start(item, env, run):
                if scope.stop is not None:
                    scope.check()
                yield one(found, env, run)

        return each

    def every(item: Any, env: Env, run: Run) -> Iterator[Any]:
        scope = run.scope
        for found in start(item, env, run):
            if scope.stop is not None:
                scope.check()
            yield from rest(found, env, run)

    return every


def _pipe_step(filters: Sequence[Filter]) -> Step:
    steps = [filter_.step for filter_ in filters]
    first = steps[0]
    if len(steps) == 2:
        second = steps[1]
        return lambda m, item, env, k: (first, item, env, (second, env, k))
    rest = steps[:0:-1]

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        for following in rest:
            k = (following, env, k)
        return first, item, env, k

    return step


def comma(filters: Sequence[Filter]) -> Filter:
    """``a, b, c``."""
    steps = [filter_.step for filter_ in filters]
    first, rest = steps[0], steps[:0:-1]

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        for other in rest:
            m.push(other, item, env, k)
        return first, item, env, k

    somes = [filter_.some for filter_ in filters]

    def some(item: Any, env: Env, run: Run) -> Iterator[Any]:
        for each in somes:
            yield from each(item, env, run)  # type: ignore[misc]

    return build(filters, step, None, some if all(somes) else None)


# -- operands


def gather(
    operands: Sequence[Filter],
    finish: Callable[..., Any],
    *,
    of: Of = value_itself,
    whole: int = -1,
    optional: bool = False,
) -> Filter:
    """Build a filter that runs the operands on its input, the first outermost: ``finish(run, value, *results)``.

    With paths, ``of`` returns the input's value, and the operand at index ``whole`` gets the pair itself. With
    ``optional`` an error of ``finish`` gives no result.
    """
    count = len(operands)

    def advance(m: Machine, item: Any, env: Env, got: tuple[Any, ...], k: Next) -> State:
        while len(got) < count:
            position = len(got)
            operand = operands[position]
            argument = item if position == whole else of(item)
            if operand.one is None:
                return operand.step, argument, env, (resume, (item, env, got), k)
            got = (*got, operand.one(argument, env, m.run))
        if optional:
            try:
                return k[0], finish(m.run, of(item), *got), k[1], k[2]
            except InvalidPath:
                raise
            except JqError:
                return BACK
        return k[0], finish(m.run, of(item), *got), k[1], k[2]

    def resume(m: Machine, result: Any, state: Any, k: Next) -> State:
        item, env, got = state
        return advance(m, item, env, (*got, result), k)

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return advance(m, item, env, (), k)

    ones = [operand.one for operand in operands]
    if optional or any(one is None for one in ones):
        return build(operands, step)
    return build(operands, step, _gather_ones(ones, finish, of, whole))  # type: ignore[arg-type]


def _gather_ones(ones: Sequence[One], finish: Callable[..., Any], of: Of, whole: int) -> One:
    if of is value_itself:
        if not ones:
            return lambda item, env, run: finish(run, item)
        if len(ones) == 1:
            only = ones[0]
            return lambda item, env, run: finish(run, item, only(item, env, run))
        if len(ones) == 2:
            first, second = ones
            return lambda item, env, run: finish(run, item, first(item, env, run), second(item, env, run))
        return lambda item, env, run: finish(run, item, *[one(item, env, run) for one in ones])

    def one(item: Any, env: Env, run: Run) -> Any:
        value = of(item)
        return finish(run, value, *[each(item if n == whole else value, env, run) for n, each in enumerate(ones)])

    return one


# -- conditions


def condition(test: Filter, then: Filter, otherwise: Filter, of: Of) -> Filter:
    """``if test then a else b end``, once for each result of the test."""

    def choose(m: Machine, found: Any, state: Any, k: Next) -> State:
        item, env = state
        return (otherwise if found is None or found is False else then).step, item, env, k

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return test.step, of(item), env, (choose, (item, env), k)

    check, yes, no = test.one, then.one, otherwise.one
    parts = (test, then, otherwise)
    if check is None:
        return build(parts, step)
    if yes is not None and no is not None:

        def one(item: Any, env: Env, run: Run) -> Any:
            found = check(of(item), env, run)
            if found is None or found is False:
                return no(item, env, run)
            return yes(item, env, run)

        return build(parts, step, one)
    if then.some is None or otherwise.some is None:
        return build(parts, step)
    yes_some, no_some = then.some, otherwise.some

    def some(item: Any, env: Env, run: Run) -> Iterable[Any]:
        found = check(of(item), env, run)
        if found is None or found is False:
            return no_some(item, env, run)
        return yes_some(item, env, run)

    return build(parts, step, None, some)


def logic(left: Filter, right: Filter, stops: bool) -> Filter:
    """``and`` (``stops`` is False) and ``or``: the right side runs only if the left one does not decide the result."""

    def decide(m: Machine, found: Any, state: Any, k: Next) -> State:
        if (found is None or found is False) is not stops:
            return k[0], stops, k[1], k[2]
        item, env = state
        return right.step, item, env, (to_boolean, None, k)

    def to_boolean(m: Machine, found: Any, env: Env, k: Next) -> State:
        return k[0], found is not None and found is not False, k[1], k[2]

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return left.step, item, env, (decide, (item, env), k)

    first, second = left.one, right.one
    if first is None or second is None:
        return build((left, right), step)

    def one(item: Any, env: Env, run: Run) -> Any:
        found = first(item, env, run)
        if (found is None or found is False) is not stops:
            return stops
        found = second(item, env, run)
        return found is not None and found is not False

    return build((left, right), step, one)


def alternative(left: Filter, right: Filter, of: Of) -> Filter:
    """``left // right``: the left's results other than null and false; without any, the right. Errors propagate."""

    def take(m: Machine, item: Any, found: list[bool], k: Next) -> State:
        value = of(item)
        if value is None or value is False:
            return BACK
        found[0] = True
        return k[0], item, k[1], k[2]

    def otherwise(m: Machine, state: Any, found: list[bool], k: Next) -> State:
        if found[0]:
            return BACK
        item, env = state
        return right.step, item, env, k

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        found = [False]
        m.push(otherwise, (item, env), found, k)
        return left.step, item, env, (take, found, k)

    first, second = left.one, right.one
    if first is not None and second is not None:

        def one(item: Any, env: Env, run: Run) -> Any:
            found = first(item, env, run)
            value = of(found)
            if value is None or value is False:
                return second(item, env, run)
            return found

        return build((left, right), step, one)
    if left.some is None or right.some is None:
        return build((left, right), step)
    start, rest = left.some, right.some
    if first is not None:

        def some_of_one(item: Any, env: Env, run: Run) -> Iterable[Any]:
            found = first(item, env, run)
            value = of(found)
            if value is None or value is False:
                return rest(item, env, run)
            return (found,)

        return build((left, right), step, None, some_of_one)

    def some(item: Any, env: Env, run: Run) -> Iterator[Any]:
        found = False
        for result in start(item, env, run):
            value = of(result)
            if value is not None and value is not False:
                found = True
                yield result
        if not found:
            yield from rest(item, env, run)

    return build((left, right), step, None, some)


# -- errors


def attempt(body: Filter, handler: Filter, rewrap: Callable[[Any, Any], Any] | None) -> Filter:
    """``try body catch handler``. With paths, ``rewrap(item, message)`` makes the handler's input."""

    def catch(m: Machine, message: Any, state: Any, k: Next) -> State:
        item, env = state
        return handler.step, message if rewrap is None else rewrap(item, message), env, k

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        m.handler = own = (len(m.forks), catch, (item, env), k, m.handler)
        return body.step, item, env, (restore_handler, own, k)

    parts = (body, handler)
    only, caught = body.one, handler.one
    if only is not None and caught is not None:

        def one(item: Any, env: Env, run: Run) -> Any:
            try:
                return only(item, env, run)
            except JqError as error:
                message = error.value
            return caught(message if rewrap is None else rewrap(item, message), env, run)

        return build(parts, step, one)
    if body.some is None or handler.some is None:
        return build(parts, step)
    start, rest = body.some, handler.some

    def some(item: Any, env: Env, run: Run) -> Iterator[Any]:
        try:
            iterator = iter(start(item, env, run))
            while True:
                try:
                    found = next(iterator)
                except StopIteration:
                    return
                yield found
        except JqError as error:
            message = error.value
        yield from rest(message if rewrap is None else rewrap(item, message), env, run)

    return build(parts, step, None, some)
