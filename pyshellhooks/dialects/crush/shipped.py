"""Behavior of the edition ``crush@shipped`` only."""

from __future__ import annotations

from collections.abc import Sequence

from ...hooks.failure_notices import unused
from ...jsontext.compact import JSON, WireError, compact, dumps, loads, members
from ...notice import Notice


def path_merge(original: str, patches: Sequence[str]) -> tuple[str | None, list[Notice]]:
    """Merge patches into the input, each key read as a path: ``a.b`` sets b in a (quirk ``path_keys``, crush 5).

    An empty key or one with a wildcard invalidates its whole patch. Numbers keep their values, not their spelling.
    """
    refused: list[Notice] = []
    try:
        base = loads(original or "{}")
    except WireError:
        base = None
    if not isinstance(base, dict):
        return None, [unused("updated_input", "the tool's input is not a JSON object") for _ in patches]
    accepted = False
    for patch in patches:
        trial = _copied(base)
        try:
            pairs = [] if loads(patch) is None else members(patch)
            for key, raw in pairs:
                _set(trial, key, loads(raw))
        except WireError as error:
            refused.append(unused("updated_input", f"{error}: {patch[:80]}"))
            continue
        base, accepted = trial, True
    text = dumps(base)
    return (text if accepted and text != dumps(loads(compact(original or "{}"))) else None), refused


def _copied(value: dict[str, JSON]) -> dict[str, JSON]:
    """Copy an object as far as ``_set`` can change it: objects in objects, but not arrays."""
    whole: dict[str, JSON] = {**value}
    todo = [whole]
    while todo:
        inner = todo.pop()
        for key, item in inner.items():
            if isinstance(item, dict):
                inner[key] = copy = {**item}
                todo.append(copy)
    return whole


def _set(target: dict[str, JSON], key: str, value: JSON) -> None:
    steps = key.split(".")
    if not key or any(mark in key for mark in "*?#@") or not all(steps):
        raise WireError(f"the key {key!r} is not a path")
    for step in steps[:-1]:
        inner = target.get(step)
        if not isinstance(inner, dict):
            inner = target[step] = {}
        target = inner
    target[steps[-1]] = value
