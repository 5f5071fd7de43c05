"""Extensions of Gemini CLI: which hooks run, and which files are reported. Each row was verified with Gemini CLI 0.61.0 (Linux)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from setup_files import build

from pyshellhooks import HookEngine
from pyshellhooks.dialects import get
from pyshellhooks.engine.checks.checker import check_file, files_at, problems_at
from pyshellhooks.resident.answering import Options
from pyshellhooks.resident.engines import Engines

CALL = {"tool_name": "run_shell_command", "tool_input": {"command": "ls"}}
BASE = "home/.gemini/extensions"
RECORD = ".gemini-extension-install.json"
COMMAND = 'echo "${extensionPath} ${workspacePath}" >&2; exit 2'
HOOKS = json.dumps({"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": COMMAND}]}]}})


def manifest(**keys: Any) -> str:
    return json.dumps({"name": "x", "version": "1", **keys})


GOOD = {f"{BASE}/x/gemini-extension.json": manifest(), f"{BASE}/x/hooks/hooks.json": HOOKS}


def rules(*given: str) -> dict[str, str]:
    return {**GOOD, f"{BASE}/extension-enablement.json": json.dumps({"x": {"overrides": given}})}


#: Files, whether the program runs the hook, and a part of our notice if it does not.
EXTENSIONS: dict[str, tuple[dict[str, str], bool, str]] = {
    "an extension": (GOOD, True, ""),
    "another name than its directory's": ({**GOOD, f"{BASE}/x/gemini-extension.json": manifest(name="y")}, True, ""),
    "a hidden directory": (
        {f"{BASE}/.x/gemini-extension.json": manifest(), f"{BASE}/.x/hooks/hooks.json": HOOKS},
        True,
        "",
    ),
    "a version that is a number": ({**GOOD, f"{BASE}/x/gemini-extension.json": manifest(version=1)}, True, ""),
    "no manifest": ({f"{BASE}/x/hooks/hooks.json": HOOKS}, False, "it has no gemini-extension.json"),
    "a manifest that is no JSON": ({**GOOD, f"{BASE}/x/gemini-extension.json": "{"}, False, "is not a JSON object"),
    "a manifest with a comment": (
        {**GOOD, f"{BASE}/x/gemini-extension.json": f"//\n{manifest()}"},
        False,
        "is not a JSON object",
    ),
    "a manifest with a mark": (
        {**GOOD, f"{BASE}/x/gemini-extension.json": f"\ufeff{manifest()}"},
        False,
        "is not a JSON object",
    ),
    "no name": ({**GOOD, f"{BASE}/x/gemini-extension.json": '{"version": "1"}'}, False, 'has no "name"'),
    "no version": ({**GOOD, f"{BASE}/x/gemini-extension.json": '{"name": "x"}'}, False, 'has no "version"'),
    "a name with an underscore": (
        {**GOOD, f"{BASE}/x/gemini-extension.json": manifest(name="x_y")},
        False,
        "has a name",
    ),
    "hooks with a mark": ({**GOOD, f"{BASE}/x/hooks/hooks.json": f"\ufeff{HOOKS}"}, False, "byte order mark"),
    "hooks that are no JSON": ({**GOOD, f"{BASE}/x/hooks/hooks.json": "{"}, False, "invalid JSON"),
    "hooks with a comment": ({**GOOD, f"{BASE}/x/hooks/hooks.json": f"//\n{HOOKS}"}, False, "invalid JSON"),
    "hooks that are a list": (
        {**GOOD, f"{BASE}/x/hooks/hooks.json": '{"hooks": []}'},
        False,
        "hooks must be an object",
    ),
    "hooks in the manifest": (
        {f"{BASE}/x/gemini-extension.json": manifest(**json.loads(HOOKS))},
        False,
        "reads no hooks from gemini-extension.json",
    ),
    "two of one name": (
        {**GOOD, f"{BASE}/z/gemini-extension.json": manifest(), f"{BASE}/z/hooks/hooks.json": HOOKS},
        False,
        "has the same name, and Gemini CLI does not start",
    ),
    "an extension of the workspace": (
        {"w/.gemini/extensions/x/gemini-extension.json": manifest(), "w/.gemini/extensions/x/hooks/hooks.json": HOOKS},
        False,
        "Gemini CLI reads only the user's extensions",
    ),
    "linked": (
        {
            f"{BASE}/x/{RECORD}": json.dumps({"type": "link", "source": "@/far"}),
            "far/gemini-extension.json": manifest(),
            "far/hooks/hooks.json": HOOKS,
        },
        True,
        "",
    ),
    "off everywhere": (rules("!/*"), False, "off"),
    "off here": (rules("!@/w/"), False, "off"),
    "off below": (rules("!@/*"), False, "off"),
    "off in the directory above alone": (rules("!@/"), True, ""),
    "off elsewhere": (rules("!/other/*"), True, ""),
    "on again": (rules("!/*", "@/w/"), True, ""),
    "off by stars": (rules("!/*/*/w/"), False, "off"),
    "stars that take nothing": (rules(f"!{'/*' * 2000}/x/"), True, ""),
    "off again": (rules("!/*", "@/w/", "!@/w/"), False, "off"),
    "enablement that is no JSON": (
        {**GOOD, f"{BASE}/extension-enablement.json": "{"},
        True,
        "Gemini CLI enables every extension",
    ),
    "enablement of another type": (
        {**GOOD, f"{BASE}/extension-enablement.json": '{"x": {"overrides": "!/*"}}'},
        True,
        "Gemini CLI enables every extension",
    ),
    "an extension in another home": (
        {name.replace("home/", "other/"): text for name, text in GOOD.items()},
        True,
        "",
    ),
}
#: Hooks that we run although the program does not: a notice tells it. Those of the others can't be read, or are off.
RUN_HERE = ("no manifest", "a manifest", "no name", "no version", "a name with", "hooks with a mark", "two of one name")


@pytest.mark.parametrize("row", EXTENSIONS)
def test_an_extension(row: str, tmp_path: Path) -> None:
    files, runs, notice = EXTENSIONS[row]
    # The path of a directory of Windows has no slash in front of its drive, and rules have one.
    root = slashed(tmp_path)
    files = {name: text.replace("!@/", f"!{root}/").replace('"@/w/"', f'"{root}/w/"') for name, text in files.items()}
    env = build(tmp_path, files)
    where = str(tmp_path / "w")
    if "another home" in row:
        env["GEMINI_CLI_HOME"] = (tmp_path / "other").as_posix()
    with HookEngine.discover(where, "gemini", env=env) as engine:
        verdict = engine.fire("BeforeTool", CALL)
        engine_notes = verdict.notices
    assert verdict.blocked == (runs or row.startswith(RUN_HERE)), engine_notes
    if verdict.blocked:
        root = tmp_path / ("far" if row == "linked" else "other" if "another home" in row else "home")
        assert verdict.reason.startswith(root.as_posix()) and verdict.reason.endswith((tmp_path / "w").as_posix())
    expected = notice if notice != "off" else ""
    assert bool(engine_notes) == bool(expected) == any(expected in one for one in engine_notes), engine_notes
    errors = [one for one in problems_at(where, env=env) if one.severity == "error"]
    for file, system in files_at(where, env=env).items():
        errors += [one for one in check_file(file, system, env=env).diagnostics if one.severity == "error"]
    assert bool(errors) == bool(expected), errors


def slashed(path: Path) -> str:
    return f"/{path.as_posix().lstrip('/')}"


def test_an_extension_that_is_being_written(tmp_path: Path) -> None:
    """``check`` in its directory takes its hooks for Gemini CLI's, and reads its manifest."""
    env = build(tmp_path, {"w/gemini-extension.json": manifest(), "w/hooks/hooks.json": HOOKS})
    where = str(tmp_path / "w")
    assert files_at(where, env=env) == {f"{(tmp_path / 'w').as_posix()}/hooks/hooks.json": "gemini@documented"}
    assert not problems_at(where, env=env)
    (tmp_path / "w/gemini-extension.json").write_text("{}")
    assert ['has no "name"' in one.message for one in problems_at(where, env=env)] == [True]


OTHERS: list[tuple[str, Callable[[Path], object]]] = [
    ("a directory", lambda path: path.mkdir()),
    ("a file that is empty", lambda path: path.write_text("")),
]


@pytest.mark.parametrize(("name", "make"), OTHERS, ids=[name for name, _ in OTHERS])
def test_files_beside_extensions(name: str, make: Callable[[Path], object], tmp_path: Path) -> None:
    env = build(tmp_path, GOOD)
    make(tmp_path / BASE / "other")
    with HookEngine.discover(str(tmp_path / "w"), "gemini", env=env) as engine:
        verdict = engine.fire("BeforeTool", CALL)
    assert verdict.blocked and not verdict.notices


def test_a_resident_engine_sees_that_an_extension_is_turned_off(tmp_path: Path) -> None:
    env = build(tmp_path, GOOD)
    options = Options(dialect=get("gemini"))
    with Engines() as engines:

        def hooks() -> int:
            with engines.borrowed(options, str(tmp_path / "w"), env) as engine:
                return len(engine.specs)

        assert hooks() == 1
        enablement = tmp_path / BASE / "extension-enablement.json"
        enablement.write_text(json.dumps({"x": {"overrides": ["!/*"]}}))
        assert hooks() == 0
        enablement.unlink()
        assert hooks() == 1
