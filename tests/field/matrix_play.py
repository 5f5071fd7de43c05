"""Play the sessions of ``matrix_*.toml`` with our engine in the agent's place, and compare with the program's outcome."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from pyshellhooks import ConfigError, Decision, HookEngine, HookSession, Verdict
from pyshellhooks.notice import Notice
from tests import recorded
from tests.field.matrix_table import CALL, FOLDER, Facts, Session, looked_at
from tests.field.mishap_reports import TELLING

MOST_STOPS = 12  # of a session that its hooks keep from ending


class Outcome(NamedTuple):
    """A session of ours: its facts, the kinds of all notices, and the reasons of the verdicts that blocked."""

    facts: Facts
    kinds: frozenset[str]
    reasons: tuple[str, ...]


class Player:
    """One session: fires the events that the agent would, and keeps who reads which texts."""

    def __init__(self, row: Session, engine: HookEngine, project: Path) -> None:
        self.row = row
        self.engine = engine
        self.project = project
        self.session: HookSession = engine.session("matrix")
        self.kinds: set[str] = set()
        self.reasons: list[str] = []
        self.model: list[str] = []
        self.person: list[str] = []
        self.asked = 0

    def fire(self, event: str, **fields: Any) -> Verdict:
        """Fire one event; what the person sees and the model reads of it in any case is kept."""
        verdict = self.engine.fire(event, {"cwd": str(self.project), **fields}, session=self.session)
        self.kinds |= {one.kind for one in verdict.notices if isinstance(one, Notice)}
        self.person.append(verdict.user_message)
        if not verdict.halt:
            self.model.append(verdict.context)
        if verdict.blocked:
            self.reasons.append(verdict.reason)
        return verdict

    def show_both(self, text: str) -> None:
        """Keep a text that the model reads and the person sees."""
        self.model.append(text)
        self.person.append(text)

    def end(self, event: str, **fields: Any) -> Iterator[str]:
        """Let the agent end, and go on as often as a hook has it; yield the texts with which it goes on."""
        for number in range(MOST_STOPS):
            verdict = self.fire(event, stop_hook_active=number > 0, **fields)
            if verdict.followup is None:
                return
            yield verdict.followup
            self.asked += 1


def _claude(player: Player) -> None:
    player.fire("SessionStart", source="startup")
    prompt = player.fire("UserPromptSubmit", prompt="go")
    if prompt.blocked:
        player.person.append(prompt.reason)
        return
    player.asked += 1
    tool = {"tool_name": "Bash", "tool_use_id": "toolu_1"}
    gate = player.fire("PreToolUse", tool_input=CALL, **tool)
    if gate.halt:
        return
    call = gate.updated_input or CALL
    permitted = gate.proceeds
    if player.row.setup.get("asks") and gate.decision is Decision.NONE:
        request = player.fire("PermissionRequest", tool_name="Bash", tool_input=call)
        permitted = request.decision is Decision.ALLOW
        if request.halt:
            return
        player.model.append(request.reason)
    if permitted:
        response = {"stdout": "done", "stderr": "", "interrupted": False, "isImage": False}
        after = player.fire("PostToolUse", tool_input=call, tool_response=response, **_run(player, call, tool))
        if after.halt:
            return
        player.model += [after.reason, str(after.updated_output or "")]
    elif not gate.proceeds:
        player.model.append(gate.reason)
    player.asked += 1
    player.model += player.end("Stop", last_assistant_message="done")


def _gemini(player: Player) -> None:
    player.fire("SessionStart", source="startup")
    prompt = player.fire("BeforeAgent", prompt="go")
    if prompt.blocked:
        player.person.append(prompt.reason)
        return
    if not _calls_model(player):
        return
    tool = {"tool_name": "run_shell_command"}
    gate = player.fire("BeforeTool", tool_input=CALL, **tool)
    if gate.halt or gate.needs_approval:  # without a person the program ends here
        return
    if gate.proceeds:
        call = gate.updated_input or CALL
        after = player.fire("AfterTool", tool_input=call, tool_response={}, **_run(player, call, tool))
        if after.halt:
            return
        player.show_both(after.reason)
    else:
        player.show_both(gate.reason)  # it shows the error that the model gets
    if _calls_model(player):
        for text in player.end("AfterAgent", prompt="go", prompt_response="done"):
            player.show_both(text)


def _calls_model(player: Player) -> bool:
    request = {"model": "m", "messages": [{"role": "user", "content": "go"}]}
    verdict = player.fire("BeforeModel", llm_request=request)
    if verdict.blocked:
        player.person.append(verdict.reason)
        return False
    player.asked += 1
    return True


def _run(player: Player, call: Mapping[str, Any], tool: dict[str, str]) -> dict[str, str]:
    """Run the call: it makes the file that its last word names."""
    (player.project / str(call["command"]).split()[-1]).touch()
    return tool


AGENTS: dict[str, Callable[[Player], None]] = {"claude_code": _claude, "gemini": _gemini}


def play(row: Session, edition: str, root: Path) -> Outcome:
    """Play a session with an edition of ours, in this process."""
    (root / "home").mkdir()
    config = row.write(root)
    environment = {"PATH": os.environ["PATH"], "HOME": str(root / "home")}
    with mock.patch.dict(os.environ, environment, clear=True):
        try:
            engine = HookEngine.load(str(config), edition, cwd=str(root / "project"))
        except ConfigError:
            return Outcome(Facts("refused", {}, 0, [], []), frozenset(), ())
        with engine:
            player = Player(row, engine, root / "project")
            AGENTS[row.system](player)
    call, made = looked_at(root / "project")
    model, person = ("\n".join(texts) for texts in (player.model, player.person))
    facts = Facts(call, made, player.asked, row.words(model), row.words(person))
    return Outcome(facts, frozenset(player.kinds), tuple(player.reasons))


def differing(expected: Mapping[str, Any], ours: Facts) -> dict[str, Any]:
    """Return the facts of ours that are others than the program's."""
    return {name: value for name, value in ours._asdict().items() if value != expected[name]}


def untold(expected: Mapping[str, Any], outcome: Outcome) -> Iterator[str]:
    """Yield where ours is kinder than the program, or stricter without a notice."""
    rank = {"none": 0, "refused": 0, "changed": 1, "ran": 1}
    ours, theirs = rank[outcome.facts.call], rank[expected["call"]]
    if ours > theirs:
        yield f"the program stops the call, and ours lets it pass: {outcome.facts.call}"
    if ours < theirs and not outcome.kinds & TELLING:
        yield "ours stops the call without a notice that the program lets it pass"


def answers(system: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the recorded outcomes of a system's program."""
    return {one["id"]: one for one in recorded.read(FOLDER / f"matrix_{system}.json")["cases"]}
