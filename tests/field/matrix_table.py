"""The rows of ``matrix_*.toml``: one session of an agent each, with hooks that answer in one way, and their outcome.

A row is the table ``[kind.name]``. Its keys:

``hooks``    the handlers of one group under ``event`` (default: before a tool call); ``group`` holds further keys of it.
             Of a handler, ``run``, ``out``, ``err`` and ``exit`` make its command: shell text, what it prints on stdout
             and on stderr (``@NAME`` is an answer of the table ``[answers]``), and its exit status. Its other keys are
             written as they are, and so is a handler with a ``command`` or a ``type`` of its own.
``settings`` instead of it: the text of the config file; ``@guard`` stands for a handler that blocks, ``@mark(NAME)`` for
             one that makes the file NAME
``bom``      the file begins with a byte order mark
``asks``     the agent would ask a person before a tool runs, without a terminal
``ours``     the facts that differ in some editions of ours (``in``), and ``because``: the decision or the page with the
             reason. ``untold`` is the reason why no notice tells of a call that the program lets pass

The hooks' words tell who read them: REASON, CONTEXT, MESSAGE, STOP (``stopReason``), TEXT (stdout) and ERROR (stderr).
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.field.mishap_table import AGENTS, FOLDER, GUARD, Agent

WORDS = ("REASON", "CONTEXT", "MESSAGE", "STOP", "TEXT", "ERROR")
EDITIONS = {
    "claude_code": ("claude_code", "claude_code@shipped"),
    "gemini": ("gemini", "gemini@document", "gemini@shipped"),
}
SETUP = ("hooks", "event", "group", "settings", "bom", "asks")
#: What the model calls, and how a hook's rewrite differs from it.
CALL = {"command": "echo done; touch ran", "description": "work"}
_MAKES = ("run", "out", "err", "exit")


class Facts(NamedTuple):
    """The outcome of one session, as it can be seen from outside.

    ``call``    the tool's call: it "ran", a "changed" one ran, or "none" did
    ``made``    files that the hooks made, and how many lines each has
    ``asked``   how often the agent asked its model
    ``model``   which of the hooks' words the model read
    ``person``  which of them the person saw
    """

    call: str
    made: dict[str, int]
    asked: int
    model: list[str]
    person: list[str]


class Session(NamedTuple):
    """One row."""

    system: str
    kind: str
    name: str
    setup: Mapping[str, Any]
    answers: Mapping[str, Any]
    ours: Sequence[Mapping[str, Any]]

    def __str__(self) -> str:
        return f"{self.kind}-{self.name}"

    def difference(self, edition: str) -> Mapping[str, Any]:
        """Return the expected difference between an edition of ours and the program; nothing if they agree."""
        return next((one for one in self.ours if edition in one["in"]), {})

    @property
    def agent(self) -> Agent:
        """Return the common part of its system's rows."""
        return AGENTS[self.system]

    @property
    def digest(self) -> str:
        """Return a digest of all that the agent reads: an answer that was recorded for another setup does not count."""
        text = json.dumps([self.system, self.config_text(), self.setup.get("asks", False), CALL])
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def handlers(self) -> list[dict[str, Any]]:
        """Return the handlers that ``hooks`` describes."""
        return [self._handler(row) for row in self.setup.get("hooks", ())]

    def _handler(self, row: Mapping[str, Any]) -> dict[str, Any]:
        own = {name: value for name, value in row.items() if name not in _MAKES}
        if not set(row) & set(_MAKES):
            return own
        steps = [row["run"]] if "run" in row else []
        for stream, ending in (("out", ""), ("err", " >&2")):
            if stream in row:
                steps.append(f"printf '%s\\n' '{self._printed(row[stream])}'{ending}")
        if "exit" in row:
            steps.append(f"exit {row['exit']}")
        return {"type": "command", "command": "; ".join(steps), **own}

    def _printed(self, answer: Any) -> str:
        if isinstance(answer, str):
            return re.sub(r"@(\w+)", lambda name: json.dumps(self.answers[name[1]]), answer)
        return json.dumps(answer)

    def config_text(self) -> str:
        """Return the text of the config file."""
        mark = "\ufeff" if self.setup.get("bom") else ""
        if "settings" in self.setup:
            text = self.setup["settings"].replace("@guard", json.dumps({"type": "command", "command": GUARD}))
            return mark + re.sub(r"@mark\((\w+)\)", lambda name: _marking(name[1]), text)
        group = {**self.setup.get("group", {}), "hooks": self.handlers()}
        return mark + json.dumps({"hooks": {self.setup.get("event", self.agent.event): [group]}})

    def write(self, root: Path) -> Path:
        """Write the project below ``root``, and return its config file."""
        project = root / "project"
        for name in ("objects", "refs"):
            (project / ".git" / name).mkdir(parents=True)
        (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        config = project / self.agent.config
        config.parent.mkdir(parents=True)
        config.write_text(self.config_text(), encoding="utf-8")
        return config

    def words(self, text: str) -> list[str]:
        """Return which of the hooks' words are in a text; the hooks' own commands in it do not count."""
        for handler in self.handlers():
            command = handler.get("command", "")
            text = text.replace(command, "") if command else text
        return [word for word in WORDS if re.search(rf"\b{word}\b", text)]


def _marking(name: str) -> str:
    return json.dumps({"type": "command", "command": f"echo >> {name}"})


def looked_at(project: Path) -> tuple[str, dict[str, int]]:
    """Return which call ran in a project, and the files that its hooks made."""
    call = next((name for name in ("changed", "ran") if (project / name).exists()), "none")
    others = [path for path in project.iterdir() if path.is_file() and path.name not in ("changed", "ran")]
    return call, {path.name: len(path.read_text().splitlines()) for path in sorted(others)}


@cache
def sessions(system: str) -> tuple[Session, ...]:
    """Read the rows of one system."""
    table = tomllib.loads((FOLDER / f"matrix_{system}.toml").read_text(encoding="utf-8"))
    answers = table.pop("answers")
    return tuple(_row(system, kind, name, row, answers) for kind, rows in table.items() for name, row in rows.items())


def _row(system: str, kind: str, name: str, row: Mapping[str, Any], answers: Mapping[str, Any]) -> Session:
    unknown = set(row) - {*SETUP, "ours"}
    if unknown:
        raise ValueError(f"{kind}.{name}: there is no key {sorted(unknown)}")
    setup = {key: value for key, value in row.items() if key in SETUP}
    return Session(system, kind, name, setup, answers, row.get("ours", ()))
