"""Constructs that iterate over a filter's results: ``[...]``, ``reduce``, ``foreach``, ``as``, ``label``, ``first``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import JqError
from .access import come_back, rewrap
from .filters import Filter, One, build, from_one
from .operators import add
from .trampoline import BACK, Env, Machine, Next, State, give_next, restore_handler

if TYPE_CHECKING:
    from ..running import Run

CHECKED = 1023  # turns between two checks of time and memory, minus one


def collect(body: Filter | None) -> Filter:
    """``[body]``."""
    if body is None:
        return from_one(lambda item, env, run: [])

    def add(m: Machine, item: Any, found: list[Any], k: Next) -> State:
        found.append(item)
        if not len(found) & CHECKED:
            m.run.array(len(found))
        return BACK

    def done(m: Machine, found: list[Any], env: Env, k: Next) -> State:
        return k[0], found, k[1], k[2]

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        found: list[Any] = []
        # The fork is taken last, once the body has no more results.
        m.push(done, found, None, k)
        return body.step, item, env, (add, found, k)

    return build((body,), step, _collecting(body) if body.some else None)


def _collecting(body: Filter) -> One:
    some, only = body.some, body.one
    assert some is not None
    if only is not None:
        return lambda item, env, run: [only(item, env, run)]

    def one(item: Any, env: Env, run: Run) -> Any:
        found: list[Any] = []
        for result in some(item, env, run):
            found.append(result)
            if not len(found) & CHECKED:
                run.check()
                run.made(CHECKED * 64)
                run.array(len(found))
        return found

    return one


def spread(source: Filter) -> Filter:
    """Return a filter that gives the items of the iterators that ``source`` gives."""

    def each(m: Machine, iterator: Any, env: Env, k: Next) -> State:
        return give_next(m, iterator, None, k)

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return source.step, item, env, (each, None, k)

    one = source.one
    if one is not None:
        return build((source,), step, None, one)
    return build((source,), step)


def bind(source: Filter, body: Filter, of: Callable[[Any], Any]) -> Filter:
    """``source as $x | body``."""

    def bound(m: Machine, value: Any, state: Any, k: Next) -> State:
        item, env = state
        return body.step, item, (value, env), k

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return source.step, of(item), env, (bound, (item, env), k)

    first, second = source.one, body.one
    if first is not None and second is not None:
        return build(
            (source, body),
            step,
            lambda item, env, run: second(item, (first(of(item), env, run), env), run),
        )
    if source.some is None or body.some is None:
        return build((source, body), step)
    start, rest = source.some, body.some
    if first is not None:
        return build(
            (source, body), step, None, lambda item, env, run: rest(item, (first(of(item), env, run), env), run)
        )

    def some(item: Any, env: Env, run: Run) -> Iterator[Any]:
        for value in start(of(item), env, run):
            run.check()
            yield from rest(item, (value, env), run)

    return build((source, body), step, None, some)


def bind_alternatives(alternatives: Sequence[Filter], rewrap: Callable[[Any, Any], Any] | None) -> Filter:
    """``?//``: an error in one alternative, or in its body, starts the next one. The last one's errors propagate."""
    first, rest = alternatives[0], alternatives[1:]

    def retry(m: Machine, message: Any, state: Any, k: Next) -> State:
        item, env, left = state
        return enter(m, item, env, left, k)

    def enter(m: Machine, item: Any, env: Env, left: Sequence[Filter], k: Next) -> State:
        if len(left) > 1:
            m.handler = (len(m.forks), retry, (item, env, left[1:]), k, m.handler)
        return left[0].step, item, env, k

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return enter(m, item, env, (first, *rest), k)

    # Errors after the construct count, too, so its continuation must run on the same machine.
    return Filter(step, None, None, 1)


# -- reduce and foreach


def reduce(source: Filter, initial: Filter, update: Filter) -> Filter:
    """``reduce source as $x (initial; update)`` on values; ``update`` runs with the source's item in its env.

    The last result of the update is the new state; without a result it is null.
    """

    def began(m: Machine, state: Any, origin: list[Any], k: Next) -> State:
        item, env = origin
        origin[0] = None  # as in jq, where the source's input is null for a second initial state
        cell = [state]
        m.push(done, cell, None, k)
        return source.step, item, env, (bound, (cell, env), k)

    def bound(m: Machine, value: Any, origin: Any, k: Next) -> State:
        cell, env = origin
        state, cell[0] = cell[0], None
        return update.step, state, (value, env), (store, cell, k)

    def store(m: Machine, state: Any, cell: list[Any], k: Next) -> State:
        cell[0] = state
        return BACK

    def done(m: Machine, cell: list[Any], env: Env, k: Next) -> State:
        return k[0], cell[0], k[1], k[2]

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return initial.step, item, env, (began, [item, env], k)

    start, begin, turn, turns = source.some, initial.one, update.one, update.some
    parts = (source, initial, update)
    if start is None or begin is None or turns is None:
        return build(parts, step)

    def one(item: Any, env: Env, run: Run) -> Any:
        state = begin(item, env, run)
        count = 0
        for value in start(item, env, run):
            count += 1
            if not count & 15:
                run.check()
            if turn is not None:
                state = turn(state, (value, env), run)
                continue
            # As in jq, an update without a result leaves null.
            given, state = state, None
            for state in turns(given, (value, env), run):  # noqa: B007
                pass
        return state

    return build(parts, step, one)


def foreach(source: Filter, initial: Filter, update: Filter, extract: Filter) -> Filter:
    """``foreach source as $x (initial; update; extract)`` on values."""

    def began(m: Machine, state: Any, origin: Any, k: Next) -> State:
        item, env = origin
        return source.step, item, env, (bound, ([state], env), k)

    def bound(m: Machine, value: Any, origin: Any, k: Next) -> State:
        cell, env = origin
        state, cell[0] = cell[0], None
        env = (value, env)
        return update.step, state, env, (store, (cell, env), k)

    def store(m: Machine, state: Any, origin: Any, k: Next) -> State:
        cell, env = origin
        cell[0] = state
        return extract.step, state, env, k

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return initial.step, item, env, (began, (item, env), k)

    parts = (source, initial, update, extract)
    start, begin, turn, end = source.some, initial.one, update.one, extract.some
    if start is None or begin is None or turn is None or end is None:
        return build(parts, step)

    def some(item: Any, env: Env, run: Run) -> Iterator[Any]:
        state = begin(item, env, run)
        for value in start(item, env, run):
            run.check()
            # The update and the extraction see the same variable.
            inner = (value, env)
            state = turn(state, inner, run)
            yield from end(state, inner, run)

    return build(parts, step, None, some)


def reduce_paths(source: Filter, initial: Filter, update: Filter) -> Filter:
    """``reduce`` with paths: the update gets the path of the source's item, the result that of the initial state."""

    def began(m: Machine, state: Any, origin: Any, k: Next) -> State:
        item, env = origin
        cell = [state[1]]
        m.push(done, (cell, state), None, k)
        return source.step, come_back(state, item), env, (bound, (cell, env), k)

    def bound(m: Machine, pair: Any, origin: Any, k: Next) -> State:
        cell, env = origin
        state, cell[0] = cell[0], None
        return update.step, rewrap(pair, state), (pair[1], env), (store, cell, k)

    def store(m: Machine, pair: Any, cell: list[Any], k: Next) -> State:
        cell[0] = pair[1]
        return BACK

    def done(m: Machine, origin: Any, env: Env, k: Next) -> State:
        cell, state = origin
        return k[0], rewrap(state, cell[0]), k[1], k[2]

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return initial.step, item, env, (began, (item, env), k)

    return build((source, initial, update), step)


def foreach_paths(source: Filter, initial: Filter, update: Filter, extract: Filter) -> Filter:
    """``foreach`` with paths: an extracted ``$item`` has the path of the source's item."""

    def began(m: Machine, state: Any, origin: Any, k: Next) -> State:
        item, env = origin
        return source.step, come_back(state, item), env, (bound, ([state[1]], env), k)

    def bound(m: Machine, pair: Any, origin: Any, k: Next) -> State:
        cell, env = origin
        state, cell[0] = cell[0], None
        env = (pair[1], env)
        return update.step, rewrap(pair, state), env, (store, (cell, env), k)

    def store(m: Machine, pair: Any, origin: Any, k: Next) -> State:
        cell, env = origin
        cell[0] = pair[1]
        return extract.step, pair, env, k

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return initial.step, item, env, (began, (item, env), k)

    return build((source, initial, update, extract), step)


def substitute(pieces: Filter, new: Filter) -> Filter | None:
    """``sub``: ``pieces`` gives the text before each match with its captures, and the rest. None: use the machine.

    The first results of ``new`` for all matches make the first result, and so on.
    """
    start, replace = pieces.some, new.some
    if start is None or replace is None:
        return None

    def some(value: Any, env: Env, run: Run) -> Iterator[Any]:
        for found, rest in start(value, env, run):
            texts: list[list[str]] = []
            for before, named in found:
                run.check()
                for position, text in enumerate(list(replace(named, env, run))):
                    if position == len(texts):
                        texts.append([])
                    texts[position].append(add(run, before, text))
            if not texts:
                yield value  # no match, or a replacement without results
            for parts in texts:
                run.text(sum(map(len, parts)) + len(rest))
                yield "".join(parts) + rest

    return build((pieces, new), None, None, some)


# -- label and break


def label(body: Filter) -> Filter:
    """``label $name | body``; the label's number is the newest variable of the body.

    As in jq, ``break`` is an error with a unique object, which a ``try`` inside the body may catch.
    """

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        own = _set_label(m, k)
        return body.step, item, (own[2], env), (restore_handler, own, k)

    return build((body,), step)


def _set_label(m: Machine, k: Next) -> Any:
    """Push and return the error handler of a new label; its third item is the label's number."""
    number = m.run.labels
    m.run.labels += 1
    m.handler = own = (len(m.forks), _catch_break, number, k, m.handler)
    return own


def _catch_break(m: Machine, error: Any, number: int, k: Next) -> State:
    if error == {"__jq": number}:
        return BACK
    raise JqError(error)


def _break(m: Machine, item: Any, number: int, k: Next) -> State:
    raise JqError({"__jq": number})


def break_(reach: Callable[[Env], Any]) -> Filter:
    """``break $name``; ``reach`` finds the label."""

    def one(item: Any, env: Env, run: Run) -> Any:
        raise JqError({"__jq": reach(env)})

    return from_one(one)


def first(body: Filter) -> Filter:
    """``first(body)``: ``label $out | body | ., break $out``."""

    def keep(m: Machine, item: Any, own: Any, k: Next) -> State:
        if m.handler is own:
            del m.forks[own[0] :]
            m.handler = own[4]
        else:  # the handler of a ``?//`` in the body, which treats a break like any error
            m.push(_break, None, own[2], k)
        return k[0], item, k[1], k[2]

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        own = _set_label(m, k)
        return body.step, item, env, (keep, own, k)

    some = body.some
    if some is None:
        return build((body,), step)

    def at_most_one(item: Any, env: Env, run: Run) -> Iterator[Any]:
        for result in some(item, env, run):
            return iter((result,))  # the rest is never computed, as after a break
        return iter(())

    return build((body,), step, None, at_most_one)


def last(body: Filter, rewrap: Callable[[Any, Any], Any] | None) -> Filter:
    """``last(body)``; with paths ``rewrap`` gives the last value the input's path, which it is rarely on."""

    def keep(m: Machine, item: Any, found: list[Any], k: Next) -> State:
        found[:] = (item,)
        return BACK

    def done(m: Machine, state: Any, env: Env, k: Next) -> State:
        found, item = state
        if not found:
            return BACK
        result = found[0] if rewrap is None else rewrap(item, found[0][1])
        return k[0], result, k[1], k[2]

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        found: list[Any] = []
        m.push(done, (found, item), None, k)
        return body.step, item, env, (keep, found, k)

    some = body.some
    if some is None:
        return build((body,), step)

    def at_most_one(item: Any, env: Env, run: Run) -> Iterator[Any]:
        count = 0
        result: Any = None
        for result in some(item, env, run):  # noqa: B007
            count += 1
            if not count & CHECKED:
                run.check()
        if count:
            yield result if rewrap is None else rewrap(item, result[1])

    return build((body,), step, None, at_most_one)
