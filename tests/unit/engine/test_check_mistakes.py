"""``check`` on a table of mistakes: each is told with a code, at its place, with a mend, and the mend makes it go."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from engine_codes import OF_ENGINES
from mistakes import CONFIGS, GUARD, IN_COMMANDS, IN_CONFIGS, OF, Row, apply_fix, claude, crush, look, write

from pyshellhooks import HookEngine, dialects
from pyshellhooks.engine.checks.checker import check_file
from pyshellhooks.engine.checks.codes import CODES, shown
from pyshellhooks.engine.checks.doctor import examine
from pyshellhooks.errors import Diagnostic

pytestmark = pytest.mark.usefixtures("usual_interpreters")

ROWS = [*IN_CONFIGS, *IN_COMMANDS]
NEEDS_MODE, NEEDS_PROGRAM = pytest.mark.not_on_windows("needs-mode"), pytest.mark.not_on_windows("needs-program")
#: Codes whose mistake is one of modes, or of the programs that the first line of a script names.
OF_UNIX = {
    "not-executable": NEEDS_MODE,
    "bash-under-sh": NEEDS_PROGRAM,
    "crlf": NEEDS_PROGRAM,
    "echo-under-sh": NEEDS_PROGRAM,
    "interpreter": NEEDS_PROGRAM,
}
PARAMETERS = [pytest.param(row, id=str(row), marks=OF_UNIX.get(row.code, ())) for row in ROWS]


BY_HAND = {"needs-process", "tool-guessed", "tool-argument-missing"}  # told by doctor and by check_tools; below


def place(row: Row) -> tuple[int, int] | None:
    """Return line and column of what a row's place points at; None where nothing can be pointed at."""
    name, snippet = row.at
    content = row.files[name]
    if not snippet or isinstance(content, bytes):
        return None
    before = content[: content.index(snippet)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


@pytest.mark.parametrize("row", PARAMETERS)
def test_it_is_reported_until_it_is_fixed(row: Row, tmp_path: Path) -> None:
    write(tmp_path, row.files, row.modes)
    checked = look(tmp_path, row)
    (one,) = [one for one in checked.diagnostics if one.code == row.code]
    assert one.severity == row.severity, one
    assert one.message and one.hint and one.path
    expected = place(row)
    if expected is not None:
        assert Path(one.path).name == Path(row.at[0]).name
        if row.at[1] != "{":  # the hook as a whole
            assert (one.line, one.column) == expected, shown(one)
    if row.code.startswith("tool-un"):
        return  # it is the agent's tool, and no file fixes it
    apply_fix(tmp_path, row)
    left = {one.code for one in look(tmp_path, row).diagnostics}
    assert row.code not in left
    assert not left & {"syntax-error", "config-syntax"}, "the fix of the row does not parse"


def test_the_table_has_every_code() -> None:
    assert {row.code for row in ROWS} | BY_HAND | OF_ENGINES.keys() == set(CODES)


@pytest.mark.parametrize("code", OF_ENGINES)
def test_the_codes_of_engines(code: str, tmp_path: Path) -> None:
    assert {one.code for one in OF_ENGINES[code](tmp_path)} == {code}


def test_the_codes_of_others(tmp_path: Path) -> None:
    with HookEngine.load(claude("git status", "Bash"), "claude_code", cwd=str(tmp_path), spawn=False) as engine:
        schema = {"name": "frobnicate", "input_schema": {"properties": {"command": {"type": "string"}}}}
        assert [one.code for one in engine.check_tools([schema])] == ["tool-guessed"]
    hooks, told = claude("git status"), {"frobnicate": "read"}
    with HookEngine.load(hooks, "claude_code", cwd=str(tmp_path), spawn=False, tools=told) as engine:
        assert [one.code for one in engine.check_tools([schema])] == ["tool-argument-missing"]
    (tmp_path / "git").write_bytes(b"\x7fELF")
    with HookEngine.load(crush("./git"), "crush", cwd=str(tmp_path)) as engine:
        assert [one.code for one in examine(engine, spawn=False)] == ["needs-process"]


@pytest.mark.parametrize("system", sorted(set(OF) - {"everruns"}))
@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("exit-1-does-not-block", GUARD.format(1)),
        ("payload-key", "#!/bin/sh\njq -r .toolInput.x\n"),
        ("syntax-error", "#!/bin/sh\nif\n"),
        ("crlf", "#!/bin/sh\r\ntrue\r\n"),
    ],
)
def test_every_system_that_runs_files(system: str, code: str, text: str, tmp_path: Path) -> None:
    name = CONFIGS[system]
    write(tmp_path, {name: OF[system]("./hooks/x.sh"), "hooks/x.sh": text})
    given = {"PATH": "", "HOME": str(tmp_path / "home")}
    assert code in [one.code for one in check_file(str(tmp_path / name), env=given).diagnostics]
    (tmp_path / "hooks" / "x.sh").unlink()
    (one,) = [one for one in check_file(str(tmp_path / name), env=given).diagnostics if one.severity == "error"]
    assert one.code == "script-missing"
    (tmp_path / "hooks" / "x.sh").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "hooks" / "x.sh").chmod(0o755)
    report = check_file(str(tmp_path / name), env=given).diagnostics
    assert {one.code for one in report} <= {"relative-script"}


def test_scripts_of_everruns_are_not_looked_up(tmp_path: Path) -> None:
    """Their files are the session's own, so that a missing one is no mistake; their texts are read all the same."""
    name = CONFIGS["everruns"]
    write(tmp_path, {name: OF["everruns"]("./hooks/x.sh; jq -r '.x | ('")})
    assert [one.code for one in check_file(str(tmp_path / name)).diagnostics] == ["jq-syntax"]


def test_the_line_and_a_caret_under_the_mistake() -> None:
    one = Diagnostic("a.sh", 2, 3, "no", "yes", code="crlf", end_column=6, source="ab\tde")
    assert shown(one).split("\n") == ["a.sh:2:3: error: no [crlf]", "    ab\tde", "      ^^^", "  hint: yes"]
    wide = Diagnostic("a.sh", 1, 2, "no", code="crlf", end_column=3, source="日本")
    assert shown(wide).split("\n")[2] == "      ^^"
    assert shown(Diagnostic("a.sh", 0, 0, "no", severity="hint")) == "a.sh: hint: no"


@pytest.mark.parametrize(
    ("line", "column", "place"),
    [(0, 0, "a.sh"), (0, 7, "a.sh"), (1, 0, "a.sh:1"), (12, 0, "a.sh:12"), (1, 1, "a.sh:1:1"), (12, 34, "a.sh:12:34")],
)
def test_a_place_is_shown_as_far_as_it_is_known(line: int, column: int, place: str) -> None:
    one = Diagnostic("a.sh", line, column, "no", code="crlf", source="ab")
    assert one.place == place
    assert str(one) == f"{place}: error: no"
    assert shown(one).split("\n")[0] == f"{place}: error: no [crlf]"


@pytest.mark.slow
def test_every_report_has_a_code() -> None:
    """What is read from a config comes by ``ConfigReader.say``, which has a code, or is made whole."""
    made = 0
    package = Path(dialects.__file__).parents[1]
    for path in package.rglob("*.py"):
        # Texts of errors about options and payloads, and the list of ``convert``; ``Source`` has one code.
        if path.relative_to(package).parts[0] in ("cli", "convert", "syntax") or path.name == "document.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "attr", getattr(getattr(node, "func", None), "id", ""))
            if isinstance(node, ast.Call) and name in ("Diagnostic", "diagnostic") and len(node.args) > 1:
                made += 1
                assert any(given.arg == "code" for given in node.keywords), f"{path}:{node.lineno}"
    assert made > 30
