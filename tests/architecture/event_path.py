"""How far an event is from ``HookEngine.fire`` to the first command of its hook, and the names that it has on the way.

The frames are those of the package on the stack when the shell runs the first command. A name is a parameter, a local
variable or an attribute that holds the event's fields in any form: the mapping or the text of the caller, the payload of
a system, its text on stdin, or the tool's input in them. Functions that take any JSON value or any bytes (``ANY``) do not
count. ``python -m tests.architecture.event_path`` prints both.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from inspect import CO_VARARGS, CO_VARKEYWORDS
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from pyshellhooks import HookEngine, dialects

from .rooms import PACKAGE

MARK = "the input of this call"  # a text that nothing else contains
ANY = ("jsontext/", "streams/", "jsontext/compact.py", "jsontext/chunks.py", "jsontext/repeated_keys.py")
#: System, event and form in which a host fires it: the ways differ in the translation and in the reading of the fields.
FIRINGS = (
    ("crush", "PreToolUse", "mapping"),
    ("crush", "PreToolUse", "keywords"),
    ("crush", "PreToolUse", "text"),
    ("claude_code", "PreToolUse", "mapping"),
    ("claude_code", "before_tool", "mapping"),
    ("gemini", "before_tool", "mapping"),
    ("docker_agent", "before_tool", "mapping"),
)


class EventPath(NamedTuple):
    """The frames of one firing, outermost first, and each name with the functions that use it."""

    frames: list[str]
    names: dict[str, list[str]]


class Walk:
    """A profile function that follows one firing to the first command."""

    def __init__(self) -> None:
        self.frames: list[str] = []
        self.names: dict[str, dict[str, None]] = {}

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Look at the parameters of a call, and at the variables and their attributes at its end."""
        code = frame.f_code
        if self.frames or event not in ("call", "return") or not is_package_code(code):
            return
        caller = frame.f_back
        if event == "call" and place(code).startswith("interp/compile/") and caller is not None:
            if caller.f_code.co_name == "run_main":
                self.frames = [place(code) for code in stack(caller)]
                return
        if place(code).startswith(ANY):
            return
        if event == "call":
            for name in parameters(code):
                self.look(name, frame.f_locals.get(name), code)
            return
        for name, value in frame.f_locals.items():
            self.look(name, value, code)
            for attribute, part in attributes(value):
                self.look(attribute, part, code)

    def look(self, name: str, value: object, code: CodeType) -> None:
        """Add a name if its value is the event's; ``_fields`` and ``fields`` are one name."""
        if contains_event(value):
            self.names.setdefault(name.strip("_"), {})[place(code)] = None


def contains_event(value: object) -> bool:
    """Return whether a value is the fields of the event, or the tool's input in them, in any form and translation."""
    if isinstance(value, bytes):
        return MARK.encode() in value
    if isinstance(value, tuple):
        return any(map(contains_event, value))
    return is_input(value) or (isinstance(value, dict) and any(map(is_input, value.values())))


def is_input(value: object) -> bool:
    """Return whether a value is the tool's input, or JSON text that contains it."""
    if isinstance(value, str):
        return value.startswith("{") and MARK in value
    return isinstance(value, dict) and value.get("command") == MARK


def is_package_code(code: CodeType) -> bool:
    """Return whether the package defines a function."""
    return code.co_filename.startswith(f"{PACKAGE}/")


def place(code: CodeType) -> str:
    """Return the file and the name of a function of the package."""
    return f"{Path(code.co_filename).relative_to(PACKAGE).as_posix()} {code.co_qualname}"


def stack(frame: FrameType | None) -> list[CodeType]:
    """Return the functions of the package on the stack of a frame, outermost first."""
    functions = []
    while frame is not None:
        if is_package_code(frame.f_code):
            functions.append(frame.f_code)
        frame = frame.f_back
    return functions[::-1]


def parameters(code: CodeType) -> tuple[str, ...]:
    """Return the names of a function's parameters."""
    stars = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


def attributes(value: object) -> Iterator[tuple[str, object]]:
    """Yield the attributes that an object of the package has; one that is computed when it is read is not read."""
    kind = type(value)
    if not kind.__module__.startswith("pyshellhooks"):
        return
    slots = [name for base in kind.__mro__ for name in getattr(base, "__slots__", ()) if not name.startswith("__")]
    for name in (*slots, *getattr(value, "__dict__", ())):
        try:
            yield name, object.__getattribute__(value, name)
        except AttributeError:
            continue


def followed(dialect: str, event: str, form: str) -> EventPath:
    """Fire an event at an engine that has fired it before, and return its path."""
    fields: dict[str, Any] = {"session_id": "a", "cwd": "/", "tool_name": "bash", "tool_input": {"command": MARK}}
    walk = Walk()
    system = dialects.get(dialect)
    before_tool = next(row for row in system.events.values() if "before_tool" in row.neutral)
    hook = system.added(before_tool.native, "true")
    with HookEngine(dialect, [hook], cwd="/", env={}) as engine:
        engine.fire(event, {**fields, "tool_input": {"command": "imports modules and fills caches"}})
        sys.setprofile(walk)
        try:
            if form == "keywords":
                engine.fire(event, **fields)
            else:
                engine.fire(event, json.dumps(fields) if form == "text" else fields)
        finally:
            sys.setprofile(None)
    return EventPath(walk.frames, {name: list(places) for name, places in walk.names.items()})


def all_names() -> dict[str, list[str]]:
    """Return the names in all firings, each with the functions that use it."""
    names: dict[str, dict[str, None]] = {}
    for firing in FIRINGS:
        for name, places in followed(*firing).names.items():
            names.setdefault(name, {}).update(dict.fromkeys(places))
    return {name: list(places) for name, places in names.items()}


def main() -> None:
    """Print the frames of the first firing, and the names of all."""
    frames = followed(*FIRINGS[0]).frames
    print(f"{len(frames)} frames from fire to the first command:")
    print("".join(f"  {frame}\n" for frame in frames))
    names = all_names()
    print(f"{len(names)} names: {' '.join(names)}")
    for name, places in names.items():
        print(f"  {name}:", *places, sep="\n    ")


if __name__ == "__main__":
    main()
