"""The options of an engine: their names and types for type checkers, and their validation."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from ..cancel import CancelScope
from ..errors import ConfigError, Diagnostic
from ..fs.base import FileSystem
from ..hooks.internal_failures import DENY, VENDOR
from ..hooks.model import HookSession
from ..hooks.suggest import did_you_mean
from ..interp.probe import SCRIPTS
from ..jsontext.compact import JSON
from ..shell.arguments import check_environment, check_options, check_seconds, path_of
from .config.discovery import ConfigOptions

if TYPE_CHECKING:
    from ..hooks.dialect import Dialect
    from ..hooks.model import Observer
    from ..hooks.tools import ToldKind
    from ..limits import Limits
    from .executor import Executor
    from .handlers import Handler


class Options(ConfigOptions, total=False):
    """The options of ``HookEngine.load`` and ``discover`` beside the source of the hooks; see ``HookEngine``."""

    strict: bool
    spawn: bool
    on_failure: str | None
    own_failures: str
    ask: str
    observe: Observer | None
    limits: Limits | None
    isolation: str
    paths: str
    scripts: str
    disabled: Iterable[str]
    permissions: bool
    executor: Executor | None
    handlers: Mapping[str, Handler] | None
    tools: Mapping[str, ToldKind] | None


NAMES = frozenset(Options.__annotations__)
_SOURCES = frozenset({"agent", "cwd", "dialect", "env", "hooks", "name", "text", "trust_project", "user"})

#: Options with a fixed set of values.
CHOICES: dict[str, tuple[object, ...]] = {
    "on_failure": ("open", "closed", None),
    "own_failures": (DENY, VENDOR),
    "ask": ("ask", "deny"),
    "isolation": ("thread", "process"),
    "paths": ("script", "native"),
    "scripts": SCRIPTS,
}
Test = Callable[[object], bool]


def _mapping(value: object) -> bool:
    return value is None or isinstance(value, Mapping)


def _switch(value: object) -> bool:
    return not isinstance(value, (str, bytes))


#: Other options: a description and a test of each. A text such as "false" must not turn ``strict`` on.
_KINDS: dict[str, tuple[str, Test]] = {
    **dict.fromkeys(("strict", "spawn", "user", "permissions"), ("True or False", _switch)),
    **dict.fromkeys(("settings", "handlers", "mounts", "env", "tools"), ("a mapping", _mapping)),
    "trust_project": ('True, False or "store"', lambda value: value == "store" or type(value) is bool),
    "observe": ("a function of a name and a mapping", lambda value: value is None or callable(value)),
    "disabled": ("a collection of ids", lambda value: isinstance(value, Iterable) and _switch(value)),
    "agent": ('the name of an agent, or ""', lambda value: isinstance(value, str)),
    "executor": (
        "an object with a method run(job, scope)",
        lambda value: value is None or callable(getattr(value, "run", None)),
    ),
}


def check(options: Mapping[str, object]) -> None:
    """Raise ``TypeError`` for a wrong name or type of an option, ``ValueError`` for a wrong value; read no file."""
    for name, value in options.items():
        if name not in NAMES and name not in _SOURCES:
            hint = did_you_mean(name, NAMES | _SOURCES) or f"expected one of: {', '.join(sorted(NAMES))}"
            raise TypeError(f'unknown option "{name}" of HookEngine; {hint}')
        if name in CHOICES:
            _check_choice(name, value)
        if name in _KINDS and not _KINDS[name][1](value):
            raise TypeError(f"{name} must be {_KINDS[name][0]}, got {value!r}")
    check_options(options.get("fs"), options.get("limits"), ())
    if (cwd := options.get("cwd")) is not None:
        path_of(cwd)  # type: ignore[arg-type]
    if (env := options.get("env")) is not None:
        check_environment(env)
    mounts = options.get("mounts")
    if not isinstance(mounts, Mapping):
        return
    for at, fs in mounts.items():
        if not isinstance(fs, (str, os.PathLike, FileSystem)):
            raise TypeError(f'mounts["{at}"] must be a FileSystem or the path of a directory, got {fs!r}')


def _check_choice(name: str, value: object) -> None:
    choices = CHOICES[name]
    if value in choices:
        return
    *first, last = [f'"{word}"' for word in choices if word is not None]
    message = f"{name} must be {', '.join(first)} or {last}, got {value!r}"
    hint = ""
    if isinstance(value, str):
        hint = did_you_mean(value, [str(word) for word in choices if word])
    if hint:
        message += f"; {hint}"
    raise ValueError(message)


def check_fire_arguments(timeout: object, session: object, scope: object) -> None:
    """Raise ``TypeError`` or ``ValueError`` if an argument of ``fire`` beside the event is invalid."""
    if timeout is not None:
        check_seconds("timeout", timeout)
    if session is not None and not isinstance(session, (str, HookSession)):
        raise TypeError(f"session must be a HookSession (engine.session()) or an id, got {session!r}")
    if scope is not None and not isinstance(scope, CancelScope):
        raise TypeError(f"scope must be a CancelScope, got {scope!r}")


# -- settings ---------------------------------------------------------------------------------------------------------


def _seconds(value: object) -> bool:
    # A bool is an int to Python, but ``timeout=True`` is surely a mistake.
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isfinite(value) and value > 0


_SETTINGS: dict[str, tuple[str, Test]] = {
    "string": ("a string", lambda value: isinstance(value, (str, os.PathLike))),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "seconds": ("a number of seconds above 0", _seconds),
    "strings": (
        "a list of strings",
        lambda value: isinstance(value, (list, tuple)) and all(isinstance(item, (str, os.PathLike)) for item in value),
    ),
    "object": ("a mapping", lambda value: isinstance(value, Mapping)),
}


def settings_of(
    loaded: Sequence[Dialect], settings: Mapping[str, JSON] | None, strict: bool
) -> tuple[dict[str, JSON], list[Diagnostic]]:
    """Return the valid settings, and diagnostics for the others. Raises ``ConfigError`` for these under ``strict``.

    A host passes the same settings whatever systems it finds, so a setting of a system that is not loaded is valid.
    """
    diagnostics: list[Diagnostic] = []
    used: dict[str, JSON] = {}
    for name, value in (settings or {}).items():
        kinds = [dialect.settings[name].kind for dialect in loaded if name in dialect.settings]
        wrong = _expected_instead(kinds, value)
        if wrong:
            shown = value if isinstance(value, (bool, int, float)) else type(value).__name__  # it may be a secret
            message = f"{name} must be {wrong}, not {shown}; it is ignored"
            diagnostics.append(Diagnostic("settings", 0, 0, message, severity="warning", code="setting-invalid"))
        elif kinds or (isinstance(name, str) and _known_elsewhere(name)):
            used[name] = _plain(value)
        else:
            known: set[str] = set()
            for dialect in loaded:
                known.update(dialect.settings)
            hint = did_you_mean(str(name), known)
            if not hint and known:
                hint = f"expected one of: {', '.join(sorted(known))}"
            message = f'unknown setting "{name}"'
            diagnostics.append(Diagnostic("settings", 0, 0, message, hint, severity="warning", code="setting-unknown"))
    if diagnostics and strict:
        raise ConfigError(diagnostics)
    return used, diagnostics


def _expected_instead(kinds: Iterable[str], value: JSON) -> str:
    """Return the kind of value that a setting must have, if this value is not of it; else ``""``."""
    if value is None:
        return ""
    for kind in kinds:
        description, is_valid = _SETTINGS[kind]
        if not is_valid(value):
            return description
    return ""


def _plain(value: JSON) -> JSON:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _known_elsewhere(name: str) -> bool:
    from .. import dialects

    return any(name in dialects.dialect_class(one).settings for one in dialects.names())
