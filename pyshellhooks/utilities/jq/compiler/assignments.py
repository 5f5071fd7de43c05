"""Assignments: ``=``, ``|=``, ``+=`` and the others, each also as a change of a draft.

A filter that only changes its input, as the update of a ``reduce`` mostly does, is compiled to a ``Change`` as well: it
changes the draft that is the state of the loop. If a container is read from the draft, the draft gives up ownership,
because the container may hold a part of it; a scalar can't.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..running import Run
from .access import finish_path
from .filters import Filter, One, Some, build
from .in_place import Draft
from .trampoline import Env

Act = Callable[[Draft, Env, Run], None]


class Change:
    """A function that changes a draft; ``parts`` are the filters that it uses."""

    __slots__ = ("act", "parts")

    def __init__(self, act: Act, parts: Sequence[Filter]) -> None:
        self.act = act
        self.parts = parts


def assign(paths: Filter, values: Filter) -> Filter | None:
    """``paths = values``, once for each value; None if only the machine can run it."""
    starts, somes, only = paths.some, values.some, values.one
    if starts is None or somes is None:
        return None

    def put(value: Any, new: Any, env: Env, run: Run) -> Any:
        draft = Draft(run, value)
        for pair in starts((None, value), env, run):
            run.check()
            draft.set(finish_path(pair), new)
        return draft.value

    if only is not None:
        return build((paths, values), None, lambda value, env, run: put(value, only(value, env, run), env, run))

    def some(value: Any, env: Env, run: Run) -> Iterator[Any]:
        for new in somes(value, env, run):
            yield put(value, new, env, run)

    return build((paths, values), None, None, some)


def modify(paths: Filter, update: Filter) -> Filter | None:
    """``paths |= update``: set the first result, delete the path without one. None if only the machine can run it."""
    change = modifying(paths, update)
    if change is None:
        return None

    act = change.act

    def one(value: Any, env: Env, run: Run) -> Any:
        draft = Draft(run, value)
        act(draft, env, run)
        return draft.value

    return build((paths, update), None, one)


# -- as changes

LEAVING = Change(lambda draft, env, run: None, ())  # "."


def modifying(paths: Filter, update: Filter) -> Change | None:
    """``paths |= update``."""
    starts, changes, only = paths.some, update.some, update.one
    if starts is None or changes is None:
        return None

    def act(draft: Draft, env: Env, run: Run) -> None:
        gone: list[Any] = []
        for keys in _paths(starts, draft, env, run):
            old = draft.get(keys)
            if only is not None:
                draft.set(keys, only(old, env, run))
                continue
            for new in changes(old, env, run):
                draft.set(keys, new)
                break
            else:
                gone.append(keys)
        if gone:
            draft.delete(gone)

    return Change(act, (paths, update))


def setting(paths: Filter, value: Filter, apart: bool) -> Change | None:
    """``paths = value``; with ``apart`` the value can't hold a part of the input."""
    starts, only = paths.some, value.one
    if starts is None or only is None:
        return None

    def act(draft: Draft, env: Env, run: Run) -> None:
        new = _read(only, draft, env, run, apart)
        for keys in _paths(starts, draft, env, run):
            draft.set(keys, new)

    return Change(act, (paths, value))


def adding(paths: Filter | None, value: Filter, apart: bool) -> Change | None:
    """``paths += value``, or ``. + value`` without paths."""
    only = value.one
    if only is None:
        return None
    if paths is None:
        return Change(lambda draft, env, run: draft.add([], _read(only, draft, env, run, apart)), (value,))
    starts = paths.some
    if starts is None:
        return None

    def act(draft: Draft, env: Env, run: Run) -> None:
        more = _read(only, draft, env, run, apart)
        for keys in _paths(starts, draft, env, run):
            draft.add(keys, more)

    return Change(act, (paths, value))


def updating(value: Filter, update: Change, apart: bool) -> Change | None:
    """``value as $x | update``."""
    only, change = value.one, update.act
    if only is None:
        return None
    return Change(
        lambda draft, env, run: change(draft, (_read(only, draft, env, run, apart), env), run), (value, *update.parts)
    )


def choosing(test: Filter, then: Change, otherwise: Change) -> Change | None:
    """``if test then a else b end``."""
    check = test.one
    if check is None:
        return None

    def act(draft: Draft, env: Env, run: Run) -> None:
        found = check(draft.value, env, run)
        (otherwise if found is None or found is False else then).act(draft, env, run)

    return Change(act, (test, *then.parts, *otherwise.parts))


def following(changes: Sequence[Change]) -> Change:
    """``a | b``."""
    acts = [change.act for change in changes]

    def act(draft: Draft, env: Env, run: Run) -> None:
        for each in acts:
            each(draft, env, run)

    return Change(act, [part for change in changes for part in change.parts])


def reduce_draft(source: Filter, initial: Filter, change: Change) -> Filter | None:
    """``reduce source as $x (initial; change)``; None if only the machine can run it."""
    start, begin, act = source.some, initial.one, change.act
    if start is None or begin is None:
        return None

    def one(item: Any, env: Env, run: Run) -> Any:
        draft = Draft(run, begin(item, env, run))
        for count, value in enumerate(start(item, env, run)):
            if not count & 15:
                run.check()
            act(draft, (value, env), run)
        return draft.value

    return build((source, initial, *change.parts), None, one)


def _paths(starts: Some, draft: Draft, env: Env, run: Run) -> Iterable[list[Any]]:
    """Return the paths in the draft, as a list if changes are in place, since they would disturb the iteration."""
    found = _each_path(starts, draft, env, run)
    return list(found) if draft.owns else found


def _each_path(starts: Some, draft: Draft, env: Env, run: Run) -> Iterator[list[Any]]:
    for pair in starts((None, draft.value), env, run):
        run.check()
        yield finish_path(pair)


def _read(only: One, draft: Draft, env: Env, run: Run, apart: bool) -> Any:
    """Compute a value from the draft, which gives up ownership if the value may hold a part of it."""
    found = only(draft.value, env, run)
    if not apart and (type(found) is list or type(found) is dict):
        draft.forget()
    return found
