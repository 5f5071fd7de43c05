"""Programs and files that ``check`` does not call missing, for the script tests for them, makes them or never runs them."""

from __future__ import annotations

from pathlib import Path

import pytest
from alarms import reported

pytestmark = pytest.mark.usefixtures("usual_interpreters")

SILENT = [
    # ${x:?text} prints the text and ends the shell (POSIX XCU 2.6.2): it is no value.
    'f() { local n="${1:?a name is needed}"; "$n" --help; }; f jq',
    'n=${1:?"a name is needed"}; $n',
    # ``command -v`` tests and runs nothing (POSIX XCU command).
    "command -v no-such-x",
    "command -V no-such-x || true",
    "if command -v ./vendor/bin/x >/dev/null; then ./vendor/bin/x; fi",
    'P="$(command -v no-such-x)" && "$P"',
    # An unquoted variable is split into words (POSIX XCU 2.6.5).
    'P="env bash"; $P -c true',
    "P='bash -x'; $P .claude/hooks/other.sh",
    # The test is to run it.
    "if no-such-x --version >/dev/null 2>&1; then no-such-x go; fi",
    "if ! no-such-x --version 2>/dev/null | grep -q '^10'; then echo install it; fi; no-such-x go",
    "no-such-x --version >/dev/null 2>&1 && no-such-x go",
    "while ! no-such-x --help; do sleep 1; done; no-such-x",
    # An option that the script sets changes how the rest parses (bash 5.2, shopt).
    "shopt -s extglob\nrm -f !(keep|kept)",
    # Another operating system.
    'if [[ "$(uname)" == Darwin ]]; then no-such-x a; fi',
    'if [ "$(uname -s)" = "Darwin" ]; then no-such-x a; else no-such-y b; fi',
    'case "$(uname -s)" in Darwin) no-such-x -e 1;; Linux) no-such-y hi;; MINGW*|MSYS*) no-such-z;; esac',
    'if [[ "$OSTYPE" == "darwin"* ]]; then no-such-x hi; fi',
    '[ "$(uname)" = Darwin ] && no-such-x hi',
    "bash .claude/hooks/other.sh 2>/dev/null || pwsh -File a.ps1",
    "bash .claude/hooks/other.sh || powershell.exe -File a.ps1",
    # The script tests for the file, under whatever name.
    'L=.claude/hooks/none.sh; [ -f "$L" ] && . "$L"',
    'L="$(dirname "$0")/none.sh"; if [[ -f "$L" ]]; then bash "$L"; fi',
    'L="${0%/*}/none.sh"; test -x "$L" && "$L"',
    # The arguments of a script are not known, so their defaults may not count.
    'bash ".claude/${1:-x}/none.sh"',
    'n="${2-}"; bash ".claude/$n/none.sh"',
    # The script makes the file.
    "[ -d .venv ] || python3 -m venv .venv; source .venv/bin/activate",
    "python3 -m venv --clear ./.venv\n.venv/bin/python x.py",
    "uv venv 2>/dev/null || true; . .venv/bin/activate",
    "cp other.sh made.sh; ./made.sh",
    "curl -so made.sh https://example.org/x; bash made.sh",
    "curl --output made.sh https://example.org/x; bash made.sh",
    "curl -s https://example.org/x -o ./made.sh; bash made.sh",
    "wget -qO made.sh https://example.org/x; bash made.sh",
    "wget --output-document made.sh https://example.org/x; bash made.sh",
    "git clone -q https://example.org/x tool || exit 0; ./tool/run",
]
TOLD = [
    ('no-such-x "${1:?a name}"', "no-such-x"),
    ("command no-such-x", "no-such-x"),
    ('P="no-such-x -v"; $P', "no-such-x"),
    ('P="env bash"; "$P" -c true', "env bash"),  # quoted: one word
    ("if no-such-x; then true; fi", "no-such-x"),
    ("if no-such-x go; then true; fi", "no-such-x"),
    ("no-such-x --version", "no-such-x"),
    ('if [ "${1-}" = no ]; then no-such-x; fi', "no-such-x"),
    ('if [[ "${1-}" == *linux/fs* ]]; then no-such-x; fi', "no-such-x"),
    ("true || no-such-x", "no-such-x"),
    ("grep -q x || no-such-x deny", "no-such-x"),
    ("pwsh -c x && true", "pwsh"),
    ("[ -d tool ] && ./tool/run", "./tool/run"),
    ("cp made.sh other.sh; ./made.sh", "./made.sh"),
    ("mkdir -p tool; ./tool/run", "./tool/run"),
    ("cp a.json .claude; .claude/hooks/x.sh", ".claude/hooks/x.sh"),
    ("git clone -q https://example.org/x .; ./x.sh", "./x.sh"),
    ('case "${1-}" in linux/*) no-such-x;; esac', "no-such-x"),
]


@pytest.mark.parametrize("script", SILENT)
def test_sound(script: str, tmp_path: Path) -> None:
    assert reported(tmp_path, script, other="#!/bin/bash\ntrue\n") == []


@pytest.mark.parametrize(("script", "name"), TOLD)
def test_missing(script: str, name: str, tmp_path: Path) -> None:
    names = {one.partition(":")[0].removesuffix(" does not exist") for one in reported(tmp_path, script)}
    assert names == {name}


def test_a_guards_program_in_a_branch_for_one_system(tmp_path: Path) -> None:
    """A guard may need a program that is a utility here, so it is reported."""
    found = reported(tmp_path, 'case "$OSTYPE" in linux*) jq -r .tool_name;; esac', ["bash"])
    assert [one.partition(":")[0] for one in found] == ["jq"]
