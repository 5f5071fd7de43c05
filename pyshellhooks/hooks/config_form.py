"""The forms of configs: how a system writes hooks down, as data. ``convert`` and the tests write configs by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Hook = dict[str, Any]  # a hook under its system's keys; of a group also ``matcher``
Config = dict[str, Any]
#: Returns the smallest config with these hooks on one event.
Shape = Callable[[str, list[Hook]], Config]

_GROUP = ("matcher", "sequential")


def flat(event: str, hooks: list[Hook]) -> Config:
    """Put the hooks under their event: Crush."""
    return {"hooks": {event: hooks}}


def versioned(event: str, hooks: list[Hook]) -> Config:
    """The same with a version: Firebender, Cursor."""
    return {"version": 1, **flat(event, hooks)}


def grouped(event: str, hooks: list[Hook]) -> Config:
    """Put each hook in a group of its own, unless it is a group already: Claude Code and its relatives."""
    groups = []
    for hook in hooks:
        if "hooks" in hook:
            groups.append({**hook, "hooks": [{"type": "command", **inner} for inner in hook["hooks"]]})
            continue
        outer = {key: hook.pop(key) for key in _GROUP if key in hook}
        groups.append({**outer, "hooks": [{"type": "command", **hook}]})
    return {"hooks": {event: groups}}


def docker(event: str, hooks: list[Hook]) -> Config:
    """Groups for the events about tools, flat lists for the others, of the first agent: Docker Agent."""
    if event in ("pre_tool_use", "post_tool_use"):
        written = grouped(event, hooks)["hooks"]
    else:
        written = {event: [{"type": "command", **hook} for hook in hooks]}
    return {"agents": {"root": {"hooks": written}}}


def everruns(event: str, hooks: list[Hook]) -> Config:
    """Make specs; ``command`` and ``env`` go into their executor: Everruns."""
    specs = []
    for hook in hooks:
        inside = {key: hook.pop(key) for key in ("command", "env") if key in hook}
        spec: Hook = {"event": event, **hook}
        if inside:
            spec["executor"] = {"type": "bash", **inside}
        specs.append(spec)
    return {"hooks": specs}


def entries(event: str, hooks: list[Hook]) -> Config:
    """A list of hooks, each with its event: the ``[[hooks]]`` of TOML files."""
    return {"hooks": [{"event": event, **hook} for hook in hooks]}


def named_entries(event: str, hooks: list[Hook]) -> Config:
    """A list of hooks, each with a name and its event as the type: Mistral Vibe."""
    items = []
    for number, hook in enumerate(hooks):
        match = {"match": hook.pop("matcher")} if "matcher" in hook else {}
        items.append({"name": f"hook-{number}", "type": event, **match, **hook})
    return {"hooks": items}


def by_name(names: Sequence[str]) -> Sequence[Any]:
    """Return the matchers for exact tool names, as texts: a list between bars, then expressions."""
    listed = "|".join(names)
    return (listed, f"^{listed}$" if len(names) == 1 else f"^({listed})$", f"^(?:{listed})$")


def by_object(names: Sequence[str]) -> Sequence[Any]:
    """Return the matchers for exact tool names, as objects: Everruns."""
    if len(names) == 1:
        return ({"tool_name": names[0]},)
    return ({"tool_name_glob": "|".join(names)},)


def by_glob(names: Sequence[str]) -> Sequence[Any]:
    """Return the matchers for exact tool names, as globs; several names need an expression: Mistral Vibe."""
    return (names[0],) if len(names) == 1 else (f"re:(?:{'|'.join(names)})",)


class ConfigForm:
    """How a system writes its hooks.

    ``shape``: makes a config of one event's hooks. ``suffix``: of its files, ``json``, ``yaml`` or ``toml``. ``keys``:
    the keys of a hook; a relative of Claude Code has them in its table of handlers. ``command``: the key of the command.
    ``closed``: the key and the value with which a failure of the hook denies, or ``""``. ``inner``: the key
    of an object that has the command and its variables. ``matchers``: returns possible matchers for tool names.
    ``shortest``, ``longest``: seconds that a timeout may have; 0: any. ``programs``: whether a hook can start the
    programs of this machine.
    """

    __slots__ = ("closed", "command", "inner", "keys", "longest", "matchers", "programs", "shape", "shortest", "suffix")

    def __init__(
        self,
        shape: Shape,
        keys: tuple[str, ...] = (),
        *,
        suffix: str = "json",
        command: str = "command",
        closed: tuple[str, Any] = ("", None),
        inner: str = "",
        matchers: Callable[[Sequence[str]], Sequence[Any]] = by_name,
        shortest: float = 0.0,
        longest: float = 0.0,
        programs: bool = True,
    ) -> None:
        self.shape = shape
        self.keys = keys
        self.suffix = suffix
        self.command = command
        self.closed = closed
        self.inner = inner
        self.matchers = matchers
        self.shortest = shortest
        self.longest = longest
        self.programs = programs
