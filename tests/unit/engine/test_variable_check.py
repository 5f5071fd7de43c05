"""Variables that no agent sets are told, once, and nothing else is."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from pyshellhooks import HookEngine, dialects
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.engine.scripts.variables import arguments_missing, placeholders, unset_variables

# system, where the text stands, the text, the variables that are told
TEXTS = [
    ("claude_code", "inline", 'echo "$CLAUDE_TOOL_INPUT" | grep -q rm && exit 2', "$CLAUDE_TOOL_INPUT"),
    ("claude_code", "inline", 'case "$TOOL_INPUT" in *rm*) exit 2;; esac', "$TOOL_INPUT"),
    ("claude_code", "inline", '[[ "$1" == *rm* ]] && exit 2', "$1"),
    ("claude_code", "inline", 'npx prettier --write "$CLAUDE_TOOL_INPUT_FILE_PATH"', "$CLAUDE_TOOL_INPUT_FILE_PATH"),
    ("claude_code", "inline", "echo $CLAUDE_FILE_PATHS $CLAUDE_TOOL_NAME", "$CLAUDE_FILE_PATHS $CLAUDE_TOOL_NAME"),
    ("claude_code", "script", "#!/bin/bash\necho ${CLAUDE_TOOL_INPUT}\necho $CLAUDE_TOOL_INPUT\n", "${CLAUDE_TOOL_INPUT}"),
    ("claude_code", "inline", "echo $CRUSH_TOOL_INPUT_COMMAND", "$CRUSH_TOOL_INPUT_COMMAND"),
    ("cursor", "inline", 'prettier --write "$CURSOR_FILE"', "$CURSOR_FILE"),
    ("cursor", "inline", 'prettier --write "${file}"', "${file}"),
    ("firebender", "inline", "echo $CURSOR_FILE_PATH", "$CURSOR_FILE_PATH"),
    ("gemini", "inline", "echo $GEMINI_TOOL_NAME $TOOL_NAME", "$GEMINI_TOOL_NAME $TOOL_NAME"),
    ("docker_agent", "inline", "echo $TOOL_INPUT", "$TOOL_INPUT"),
    ("everruns", "inline", "echo $TOOL_INPUT $EVERRUNS_TOOL_INPUT", "$TOOL_INPUT $EVERRUNS_TOOL_INPUT"),
    ("crush", "inline", "echo $CRUSH_FILE_PATH", "$CRUSH_FILE_PATH"),
    # what is set, by the system or by the text, or may be
    ("crush", "inline", "echo $CRUSH_TOOL_INPUT_COMMAND $CRUSH_TOOL_NAME $CRUSH_TOOL_INPUT_PATTERN", ""),
    ("everruns", "inline", 'echo "$EVERRUNS_HOOK_TOOL_NAME" "$EVERRUNS_HOOK_PAYLOAD_JSON"', ""),
    ("gemini", "inline", "echo $GEMINI_CWD $GEMINI_SESSION_ID $CLAUDE_PROJECT_DIR", ""),
    ("cursor", "inline", "echo $CURSOR_TRANSCRIPT_PATH $CURSOR_VERSION", ""),
    ("claude_code", "inline", "echo $CLAUDE_PROJECT_DIR $CLAUDE_CODE_SESSION_ID $CLAUDE_ENV_FILE $MY_VAR $HOME", ""),
    ("claude_code", "inline", "echo $PROVIDED_TOOL_INPUT $TOOL_INPUT_OF_TEST", "$TOOL_INPUT_OF_TEST"),
    ("claude_code", "inline", "TOOL_INPUT=$(cat); echo $TOOL_INPUT", ""),
    ("claude_code", "inline", "read -r TOOL_INPUT; echo $TOOL_INPUT", ""),
    ("claude_code", "inline", "for TOOL_NAME in a b; do echo $TOOL_NAME; done", ""),
    ("claude_code", "inline", "echo ${CLAUDE_TOOL_INPUT:-$(cat)} ${TOOL_NAME-} ${CLAUDE_FILE:+x}", ""),
    ("claude_code", "inline", ". ./lib.sh; echo $TOOL_INPUT $1", ""),
    ("claude_code", "inline", 'eval "$(jq -r @sh)"; echo $TOOL_INPUT', ""),
    ("claude_code", "inline", "f() { echo $1; }; f x", ""),
    ("claude_code", "inline", "set -- a b; echo $1", ""),
    ("claude_code", "inline", "awk '{print $1}'; echo '$TOOL_INPUT'", ""),
    ("claude_code", "script", "#!/bin/bash\necho $1 ${file}\n", ""),
    ("claude_code", "inline", "if then $TOOL_INPUT", ""),
]  # fmt: skip


@pytest.mark.parametrize(("system", "place", "text", "expected"), TEXTS)
def test_variables_that_are_reported(system: str, place: str, text: str, expected: str) -> None:
    diagnostics = unset_variables(text, dialects.get(system), {"PROVIDED_TOOL_INPUT"}, inline=place == "inline")
    found = [(text[one.begin : one.end], one.message, one.hint) for one in diagnostics]
    assert " ".join(spelled for spelled, _, _ in found) == expected
    assert all("is empty" in message and hint for _, message, hint in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("case '$ARGUMENTS' in *rm*) exit 2;; esac", "$ARGUMENTS"),
        ('echo "${ARGUMENTS}" "$ARGUMENTS"', "${ARGUMENTS}"),
        ("case '{{tool_input.command}}' in *rm*) exit 2;; esac", "{{tool_input.command}}"),
        ("./guard {{ prompt }}", "{{ prompt }}"),
        ("echo $ARGUMENTS_OF_MINE '{{.Names}}' '{{tool}}' {{}}", ""),
    ],
)
def test_placeholders(text: str, expected: str) -> None:
    assert " ".join(text[one.begin : one.end] for one in placeholders(text, dialects.get("claude_code"))) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('case "$1" in *rm*) exit 2;; esac', "$1"),
        ('x=${2}; [ "$x" = rm ] && exit 2', "${2}"),
        ('case "${1:-}" in *rm*) exit 2;; esac', ""),
        ('[ -n "$1" ] && echo "$1"', ""),
        ('[ $# -gt 0 ] && echo "$1"', ""),
        ('set -- a; echo "$1"', ""),
        ('f() { echo "$1"; }; f x', ""),
        ("echo $0 $@ '$1'; awk '{ print $1 }'", ""),
        ("if then $1", ""),
        ('IN="$1"; [ -z "$IN" ] && IN=$(cat); case "$IN" in *rm*) exit 2;; esac', ""),
    ],
)
def test_arguments_that_no_hook_passes(text: str, expected: str) -> None:
    assert (
        " ".join(text[one.begin : one.end] for one in arguments_missing(text, dialects.get("claude_code"))) == expected
    )


@pytest.mark.parametrize("system", dialects.names())
def test_the_variables_of_a_system_are_those_that_its_hooks_get(system: str) -> None:
    dialect = dialects.get(system)
    executor = RecordedExecutor()
    row = dialect.native_events("before_tool", {"tool_name": "x"}, "shell")[0][0]
    engine = HookEngine(system, [dialect.added(row.native, "check")], env={}, cwd="/", executor=executor)
    engine.fire(row.native, tool_name=dialect.tools["shell"][0], tool_input={"command": "ls"}, command="ls")
    own = [name for name in executor.jobs[0].env if name.startswith(f"{system.partition('_')[0].upper()}_")]
    assert bool(own) == bool(dialect.variables)
    assert [name for name in own if not any(fnmatchcase(name, one) for one in dialect.variables)] == []
