"""Path expressions on values and on pairs with paths: ``.a``, ``.[1]``, ``.[2:4]``, ``.[]``, ``..``, ``getpath``.

Inside ``path(...)`` and on the left of assignments each item is a pair: ``(path, value)``. A path is a linked list,
``(parent path, key)`` with None for the root, so that a step down costs the same at any depth. If the value is not the
one at its path (``path(1)``, ``path(.a | tojson)``), an ``Off`` replaces the path, and a further step is an error. As
in jq, a later item is on the path again if its value is the identical object at that path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..errors import InvalidPath, JqError
from ..json.values import describe, dump_truncated
from ..running import Run
from .filters import IDENTITY, Filter, build, from_one, from_some, gather, value_itself
from .indexing import index
from .trampoline import Env


class Off:
    """Marks a value that is off the path: the last valid path, and the value at that path."""

    __slots__ = ("path", "value")

    def __init__(self, path: Any, value: Any) -> None:
        self.path = path
        self.value = value


def value_of(item: Any) -> Any:
    """Return the value of a pair."""
    return item[1]


def value_getter(paths: bool) -> Callable[[Any], Any]:
    """Return the function from an item to its value; with ``paths`` the items are pairs."""
    if paths:
        return value_of
    return value_itself


def rewrap(item: Any, value: Any) -> Any:
    """Pair a value with the path of ``item``, or with an ``Off`` unless it is the identical value at that path."""
    path, there = item
    if type(path) is Off:
        path, there = path.path, path.value
    if value is there:
        return path, value
    return Off(path, there), value


def off(item: Any, value: Any) -> Any:
    """Pair a newly made value with an ``Off`` of ``item``'s path; an equal null, false or true stays on the path."""
    path, there = item
    if type(path) is Off:
        path, there = path.path, path.value
    if value is there and (value is None or type(value) is bool):
        return path, value
    return Off(path, there), value


def come_back(item: Any, start: Any) -> Any:
    """Return ``start`` if ``item``, which began there, is back at it; else rewrap its value with ``item``'s path."""
    path, there = item
    if type(path) is Off:
        path, there = path.path, path.value
    if path is start[0] and there is start[1]:
        return start
    return rewrap(item, start[1])


def lift(filter_: Filter) -> Filter:
    """Adapt a filter of values to pairs; its results are rarely on the path."""

    def again(m: Any, value: Any, item: Any, k: Any) -> Any:
        return k[0], rewrap(item, value), k[1], k[2]

    def step(m: Any, item: Any, env: Env, k: Any) -> Any:
        return filter_.step, item[1], env, (again, item, k)

    one, some = filter_.one, filter_.some
    if one is not None:
        return build((filter_,), step, lambda item, env, run: rewrap(item, one(item[1], env, run)))
    if some is None:
        return build((filter_,), step)

    def lifted(item: Any, env: Env, run: Run) -> Iterator[Any]:
        for value in some(item[1], env, run):
            yield rewrap(item, value)

    return build((filter_,), step, None, lifted)


def to_list(path: Any) -> list[Any]:
    """Return a path as the array of keys that jq prints."""
    keys = []
    while path is not None:
        path, key = path
        keys.append(key)
    keys.reverse()
    return keys


def finish_path(item: Any) -> list[Any]:
    """Return the path at the end of ``path(...)``. Raise ``JqError`` if the value is off the path."""
    if type(item[0]) is Off:
        raise JqError(f"Invalid path expression with result {dump_truncated(item[1])}")
    return to_list(item[0])


def refuse_update(item: Any, env: Env, run: Run) -> Any:
    """Raise jq's error for ``path(.a |= 1)``: its ``|=`` indexes an array that it has built, which is on no path."""
    raise InvalidPath(f"Invalid path expression near attempt to access element 0 of {dump_truncated(item[1])}")


# -- one step down


def field(run: Run, value: Any, key: Any) -> Any:
    """Return ``value[key]``."""
    return index(run, value, key)


def pair_at(run: Run, _: Any, key: Any, item: Any) -> Any:
    """Return the pair at ``key``, one step below ``item``."""
    path, value = item
    if type(path) is Off:
        raise InvalidPath(
            f"Invalid path expression near attempt to access element {dump_truncated(key)} of {dump_truncated(value)}"
        )
    return (path, key), index(run, value, key)


def fields(term: Filter | None, keys: tuple[str, ...]) -> Filter:
    """``term.a.b.c`` on values; ``term`` is None for the input."""
    if len(keys) == 1:
        only = keys[0]

        def step_down(value: Any, env: Env, run: Run) -> Any:
            if type(value) is dict:
                return value.get(only)
            return index(run, value, only)

        down = from_one(step_down)
    else:

        def walk_down(value: Any, env: Env, run: Run) -> Any:
            for key in keys:
                if type(value) is dict:
                    value = value.get(key)
                else:
                    value = index(run, value, key)
            return value

        down = from_one(walk_down)
    if term is None:
        return down
    from .filters import pipe

    return pipe((term, down))


def optional_field(key: Any) -> Filter:
    """``.key?`` on values: an error gives no result."""

    def some(value: Any, env: Env, run: Run) -> Any:
        try:
            return (index(run, value, key),)
        except JqError:
            return ()

    return from_some(some)


def slice_key(run: Run, value: Any, *bounds: Any) -> Any:
    """Return the path key of ``.[start:end]``; ``bounds`` is (start, end)."""
    return {"start": bounds[0], "end": bounds[1]}


# -- all steps down


def children(value: Any) -> Any:
    """Return an iterable of the values that ``.[]`` yields."""
    if type(value) is list:
        return value
    if type(value) is dict:
        return value.values()
    raise JqError(f"Cannot iterate over {describe(value)}")


def pairs(item: Any) -> Iterator[Any]:
    """Return an iterator over the pairs that ``.[]`` yields."""
    path, value = item
    if type(path) is Off:
        raise InvalidPath(f"Invalid path expression near attempt to iterate through {dump_truncated(value)}")
    if type(value) is list:
        return (((path, at), child) for at, child in enumerate(value))
    if type(value) is dict:
        return (((path, key), child) for key, child in value.items())
    raise JqError(f"Cannot iterate over {describe(value)}")


EACH = from_some(lambda value, env, run: children(value))
EACH_PAIR = from_some(lambda item, env, run: pairs(item))


def _each_if(value: Any, env: Env, run: Run) -> Any:
    if type(value) is list:
        return value
    if type(value) is dict:
        return value.values()
    return ()


def _pairs_if(item: Any, env: Env, run: Run) -> Any:
    try:
        return pairs(item)
    except InvalidPath:
        raise
    except JqError:
        return ()


EACH_OPTIONAL = from_some(_each_if)
EACH_PAIR_OPTIONAL = from_some(_pairs_if)


def _recurse(value: Any, env: Env, run: Run) -> Iterator[Any]:
    stack = [iter((value,))]
    turns = 0
    while stack:
        for value in stack[-1]:
            turns += 1
            if not turns & 1023:
                run.check()
            yield value
            if type(value) is list:
                stack.append(iter(value))
            elif type(value) is dict:
                stack.append(iter(value.values()))
            else:
                continue
            break
        else:
            stack.pop()


def _recurse_pairs(item: Any, env: Env, run: Run) -> Iterator[Any]:
    stack: list[Iterator[Any]] = [iter((item,))]
    turns = 0
    while stack:
        for item in stack[-1]:
            turns += 1
            if not turns & 1023:
                run.check()
            yield item
            if type(item[1]) is list or type(item[1]) is dict:
                stack.append(pairs(item))
                break
        else:
            stack.pop()


RECURSE = from_some(_recurse)
RECURSE_PAIRS = from_some(_recurse_pairs)


def recurse(paths: bool) -> Filter:
    """``..``"""
    return RECURSE_PAIRS if paths else RECURSE


def get_path(run: Run, _: Any, keys: Any, item: Any) -> Any:
    """``getpath(keys)`` with the path kept."""
    from ..functions.paths import getpath

    path, value = item
    found = getpath(run, value, keys)
    if type(path) is Off:
        return off(item, found)
    for key in keys:
        path = (path, key)
    return path, found


def follow(keys: Filter) -> Filter:
    """``getpath(keys)`` with the path kept."""
    return gather((keys, IDENTITY), get_path, of=value_of, whole=1)


# -- path


def paths_of(body: Filter) -> Filter:
    """``path(body)``; the body runs on pairs."""

    def finish(m: Any, item: Any, env: Env, k: Any) -> Any:
        return k[0], finish_path(item), k[1], k[2]

    def step(m: Any, value: Any, env: Env, k: Any) -> Any:
        return body.step, (None, value), env, (finish, None, k)

    one, some = body.one, body.some
    if one is not None:
        return build((body,), step, lambda value, env, run: finish_path(one((None, value), env, run)))
    if some is None:
        return build((body,), step)

    def each(value: Any, env: Env, run: Run) -> Iterator[Any]:
        for item in some((None, value), env, run):
            yield finish_path(item)

    return build((body,), step, None, each)


def down(key: Filter, term: Filter, paths: bool, optional: bool) -> Filter:
    """``term[key]``: the key is the outer loop."""
    if paths:
        return gather((key, term), pair_at, of=value_of, whole=1, optional=optional)
    return gather((key, term), lambda run, _, k, t: index(run, t, k), optional=optional)
