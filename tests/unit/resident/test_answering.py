"""A payload in, an answer in the same words out; what goes wrong with us denies what the event guards."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from installing import DENIES, DENY
from installing import Project as InstalledProject
from resident_runs import Project, payload

from conformance.shapes import SHAPES
from pyshellhooks import HookEngine, dialects
from pyshellhooks.hooks.dialect import GUARDED
from pyshellhooks.hooks.fields import sample
from pyshellhooks.hooks.model import HookRun
from pyshellhooks.resident import answering, fallback
from pyshellhooks.resident import engines as engines_module
from pyshellhooks.resident.answering import HookReply, Request, answer
from pyshellhooks.resident.engines import Engines
from pyshellhooks.resident.project import VARIABLES as project_variables

SYSTEMS = dialects.names()
EVENTS = [(name, row.native) for name in SYSTEMS for row in dialects.get(name).events.values()]
DENYING = "echo 'not now' >&2; exit 2"


def denying_config(system: str, event: str) -> dict[str, Any]:
    """Return a config of a system with one hook, which denies."""
    return SHAPES[system](event, [{"command": DENYING}])


def raw(system: str, event: str) -> bytes:
    """Return a payload of an event as the system writes it."""
    dialect = dialects.get(system)
    row = dialect.event(event)[0]
    fields = {name: value for name, value in sample(row, False).items() if value is not None}
    return json.dumps({dialect.event_key: event, **fields}).encode()


def told(words: tuple[str, ...], data: bytes, cwd: Path) -> HookReply:
    with Engines() as engines:
        return answer(Request(words, data, {"PATH": "/usr/bin:/bin"}, str(cwd)), engines)


@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "everruns"])
def test_after_the_time_for_all_hooks_the_call_is_denied(system: str, tmp_path: Path) -> None:
    event = next(row.native for row in dialects.get(system).events.values() if row.neutral == ("before_tool",))
    slow = json.dumps(denying_config(system, event)).replace(DENYING, "sleep 60")
    (tmp_path / "hooks.json").write_text(slow, encoding="utf-8")
    words = (system, "--config", "hooks.json", "--project", str(tmp_path), "--timeout", "0.1")
    assert told(words, raw(system, event), tmp_path).decision == "deny"


@pytest.mark.parametrize(("system", "event"), EVENTS)
def test_a_deny_is_said_as_a_hook_of_that_system_says_it(system: str, event: str, tmp_path: Path) -> None:
    config = tmp_path / "hooks.json"
    config.write_text(json.dumps(denying_config(system, event)), encoding="utf-8")
    data = raw(system, event)
    found = told((system, "--config", "hooks.json", "--project", str(tmp_path)), data, tmp_path)
    dialect = dialects.get(system)
    engine = HookEngine.load(str(config), system, env={"PATH": "/usr/bin:/bin"}, cwd=str(tmp_path))
    name, fields = dialect.read(data)
    verdict = engine.fire(name, fields)
    assert (found.stdout, found.status) == tuple(dialect.answer(name, verdict, fields)[:2])
    if dialect.event(event)[0].guards in GUARDED and event != "PermissionRequest":  # not by status 2 (claude_code 6)
        assert found.decision in ("deny", "halt")


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("system", "event"), EVENTS)
@pytest.mark.parametrize("fault", ["no such config", "broken config", "wrong words", "no directory"])
def test_a_failure_of_ours_denies_what_the_event_guards(system: str, event: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    words = {
        "no such config": (system, "--config", str(tmp_path / "missing.json")),
        "broken config": (system, "--config", str(tmp_path / "broken.json")),
        "wrong words": (system, "--confg", "x"),
        "no directory": (system, "--project", "nowhere", "--config", "x.json"),
    }[fault]
    found = told(words, raw(system, event), tmp_path)
    dialect = dialects.get(system)
    row = dialect.event(event)[0]
    assert "pyshellhooks" in found.stdout + found.stderr
    if row.guards in GUARDED:
        run = HookRun(stdout=found.stdout.encode(), stderr=found.stderr.encode(), status=found.status)
        assert denied(system, event, run), found
    else:
        assert found.status == 1, "a status that decides nothing"


def denied(system: str, event: str, run: HookRun) -> bool:
    """Read an answer with the system's own reader."""
    dialect = dialects.get(system)
    engine = HookEngine.load(denying_config(system, event), dialect, executor=Fixed(run))
    verdict = engine.fire(event, dialect.read(raw(system, event))[1])
    return verdict.blocked or verdict.withholds


class Fixed:
    """An executor whose hooks all end in the same way."""

    def __init__(self, run: HookRun) -> None:
        self._run = run

    def run(self, job: object, scope: object) -> HookRun:
        return self._run


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_last_resort_knows_what_events_guard(system: str) -> None:
    rows = dialects.get(system).events.values()
    assert fallback.GUARDED[system].split() == [row.native for row in rows if row.guards in GUARDED]


@pytest.mark.parametrize(("system", "event"), EVENTS)
def test_the_last_resort_denies_what_an_event_guards(system: str, event: str) -> None:
    stdout, status, stderr = fallback.denied(system, raw(system, event), "pyshellhooks: lost")
    assert stderr == b"pyshellhooks: lost\n"
    if dialects.get(system).event(event)[0].guards in GUARDED:
        assert denied(system, event, HookRun(stdout=stdout, stderr=stderr, status=status))
    else:
        assert (stdout, status) == (b"", 1)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'"x"', b"\xff", b"{}", b'{"hook_event_name": 3}', b"[" * 100_000])
def test_a_payload_that_cannot_be_read_denies(data: bytes, tmp_path: Path) -> None:
    """Nobody knows what it guards."""
    found = told(("claude_code",), data, tmp_path)
    assert (found.stdout, found.status) == ("", 2)
    assert found.stderr.startswith("pyshellhooks: ")
    assert "Traceback" not in found.stderr
    assert fallback.denied("claude_code", data, "lost") == (b"", 2, b"lost\n")


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(("system", "event"), EVENTS)
def test_marks_before_a_payload_count_for_nothing(system: str, event: str) -> None:
    """Cursor writes one or two byte order marks on Windows (stablyai/orca#21437, GitGuardian/ggshield#1453)."""
    data = raw(system, event)
    dialect = dialects.get(system)
    for marks in (1, 2, 5):
        assert dialect.read(MARK * marks + data) == dialect.read(data)
        assert dialect.read("\ufeff" * marks + data.decode()) == dialect.read(data)
        assert fallback.denied(system, MARK * marks + data, "lost") == fallback.denied(system, data, "lost")


@pytest.mark.parametrize("marks", [0, 1, 2])
def test_a_hook_is_asked_about_a_payload_with_marks(marks: int, tmp_path: Path) -> None:
    config = tmp_path / "hooks.json"
    config.write_text(json.dumps(denying_config("cursor", "preToolUse")), encoding="utf-8")
    words = ("cursor", "--config", "hooks.json", "--project", str(tmp_path))
    assert "not now" in told(words, MARK * marks + raw("cursor", "preToolUse"), tmp_path).stdout
    assert told(("cursor",), MARK * marks + raw("cursor", "preToolUse"), tmp_path).status == 0


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(encoding: str, tmp_path: Path) -> None:
    text = raw("claude_code", "PreToolUse").decode()
    found = told(("claude_code",), (text if encoding == "utf-16" else "\ufeff" + text).encode(encoding), tmp_path)
    assert (found.status, found.stdout) == (2, "")
    assert found.stderr == "pyshellhooks: the payload is not a JSON object: it is UTF-16; send it as UTF-8\n"


def test_an_event_that_we_do_not_know_is_told(tmp_path: Path) -> None:
    found = told(("claude_code",), payload("ls", event="NextYearsEvent"), tmp_path)
    assert found.status == 1
    assert 'no event "NextYearsEvent"' in found.stderr


@pytest.mark.parametrize(("system", "variable"), project_variables.items())
def test_a_model_that_goes_elsewhere_takes_its_guards_along(system: str, variable: str, tmp_path: Path) -> None:
    """What the agent tells as the project counts, not the directory that it is in."""
    event = fallback.GUARDED[system].split()[0]
    (tmp_path / "project").mkdir()
    (tmp_path / "elsewhere").mkdir()
    options = answering.options_of((system,))
    fields = {"cwd": str(tmp_path / "elsewhere")}
    project = str(tmp_path / "project")
    request = Request((system,), b"", {variable: project}, str(tmp_path / "elsewhere"))
    assert answering.place_of(options, fields, request) == Path(project).as_posix()
    relative = told((system, "--config", "hooks.json"), raw(system, event), tmp_path)
    assert "absolute" in relative.stdout + relative.stderr
    assert relative.decision == "deny"


@pytest.mark.parametrize("system", sorted(set(project_variables) & set(DENIES)))
def test_a_model_that_goes_elsewhere_moves_no_variable_of_its_guards(system: str, tmp_path: Path) -> None:
    """Its guards start scripts in the directory that the variable names; without --installed, too."""
    variable = project_variables[system]
    config, event = DENIES[system]
    command = f'echo "<${variable}>" >&2; exit 2'
    project = InstalledProject(tmp_path / "project", system, json.loads(json.dumps(config).replace(DENY, "COMMAND")))
    text = project.settings.read_text().replace('"COMMAND"', json.dumps(command))
    project.settings.write_text(text)
    (tmp_path / "elsewhere").mkdir()
    sent = {**event, "cwd": str(tmp_path / "elsewhere"), "session_id": "s", "tool_input": {"command": "ls"}}
    env = {**project.env, variable: str(project.path), "PYSHELLHOOKS_TRUST": "1"}
    with Engines() as engines:
        found = answering.answer(Request((system,), json.dumps(sent).encode(), env, str(project.path)), engines)
    assert found.decision == "deny"
    output = (found.stdout + found.stderr).replace("\\\\", "/").replace("\\", "/")  # Windows' paths, in JSON too
    assert f"<{project.path.as_posix()}>" in output


@pytest.mark.parametrize("words", [(), ("nobody",), ("claude_code@never",)])
def test_a_system_that_is_none_denies(words: tuple[str, ...], tmp_path: Path) -> None:
    assert told(words, payload("ls"), tmp_path).status == 2


def test_hooks_that_nobody_trusts_are_told(project: Project, place: str) -> None:
    found = told(("claude_code",), payload("rm x", project.path), project.path)
    assert (found.status, found.stdout) == (1, "")
    assert "trust" in found.stderr


def test_a_changed_config_counts_at_once(project: Project, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("claude_code", "--trust-project")
    with Engines() as engines:

        def ask() -> HookReply:
            return answer(Request(words, payload("rm x", project.path), {}, str(project.path)), engines)

        assert ask().decision == "deny"
        project.write("exit 0")
        assert ask().decision == "none"
        assert len(engines) == 1
        project.settings.write_text("{", encoding="utf-8")
        assert ask().decision == "deny", "a config that can't be read"
        project.settings.unlink()
        assert ask().decision == "deny", "it was removed a moment ago, perhaps to be written anew"
        monkeypatch.setattr(engines_module, "RECENT", 0.0)
        assert ask().decision == "none"
        monkeypatch.setattr(engines_module, "RECENT", 10.0)
        project.settings.write_text("", encoding="utf-8")
        assert ask().decision == "deny", "it is empty since a moment ago"
        monkeypatch.setattr(engines_module, "RECENT", 0.0)
        assert ask().decision == "none"
        project.write(DENYING)
        assert ask().decision == "deny"


def test_a_conversation_outlives_its_engine(project: Project, place: str) -> None:
    """A stop hook that refuses for ever is overruled although the config changes in between."""
    words = ("claude_code", "--trust-project")
    counted = []
    with Engines() as engines:
        for turn in range(12):
            project.write(f"echo 'go on {turn}' >&2; exit 2")
            data = payload("", project.path, "Stop", stop_hook_active=turn > 0)
            found = answer(Request(words, data, {}, str(project.path)), engines)
            counted.append('"block"' in found.stdout)
    assert counted[:8] == [True] * 8
    assert counted[8] is False, "it is overruled"


def test_background_work_ends_with_its_hook_if_the_process_does_not_stay(project: Project, place: str) -> None:
    """Also with a hook that needs a handler beside it."""
    hooks = [{"type": "command", "command": "sleep 60 &"}, {"type": "prompt", "prompt": "x"}]
    project.settings.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": hooks}]}}), encoding="utf-8")
    options = answering.options_of(("claude_code", "--trust-project"))
    with Engines(stays=False) as engines, engines.borrowed(options, str(project.path), {}) as engine:
        assert engine.runner.shells is not None and not engine.runner.shells.leaves_running


def test_variables_go_to_the_file_that_claude_code_names(project: Project, place: str, tmp_path: Path) -> None:
    groups = [{"hooks": [{"type": "command", "command": "echo 'export A=1' >> \"$CLAUDE_ENV_FILE\""}]}]
    project.settings.write_text(json.dumps({"hooks": {"SessionStart": groups}}), encoding="utf-8")
    file = tmp_path / "env"
    data = payload("", project.path, "SessionStart", source="startup")
    with Engines() as engines:
        answer(
            Request(("claude_code", "--trust-project"), data, {"CLAUDE_ENV_FILE": str(file)}, str(project.path)),
            engines,
        )
    assert file.read_text() == "export A=1\n"


def test_a_config_that_is_being_written_never_counts_as_none(project: Project, place: str) -> None:
    """Whoever writes a file empties it first, or removes it: for a moment there is no guard."""
    words = ("claude_code", "--trust-project")
    text = project.settings.read_text(encoding="utf-8")
    over = threading.Event()

    def write() -> None:
        number = 0
        while not over.is_set():
            number += 1
            with suppress(OSError):  # Windows, while somebody reads it
                if number % 3 == 0:
                    project.settings.unlink()
                project.settings.write_text(text + " " * (number % 5), encoding="utf-8")
            time.sleep(0.005)

    thread = threading.Thread(target=write)
    request = Request(words, payload("rm x", project.path), {}, str(project.path))
    with Engines() as engines:
        assert answer(request, engines).decision == "deny"  # from now on it is known that there is a config
        thread.start()
        try:
            found = Counter(answer(request, engines).decision for _ in range(100))
        finally:
            over.set()
            thread.join()
    assert set(found) == {"deny"}
