"""One system's guards on a workbench: real config files in a directory, spoiled by a fault, mended, and fired at."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyshellhooks import ConfigError, HookEngine, Verdict

from .systems import EVENTS, FILES, Entry, Event, config

PROGRAMS = "/usr/bin:/bin"  # where the real interpreters are


def reading(event: Event) -> str:
    """Take the payload from where the system puts it."""
    return 'printf %s "$EVERRUNS_HOOK_PAYLOAD_JSON" | ' if event.system == "everruns" else ""


def no(event: Event) -> str:
    """Say no in the event's own way: an answer in JSON, or an exit status."""
    if isinstance(event.answer, int):
        return f"echo no >&2; exit {event.answer}"
    return f"echo '{json.dumps(event.answer)}'"


def deciding(event: Event, variable: str = "x") -> str:
    """Deny what has the mark, and let everything else pass."""
    return f"case ${variable} in *'{event.mark}'*) {no(event)} ;; *) {event.otherwise or ':'} ;; esac"


def inline(event: Event, before: str = "") -> str:
    """Write a guard as people write it into a config: jq, then a case. ``before`` runs first."""
    return f"{before}x=$({reading(event)}jq -r '{event.look}'); {deciding(event)}"


def script(event: Event, shebang: str = "#!/bin/bash", before: str = "") -> str:
    """Write a guard as a file of builtins only, so that it needs no program but its interpreter."""
    read = "x=$EVERRUNS_HOOK_PAYLOAD_JSON" if event.system == "everruns" else "IFS= read -r x"
    return f"{shebang}\n{before}{read}\n{deciding(event)}\n"


class Bench:
    """The guards of one system, one for each event, healthy until a fault spoils them."""

    def __init__(self, system: str, root: Path, events: list[Event] | None = None) -> None:
        self.system = system
        self.root = root
        self.events = EVENTS[system] if events is None else events
        self.entries = [Entry(event, inline(event)) for event in self.events]
        self.text: Callable[[str], bytes] = str.encode  # how the config file is written
        self.env = {"PATH": f"{root}/bin:{PROGRAMS}", "HOME": f"{root}/home"}
        self.options: dict[str, Any] = {"mounts": {"/workspace": str(root)}} if system == "everruns" else {}
        self.alter: Callable[[Event, dict[str, Any]], Any] = lambda event, fields: fields
        self.name: Callable[[Event], str] = lambda event: event.native
        self.agent: dict[str, Any] = {}  # the tools that the host checks when it starts
        self.said: list[str] = []  # what it was told then
        self.discovers = False  # by what the user has trusted, instead of by name
        self.writes = True  # whether loading writes the config file first
        (root / "guards").mkdir(parents=True)
        (root / "bin").mkdir()
        (root / "home").mkdir()

    @property
    def file(self) -> Path:
        return self.root / FILES[self.system]

    def commands(self, write: Callable[[Event], str]) -> None:
        """Write every guard's command anew."""
        for entry in self.entries:
            entry.command = write(entry.event)

    def script_of(self, event: Event) -> Path:
        return self.root / "guards" / f"{event.native}.sh"

    def scripts(self, write: Callable[[Event], str | bytes] = script, mode: int = 0o755) -> None:
        """Write every guard as a file, and run that."""
        for event in self.events:
            text = write(event)
            path = self.script_of(event)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            path.chmod(mode)
        self.commands(lambda event: f"./guards/{event.native}.sh")

    def program(self, name: str, text: str) -> None:
        """Install a program where the hooks' PATH leads."""
        path = self.root / "bin" / name
        path.write_text(text)
        path.chmod(0o755)
        if self.system == "everruns":
            self.options["mounts"] = {**self.options["mounts"], "/usr/local/bin": str(self.root / "bin")}

    # -- loading and firing -------------------------------------------------------------------------------------------

    def write(self) -> None:
        """Write the config file."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(self.text(config(self.system, self.entries)))

    def load(self, strict: bool) -> HookEngine:
        """Write the config file and load it as a host does, by its path alone, or as what lies in a project."""
        if self.writes:
            self.write()
        if self.discovers:
            engine = HookEngine.discover(str(self.root), self.system, env=self.env, strict=strict, **self.options)
        else:
            engine = HookEngine.load(self.file, cwd=str(self.root), env=self.env, strict=strict, **self.options)
        assert engine.dialect.name == self.system
        return engine

    def fire(self, engine: HookEngine, event: Event, text: str) -> Verdict:
        """Fire an event about a text."""
        told = self.alter(event, {"session_id": "s1", **event.fields(text)})
        if isinstance(told, str):
            return engine.fire(self.name(event), told)
        return engine.fire(self.name(event), **told)

    def outcomes(self, strict: bool, good: bool = False) -> dict[Event, Verdict | Exception]:
        """Fire the bad call (or the good one) of every event; what keeps an engine from loading stands for all."""
        try:
            engine = self.load(strict)
            found_odd = engine.check_tools(self.agent) if self.agent else []
            self.said = [str(one) for one in (*engine.diagnostics, *found_odd)]
        except ConfigError as error:
            return dict.fromkeys(self.events, error)
        found: dict[Event, Verdict | Exception] = {}
        with engine:
            for event in self.events:
                try:
                    found[event] = self.fire(engine, event, event.good if good else event.bad)
                except TypeError as error:
                    found[event] = error
        return found

    def lines(self, event: Event) -> range:
        """Return the lines of the config file in which an event's hook stands."""
        written = config(self.system, self.entries).splitlines()
        starts = {}
        for other in self.events:
            mark = f'"{other.native}"' if self.system != "docker_agent" else f"{other.native}:"
            starts[other] = next(number for number, line in enumerate(written, 1) if mark in line)
        after = [start for start in starts.values() if start > starts[event]]
        slack = 3 if self.system == "everruns" else 0  # its hooks name their event inside
        return range(starts[event] - slack, min(after, default=len(written) + 1))

    def names(self, event: Event) -> list[str]:
        """Return by what a notice may name an event's hook: its id, or the beginning of its command."""
        entry = next(entry for entry in self.entries if entry.event is event)
        own = [f"guard-{event.native}"] if self.system == "everruns" else [f":{event.native}:"]
        said = str(next(iter(entry.asks.values()))) if entry.asks else entry.command
        return [*own, said.strip().partition("\n")[0][:40]]
